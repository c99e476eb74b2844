import { briefBatch } from '../harness/paths';
import { IN_FAST_TIME, startFastSandbox } from '../test/support/fast-clock/fast-sandbox';
import { writeProducts } from './peers/contender';
import { inFolder, runNode } from './process';
import type { Figure } from './figures-table';

const ROUNDS = 21;
const ROWS = 10;

/**
 * The short commands beside a Node process that does nothing, taking turns. By the clock, because that is what a person
 * waits for; of each the quickest, because others may use the machine meanwhile.
 */
export async function benchStart(): Promise<Figure[]> {
	const fast = { seed: 'bench', speed: 1000, failureShare: 0 };
	const { sandbox, clock } = await startFastSandbox(fast);
	try {
		return await inFolder(async (folder) => {
			const env = {
				CREATOR_BRIEFING_BASE_URL: sandbox.url,
				CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			};
			writeProducts(folder, ROWS);
			const run = [...IN_FAST_TIME, briefBatch, 'run', 'products.csv'];
			await runNode(run, { ...env, ...clock.env }, folder);
			const commands = [['-e', '0'], ...COMMANDS.map(({ args }) => [briefBatch, ...args])];
			const [empty = NaN, ...ours] = await quickest(commands, env, folder);
			return COMMANDS.map(({ what, atMost }, i) => ({
				what,
				atMost,
				value: (ours[i] ?? NaN) / empty,
			}));
		});
	} finally {
		await sandbox.close();
	}
}

async function quickest(
	commands: readonly string[][],
	env: Record<string, string>,
	folder: string,
): Promise<number[]> {
	const shortest = commands.map(() => Infinity);
	for (let round = 0; round < ROUNDS; round += 1) {
		for (const [i, args] of commands.entries()) {
			const start = performance.now();
			await runNode(args, env, folder);
			shortest[i] = Math.min(shortest[i] ?? Infinity, performance.now() - start);
		}
	}
	return shortest;
}

const COMMANDS: ReadonlyArray<{ args: string[]; what: string; atMost?: number }> = [
	{ args: ['--help'], what: '`--help`, time ÷ that of `node -e 0`', atMost: 1.6 },
	{ args: ['status'], what: `\`status\` of ${ROWS} rows, the same` },
	{
		args: ['plan', 'products.csv', '--out', 'new'],
		what: `\`plan\` of ${ROWS} rows, the same`,
	},
];
