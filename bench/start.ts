import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startSandbox } from '../sandbox/sandbox';
import { inFolder } from './folder';
import { median, type Measured } from './table';
import { usageOf } from './usage';

const ROUNDS = 7;
const ROWS = 10;
const BIN = resolve(__dirname, '../batch/dist/batch/bin.js');

/** The short commands beside a Node process that does nothing, taking turns. */
export async function benchStart(): Promise<Measured[]> {
	const sandbox = await startSandbox({ seed: 'bench' });
	try {
		return await inFolder(async (folder) => {
			const rows = Array.from({ length: ROWS }, (_, i) => `Product ${i + 1}`);
			writeFileSync(join(folder, 'ten.csv'), `Product Name\n${rows.join('\n')}\n`);
			const env = {
				CREATOR_BRIEFING_BASE_URL: sandbox.url,
				CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			};
			const commands = [['-e', '0'], ...COMMANDS.map(({ args }) => [BIN, ...args])];
			const ratios: number[][] = [];
			for (let round = 0; round < ROUNDS; round += 1) {
				const seconds: number[] = [];
				for (const args of commands) {
					seconds.push((await usageOf(args, folder, { env })).cpuSeconds);
				}
				const [empty = NaN, ...ours] = seconds;
				ratios.push(ours.map((each) => each / empty));
			}
			return COMMANDS.map(({ what, atMost, before }, i) => ({
				...{ what, atMost, before, limit: 1 },
				value: median(ratios.map((round) => round[i] ?? NaN)),
			}));
		});
	} finally {
		await sandbox.close();
	}
}

const COMMANDS = [
	{
		...{ args: ['--help'], atMost: 1.5, before: 2.9 },
		what: '`--help`, CPU time ÷ that of `node -e 0`',
	},
	{ args: ['plan', 'ten.csv'], atMost: 3.3, before: 3.7, what: '`plan` of 10 rows, the same' },
];
