import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OrderStore } from '../batch/folder/order-store';
import { realDisk } from '../batch/folder/disk';
import { makeDraft, makeFirstLine, type OrderChange } from '../batch/orders/order';
import { toContentId } from '../core/input/content';
import { briefBatch } from '../harness/paths';
import { startSandbox, type BriefView, type Sandbox } from '../sandbox/sandbox';
import { inFolder, usageOf } from './process';
import type { Figure } from './figures-table';

const BRIEFS = 2_000;
const FORTY_DAYS = 40 * 86_400_000;

/** A run that fetches all briefs again because their files were deleted, beside a run that has nothing to do. */
export async function benchRefetch(): Promise<Figure[]> {
	const sandbox = await startSandbox({ seed: 'bench', requestsPerMinute: 1_000_000 });
	const env = {
		CREATOR_BRIEFING_BASE_URL: sandbox.url,
		CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
	};
	try {
		return await inFolder(async (folder) => {
			const briefs = Array.from({ length: BRIEFS }, (_, index) => addBrief(sandbox, index));
			const names = briefs.map(({ product_name }) => `${product_name}\n`);
			writeFileSync(join(folder, 'products.csv'), `Product Name\n${names.join('')}`);
			mkdirSync(join(folder, 'briefs'));
			await writeJournal(join(folder, 'briefs/journal.jsonl'), briefs);
			const run = [briefBatch, 'run', 'products.csv', '--quiet'];
			const fetching = await usageOf(run, env, folder);
			const idling = await usageOf(run, env, folder);
			console.log(JSON.stringify({ fetching, idling }));
			return [
				{
					what: '`run` that fetches 2,000 deleted briefs again, memory ÷ that of a run with nothing to do',
					value: fetching.megabytes / idling.megabytes,
					atMost: 1.5,
				},
			];
		});
	} finally {
		await sandbox.close();
	}
}

function addBrief(sandbox: Sandbox, index: number): BriefView {
	const createdAt = sandbox.now() - FORTY_DAYS;
	const product_name = `Steel bottle ${index}`;
	return sandbox.addBrief({ product_name, status: 'ready', createdAt });
}

/** Writes the journal of a run that has reused all briefs. */
async function writeJournal(path: string, briefs: readonly BriefView[]): Promise<void> {
	const store = await OrderStore.read(realDisk, path, () => Date.now() - FORTY_DAYS);
	await store.save(briefs.map(makeOrder));
}

function makeOrder({ id, product_name }: BriefView, index: number): OrderChange {
	const input = { product_name };
	const row = { contentId: toContentId(input), input, rowId: null };
	const at = new Date(Date.now() - FORTY_DAYS).toISOString();
	const times = { created_at: at, updated_at: at, finished_at: at };
	const brief = { id, product_name, status: 'ready', title: product_name, url: '', ...times };
	const file = `steel-bottle-${index}-${id.slice(0, 8)}`;
	const state = { kind: 'ready', brief, isPaid: false, file } as const;
	return makeFirstLine(index + 1, makeDraft({ row, rowCount: 1 }), state);
}
