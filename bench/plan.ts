import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runNode } from './process';
import { median, type Measured } from './table';
import { startSandbox } from '../sandbox/sandbox';

const ROWS = 1_000_000;
const ROUNDS = 3;
const USAGE = resolve(__dirname, 'usage.js');
const BARE = resolve(__dirname, 'bare-csv.js');
const BIN = resolve(__dirname, '../batch/dist/batch/bin.js');

interface Usage {
	megabytes: number;
	cpuSeconds: number;
}

/** `plan` over a million rows beside a bare csv-parse loop over the same file, taking turns. */
export async function benchPlan(): Promise<Measured[]> {
	const folder = mkdtempSync(join(tmpdir(), 'bench-plan-'));
	const sandbox = await startSandbox({ allowance: 1000, seed: 'bench' });
	try {
		const csv = join(folder, 'million.csv');
		await writeCsv(csv);
		const env = {
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
		};
		const measure = async (args: string[], exitCode: number): Promise<Usage> => {
			const usage = join(folder, 'usage.json');
			await runNode(['-r', USAGE, ...args], { ...env, USAGE_FILE: usage }, folder, exitCode);
			return JSON.parse(readFileSync(usage, 'utf8')) as Usage;
		};
		const ratios: number[] = [];
		const memory: number[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			const bare = await measure([BARE, csv], 0);
			const plan = await measure([BIN, 'plan', csv, '--quiet'], 3);
			ratios.push(plan.cpuSeconds / bare.cpuSeconds);
			memory.push(plan.megabytes);
			console.log(
				`plan ${plan.cpuSeconds.toFixed(1)} s and ${plan.megabytes.toFixed(0)} MB, bare loop ${bare.cpuSeconds.toFixed(1)} s and ${bare.megabytes.toFixed(0)} MB`,
			);
		}
		return [
			{
				what: '`plan` over 1,000,000 rows, CPU time ÷ that of a bare csv-parse loop',
				value: median(ratios),
				atMost: 1.5,
			},
			{ what: '`plan` over 1,000,000 rows, memory (MB)', value: Math.max(...memory), atMost: 200 },
		];
	} finally {
		await sandbox.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function writeCsv(file: string): Promise<void> {
	const out = createWriteStream(file);
	out.write('Product Name,Product ID,Audience,SKU\n');
	for (let i = 0; i < ROWS; i += 1) {
		const line = `Steel bottle number ${i},${1_729_384_756_000_000 + i},"Hikers, runners and commuters",SKU-${i}\n`;
		if (!out.write(line)) await once(out, 'drain');
	}
	out.end();
	await once(out, 'finish');
}
