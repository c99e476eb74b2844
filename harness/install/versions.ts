/**
 * The settings with which a range of n8n versions can be installed. n8n does not pin all of its dependencies: some ranges now
 * include incompatible releases, and one package does not come from the registry. The overrides correct that. After a change
 * here, delete .cache/n8n.
 */
interface Recipe {
	/** The first version that the recipe applies to. It applies until the first version of the next recipe. */
	from: string;
	overrides: Record<string, string>;
	/** The version of Node.js for an n8n that refuses the repository's Node.js as too new. */
	node?: string;
	/** The packages whose install scripts n8n cannot start without. */
	native: readonly string[];
}

export const defaultVersion = '2.41.1';

/** The first version with `NodeConnectionTypes`, which the nodes need. */
export const oldestVersion = '1.85.3';

/** Peer dependencies that --legacy-peer-deps omits. Without date-fns, n8n cannot load its Extract From File node. */
export const peers: Readonly<Record<string, string>> = { 'date-fns': '2.30.0' };

const native = ['sqlite3', 'isolated-vm'];
const overridesOf1 = { xlsx: '0.18.5', '@langchain/langgraph-checkpoint': '1.0.0' };

// Newest last.
const recipes: readonly Recipe[] = [
	{ from: '1.85.0', overrides: overridesOf1, node: '22.23.3', native },
	{ from: '1.99.0', overrides: overridesOf1, native },
	{
		from: '2.41.0',
		overrides: { linkedom: '0.18.12', '@langchain/langgraph': '1.4.0', xlsx: '0.18.5' },
		native,
	},
];

/** Returns the version that N8N_VERSION names, which can be `oldest`; by default the newest. */
export function getChosenVersion(): string {
	const name = process.env['N8N_VERSION'] ?? defaultVersion;
	return name === 'oldest' ? oldestVersion : name;
}

export function findRecipe(version: string): Recipe {
	if (!/^\d+\.\d+\.\d+$/.test(version)) {
		throw new Error(`"${version}" is not a version of n8n. Write it like ${defaultVersion}.`);
	}
	const recipe = recipes.findLast(({ from }) => compareVersions(from, version) <= 0);
	if (recipe) return recipe;
	throw new Error(`n8n ${version} is older than ${oldestVersion}, the oldest that is supported.`);
}

export function compareVersions(a: string, b: string): number {
	const [left = [], right = []] = [a, b].map((version) => version.split('.').map(Number));
	const differences = left.map((number, index) => number - (right[index] ?? 0));
	return differences.find((difference) => difference !== 0) ?? 0;
}
