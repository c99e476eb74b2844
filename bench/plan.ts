import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { inFolder } from './folder';
import { median, type Measured } from './table';
import { usageOf, type Usage } from './usage';
import { startSandbox } from '../sandbox/sandbox';

const ROWS = 1_000_000;
const ROUNDS = 3;
const BARE = resolve(__dirname, 'bare-csv.js');
const BIN = resolve(__dirname, '../batch/dist/batch/bin.js');

/** `plan` over a million rows beside a bare csv-parse loop over the same file, taking turns. */
export async function benchPlan(): Promise<Measured[]> {
	const rounds: { bare: Usage; plan: Usage }[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		const { bare, plan } = await planBesideBare(ROWS);
		rounds.push({ bare, plan });
		console.log(
			`plan ${plan.cpuSeconds.toFixed(1)} s and ${plan.megabytes.toFixed(0)} MB, bare loop ${bare.cpuSeconds.toFixed(1)} s and ${bare.megabytes.toFixed(0)} MB`,
		);
	}
	return [
		{
			what: '`plan` over 1,000,000 rows, CPU time ÷ that of a bare csv-parse loop',
			value: median(rounds.map(({ bare, plan }) => plan.cpuSeconds / bare.cpuSeconds)),
			atMost: 1.5,
			limit: 1,
		},
		{
			what: '… memory (MB)',
			value: Math.max(...rounds.map(({ plan }) => plan.megabytes)),
			atMost: 200,
		},
	];
}

export async function planBesideBare(rows: number): Promise<{ bare: Usage; plan: Usage }> {
	const sandbox = await startSandbox({ allowance: 10, seed: 'bench' });
	try {
		return await inFolder(async (folder) => {
			const csv = join(folder, 'products.csv');
			await writeCsv(csv, rows);
			const env = {
				CREATOR_BRIEFING_BASE_URL: sandbox.url,
				CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			};
			const bare = await usageOf([BARE, csv], folder);
			// Most of the rows are beyond the allowance.
			const plan = await usageOf([BIN, 'plan', csv, '--quiet'], folder, { env, exitCode: 3 });
			return { bare, plan };
		});
	} finally {
		await sandbox.close();
	}
}

async function writeCsv(file: string, rows: number): Promise<void> {
	const out = createWriteStream(file);
	out.write('Product Name,Product ID,Audience,SKU\n');
	for (let i = 0; i < rows; i += 1) {
		const line = `Steel bottle number ${i},${1_729_384_756_000_000 + i},"Hikers, runners and commuters",SKU-${i}\n`;
		if (!out.write(line)) await once(out, 'drain');
	}
	out.end();
	await once(out, 'finish');
}
