import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentIdOf } from '../batch/csv/row';
import { JOURNAL_FORMAT, type Line } from '../batch/folder/events';
import { encodeLine } from '../batch/folder/journal/line';
import { startSandbox, type BriefView, type Sandbox } from '../sandbox/sandbox';
import { BIN, inFolder, usageOf } from './process';
import type { Figure } from './figures-table';

const BRIEFS = 20_000;
const BATCH = 'products.csv';

/** A run that fetches all briefs again, because their files were deleted, and then one that has nothing to do. */
export async function benchRefetch(): Promise<Figure[]> {
	const sandbox = await startSandbox({ seed: 'bench', requestsPerMinute: 1_000_000 });
	const env = {
		CREATOR_BRIEFING_BASE_URL: sandbox.url,
		CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
	};
	try {
		return await inFolder(async (folder) => {
			const briefs = Array.from({ length: BRIEFS }, (_, at) => briefOf(at, sandbox));
			const names = briefs.map(({ product_name }) => `${product_name}\n`);
			writeFileSync(join(folder, BATCH), `Product Name\n${names.join('')}`);
			mkdirSync(join(folder, 'briefs'));
			writeFileSync(join(folder, 'briefs/journal.jsonl'), journalOf(briefs, sandbox.url));
			const run = [BIN, 'run', BATCH, '--quiet'];
			const fetching = await usageOf(run, env, folder);
			const idling = await usageOf(run, env, folder);
			console.log(JSON.stringify({ fetching, idling }));
			return [
				{
					what: '`run` that fetches 20,000 deleted briefs again, memory ÷ that of a run with nothing to do',
					value: fetching.megabytes / idling.megabytes,
					atMost: 1.5,
				},
			];
		});
	} finally {
		await sandbox.close();
	}
}

const FORTY_DAYS = 40 * 86_400_000;

function briefOf(at: number, sandbox: Sandbox): BriefView {
	const createdAt = sandbox.now() - FORTY_DAYS;
	return sandbox.addBrief({ product_name: `Steel bottle ${at}`, status: 'ready', createdAt });
}

/** What a run that took all of them over has left. */
function journalOf(briefs: readonly BriefView[], base_url: string): string {
	const at = new Date(Date.now() - FORTY_DAYS).toISOString();
	const events = briefs.flatMap((brief, index) => linesOf(brief, index, at));
	const first: Line = { at, event: 'batch', format: JOURNAL_FORMAT, batch: BATCH, base_url };
	return [first, ...events].map((event, index) => encodeLine(index + 1, event)).join('');
}

function linesOf({ id, product_name }: BriefView, index: number, at: string): Line[] {
	const key = `key-${index}`;
	const order = { key, content_id: contentIdOf({ product_name }), try: 1, product_name };
	const times = { created_at: at, updated_at: at, finished_at: at };
	const brief = { id, product_name, status: 'ready', title: product_name, url: '', ...times };
	const file = `steel-bottle-${index}-${id.slice(0, 8)}`;
	return [
		{ at, event: 'ordered', ...order, content: { product_name } },
		{ at, event: 'accepted', key, brief, found: true, paid: false },
		{ at, event: 'ended', key, brief: { ...brief, error_code: null }, took_ms: null },
		{ at, event: 'filed', key, file },
	];
}
