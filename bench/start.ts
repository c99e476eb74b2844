import { resolve } from 'node:path';
import { startSandbox } from '../sandbox/sandbox';
import { inFolder } from './folder';
import { writeDone } from './journal';
import { NODE, OTHER_NODE, runNode } from './process';
import { profileOf } from './profile';
import type { Measured } from './table';

const ROUNDS = 21;
const ROWS = 10;
const BIN = resolve(__dirname, '../batch/dist/batch/bin.js');

export interface StartFigures {
	lines: Measured[];
	/** Where the time of each command goes, as a list. */
	profile: string;
}

/**
 * The short commands beside a Node process that does nothing, taking turns. By the clock, because that is what a person
 * waits for; of each the quickest, because others may use the machine meanwhile.
 */
export async function benchStart(): Promise<StartFigures> {
	const sandbox = await startSandbox({ seed: 'bench' });
	try {
		return await inFolder(async (folder) => {
			await writeDone(folder, ROWS, 0);
			const env = {
				CREATOR_BRIEFING_BASE_URL: sandbox.url,
				CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			};
			const here = await quickest(NODE, env, folder);
			const other = OTHER_NODE && (await quickest(OTHER_NODE.bin, env, folder));
			console.log(JSON.stringify({ here, other }));
			const lines = COMMANDS.flatMap(({ what, atMost, before }, i) => [
				{ what, atMost, before, limit: 1, value: here.ratios[i] ?? NaN },
				...(OTHER_NODE && other
					? [{ what: `… on ${OTHER_NODE.name}`, value: other.ratios[i] ?? NaN }]
					: []),
			]);
			const profiles: string[] = [];
			for (const { args } of COMMANDS) {
				profiles.push(`- \`${args[0]}\`: ${await profileOf([BIN, ...args], env, folder)}`);
			}
			return { lines, profile: profiles.join('\n') };
		});
	} finally {
		await sandbox.close();
	}
}

/** What each command takes on this Node, ÷ what a process takes there that does nothing. */
async function quickest(
	node: string,
	env: Record<string, string>,
	folder: string,
): Promise<{ empty: number; ratios: number[] }> {
	const commands = [['-e', '0'], ...COMMANDS.map(({ args }) => [BIN, ...args])];
	const shortest = commands.map(() => Infinity);
	for (let round = 0; round < ROUNDS; round += 1) {
		for (const [i, args] of commands.entries()) {
			const start = performance.now();
			await runNode(args, env, folder, 0, node);
			shortest[i] = Math.min(shortest[i] ?? Infinity, performance.now() - start);
		}
	}
	const [empty = NaN, ...ours] = shortest;
	return { empty, ratios: ours.map((each) => each / empty) };
}

const COMMANDS = [
	{
		args: ['--help'],
		what: '`--help`, time ÷ that of `node -e 0`',
		atMost: 1.5,
		before: 2.9,
	},
	{
		args: ['status', '--out', `out-${ROWS}`],
		what: `\`status\` of ${ROWS} rows, the same`,
		atMost: 1.8,
		before: 3.1,
	},
	{
		args: ['plan', 'products.csv', '--out', 'new'],
		what: `\`plan\` of ${ROWS} rows, the same`,
		atMost: 3.3,
		before: 3.7,
	},
];
