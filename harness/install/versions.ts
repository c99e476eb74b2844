/**
 * How to install the n8n versions from this one on. n8n pins most of its dependencies, but not all: some of its ranges
 * now reach releases that do not fit, and one package does not come from the registry. The overrides correct that.
 */
export interface Recipe {
	/** First version this recipe is for. It holds until the next recipe's `from`. */
	from: string;
	overrides: Record<string, string>;
	/** The Node to run it on, installed along with it, if it refuses the repository's own as too new. */
	node?: string;
	/** The packages with native code that n8n cannot start without: their install scripts are run, no others. */
	native: readonly string[];
}

export const defaultVersion = '2.41.1';

/** The first ones that have `NodeConnectionTypes`, without which the nodes cannot be loaded, are those of 1.85. */
export const oldestVersion = '1.85.3';

/**
 * Peers that are installed by name, because --legacy-peer-deps leaves all of them out. Without date-fns the Extract
 * From File node of every version cannot be loaded.
 */
export const peers: Readonly<Record<string, string>> = { 'date-fns': '2.30.0' };

// Newest last.
const recipes: readonly Recipe[] = [
	{
		from: '1.85.0',
		overrides: { xlsx: '0.18.5', '@langchain/langgraph-checkpoint': '1.0.0' },
		node: '22.23.3',
		native: ['sqlite3', 'isolated-vm'],
	},
	{
		from: '1.99.0',
		overrides: { xlsx: '0.18.5', '@langchain/langgraph-checkpoint': '1.0.0' },
		native: ['sqlite3', 'isolated-vm'],
	},
	{
		from: '2.41.0',
		overrides: { linkedom: '0.18.12', '@langchain/langgraph': '1.4.0', xlsx: '0.18.5' },
		native: ['sqlite3', 'isolated-vm'],
	},
];

/** The version that the environment variable N8N_VERSION names, which may be `oldest`. */
export function chosenVersion(): string {
	const name = process.env['N8N_VERSION'] ?? defaultVersion;
	return name === 'oldest' ? oldestVersion : name;
}

export function recipeFor(version: string): Recipe {
	if (!/^\d+\.\d+\.\d+$/.test(version)) {
		throw new Error(`"${version}" is no n8n version. Give it whole, like ${defaultVersion}.`);
	}
	const recipe = recipes.findLast(({ from }) => compareVersions(from, version) <= 0);
	if (!recipe) {
		const oldest = recipes[0]?.from ?? defaultVersion;
		throw new Error(
			`n8n ${version} is older than ${oldest}, the oldest that can be installed here.`,
		);
	}
	return recipe;
}

export function compareVersions(a: string, b: string): number {
	const [left, right] = [a, b].map((version) => version.split('.').map(Number));
	for (let part = 0; part < 3; part++) {
		const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0);
		if (difference !== 0) return difference;
	}
	return 0;
}
