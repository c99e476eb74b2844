import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inFolder } from './folder';
import { writeDone } from './journal';
import { OTHER_NODE } from './process';
import { startStub } from './stub-service';
import type { Measured } from './table';
import { usageOf } from './usage';

const DONE = 20_000;
const BARE = resolve(__dirname, 'parse-lines.js');
const BIN = resolve(__dirname, '../batch/dist/batch/bin.js');

/** A whole run over rows that are all done: it orders nothing, and writes results and report anew. */
export async function benchDone(): Promise<Measured[]> {
	const service = await startStub(0);
	try {
		return await inFolder(async (folder) => {
			const { csv, out } = await writeDone(folder, DONE, 0);
			const journal = join(out, 'journal.jsonl');
			const lines = readFileSync(journal).length;
			const bare = await usageOf([BARE, journal], folder);
			const env = { CREATOR_BRIEFING_BASE_URL: service.url, CREATOR_BRIEFING_API_KEY: 'bench' };
			const again = [BIN, 'run', csv, '--out', out, '--quiet'];
			const run = await usageOf(again, folder, { env });
			const other = OTHER_NODE && (await usageOf(again, folder, { env, node: OTHER_NODE.bin }));
			console.log(JSON.stringify({ lines, bare, run, other }));
			const report = statSync(join(out, 'report.html')).size / 1e6;
			return [
				{
					what: `${DONE.toLocaleString('en')} done rows: whole run, CPU time ÷ JSON.parse of the journal’s lines`,
					value: run.cpuSeconds / bare.cpuSeconds,
					atMost: 50,
					before: 190,
				},
				{
					what: '… memory of that run (MB)',
					value: run.megabytes,
					atMost: 250,
					before: 391,
				},
				...(OTHER_NODE && other
					? [{ what: `… on ${OTHER_NODE.name} (MB)`, value: other.megabytes }]
					: []),
				{ what: '… report.html (MB)', value: report, atMost: 5, before: 98 },
			];
		});
	} finally {
		await service.close();
	}
}
