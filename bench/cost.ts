import { resolve } from 'node:path';
import { inFolder } from './folder';
import { writeDone } from './journal';
import { planBesideBare } from './plan';
import { usageOf } from './usage';

const BIN = resolve(__dirname, '../batch/dist/batch/bin.js');
const PLANNED = [100, 1000, 10_000, 100_000];
const DONE = [100, 1000, 10_000, 50_000];

/** CPU time in multiples of that of `node -e 0`, by the number of rows. */
export type Cost = Record<string, [rows: number, cost: number][]>;

/** What a row costs, where there are few and where there are many. */
export async function measureCost(): Promise<Cost> {
	const cost: Cost = { 'a bare csv-parse loop': [], plan: [], status: [] };
	const empty = await inFolder((folder) => usageOf(['-e', '0'], folder));
	const add = (name: string, rows: number, seconds: number) =>
		cost[name]?.push([rows, seconds / empty.cpuSeconds]);
	for (const rows of PLANNED) {
		const { bare, plan } = await planBesideBare(rows);
		add('a bare csv-parse loop', rows, bare.cpuSeconds);
		add('plan', rows, plan.cpuSeconds);
	}
	for (const rows of DONE) {
		await inFolder(async (folder) => {
			const { out } = await writeDone(folder, rows, 0);
			const status = await usageOf([BIN, 'status', '--out', out, '--quiet'], folder);
			add('status', rows, status.cpuSeconds);
		});
	}
	return cost;
}
