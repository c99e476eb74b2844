import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { briefBatch, repositoryRoot } from '../harness/paths';
import { startSandbox } from '../sandbox/sandbox';
import { median, type Figure } from './figure';
import { measureUsage, timeNode, withFolder } from './process';

const START_ROUNDS = 21;
const PLAN_ROWS = 100_000;
const PLAN_ROUNDS = 3;

/** Measures how long `npm test` takes. Throws if a test fails. */
export function measureTests(): Figure {
	const start = performance.now();
	execFileSync('npm', ['test'], { cwd: repositoryRoot, stdio: 'pipe', maxBuffer: Infinity });
	const minutes = (performance.now() - start) / 60_000;
	return { name: '`npm test`: minutes', value: minutes, target: 3 };
}

/** Compares the start of `brief-batch --help` with that of an empty program, by the fastest of many rounds. */
export function measureStart(): Promise<Figure> {
	return withFolder(async (cwd) => {
		let [help, empty] = [Infinity, Infinity];
		for (let round = 0; round < START_ROUNDS; round += 1) {
			empty = Math.min(empty, await timeNode({ args: ['-e', '0'], cwd }));
			help = Math.min(help, await timeNode({ args: [briefBatch, '--help'], cwd }));
		}
		return { name: '`--help`: time ÷ `node -e 0`', value: help / empty, target: 1.5 };
	});
}

/** Compares `brief-batch plan` with a bare csv-parse loop for the same long CSV, in alternation. */
export async function measurePlan(): Promise<Figure[]> {
	const sandbox = await startSandbox({ allowance: 10, seed: 'bench' });
	const env = {
		CREATOR_BRIEFING_BASE_URL: sandbox.url,
		CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
	};
	try {
		return await withFolder(async (cwd) => {
			const csv = join(cwd, 'products.csv');
			writeFileSync(csv, buildCsv(PLAN_ROWS));
			const ratios: number[] = [];
			let megabytes = 0;
			for (let round = 0; round < PLAN_ROUNDS; round += 1) {
				const loop = await measureUsage({ args: [resolve(__dirname, 'bare-csv.js'), csv], cwd });
				// Most rows exceed the allowance, so the exit code is 3.
				const plan = await measureUsage({ args: [briefBatch, 'plan', csv], cwd, env, exitCode: 3 });
				ratios.push(plan.cpuSeconds / loop.cpuSeconds);
				megabytes = Math.max(megabytes, plan.megabytes);
			}
			const name = '`plan` of 100,000 rows: CPU time ÷ bare csv-parse loop';
			return [
				{ name, value: median(ratios), target: 5 },
				{ name: '`plan` of 100,000 rows: memory, MB', value: megabytes, target: 300 },
			];
		});
	} finally {
		await sandbox.close();
	}
}

function buildCsv(rows: number): string {
	const lines = Array.from({ length: rows }, (_, i) => {
		const productId = 1_729_384_756_000_000 + i;
		return `Steel bottle number ${i},${productId},"Hikers, runners and commuters",SKU-${i}\n`;
	});
	return `Product Name,Product ID,Audience,SKU\n${lines.join('')}`;
}
