import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { briefBatch } from '../harness/paths';
import { startSandbox } from '../sandbox/sandbox';
import { inFolder, usageOf, type Usage } from './process';
import { median, type Figure } from './figures-table';

const ROWS = 100_000;
const ROUNDS = 3;
const BARE_LOOP = resolve(__dirname, 'bare-csv.js');

/** `plan` over a long CSV beside a bare csv-parse loop over the same file, taking turns. */
export async function benchPlan(): Promise<Figure[]> {
	const sandbox = await startSandbox({ allowance: 10, seed: 'bench' });
	const env = {
		CREATOR_BRIEFING_BASE_URL: sandbox.url,
		CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
	};
	const rounds: { bareLoop: Usage; plan: Usage }[] = [];
	try {
		await inFolder(async (folder) => {
			const csv = join(folder, 'products.csv');
			writeFileSync(csv, csvOf(ROWS));
			for (let round = 0; round < ROUNDS; round += 1) {
				const bareLoop = await usageOf([BARE_LOOP, csv], {}, folder);
				// Most rows are beyond the allowance.
				const plan = await usageOf([briefBatch, 'plan', csv], env, folder, 3);
				rounds.push({ bareLoop, plan });
				console.log(JSON.stringify(rounds.at(-1)));
			}
		});
	} finally {
		await sandbox.close();
	}
	return [
		{
			what: '`plan` over 100,000 rows, CPU time ÷ that of a bare csv-parse loop',
			value: median(rounds.map(({ bareLoop, plan }) => plan.cpuSeconds / bareLoop.cpuSeconds)),
			atMost: 8,
		},
		{
			what: '… memory (MB)',
			value: Math.max(...rounds.map(({ plan }) => plan.megabytes)),
			atMost: 450,
		},
	];
}

function csvOf(rows: number): string {
	const lines = Array.from(
		{ length: rows },
		(_, i) =>
			`Steel bottle number ${i},${1_729_384_756_000_000 + i},"Hikers, runners and commuters",SKU-${i}\n`,
	);
	return `Product Name,Product ID,Audience,SKU\n${lines.join('')}`;
}
