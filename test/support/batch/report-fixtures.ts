import { Records } from '../../../batch/folder/records';
import { briefFileName, writeBrief } from '../../../batch/folder/brief-files';
import { writeReport, writeShared } from '../../../batch/page/report-files';
import { noRows } from '../../../batch/folder/journal/row-status';
import { batchOutcome } from '../../../batch/results/batch-outcome';
import type { ResultTable } from '../../../batch/results/result-table';
import { writeResults } from '../../../batch/results/results';
import type { RowResult } from '../../../batch/results/row-result';
import type { RunEnded } from '../../../batch/folder/events';
import { summaryOf, type Brief } from '../../../service/api/resources';
import { aRow, AT_THE_END } from './result-fixtures';
import { aBrief } from '../builders';
import { entry, intent, listed, timed, type Lasting } from './journal-events';
import { MemoryDisk } from './memory-disk';
import { MINUTE } from '../time';

export const START = Date.parse('2026-11-20T09:00:00Z');
export const NOW = START + 60 * MINUTE;

/** A batch as it grows: what a run puts into the journal and under --out. */
export class Batch {
	readonly disk = new MemoryDisk();
	readonly records = new Records();
	/** What was gathered when results.csv was written. */
	table: ResultTable | null = null;
	private orders = 0;

	constructor() {
		this.record(START, {
			event: 'batch',
			format: 1,
			batch: 'Autumn launch',
			base_url: 'https://api.vendor.example/v1',
		});
	}

	record(at: number, event: Lasting): void {
		this.records.apply(timed(event, new Date(at).toISOString()));
	}

	intend(product_name: string, at = START): string {
		this.orders += 1;
		const key = `key-${this.orders}`;
		const content_id = `row-${this.orders + 1}`;
		for (const line of intent({ key, product_name, content_id, try: 1 })) this.record(at, line);
		return key;
	}

	accept(product_name: string, at = START, id = idOf(this.orders + 1)): string {
		const key = this.intend(product_name, at - 500);
		this.record(at, { ...entry.accepted(key), brief: { ...listed(id), product_name } });
		return key;
	}

	/** A brief from its order to its files. */
	async finish(facts: Partial<Brief> = {}, at = START, took = 4 * MINUTE): Promise<string> {
		const brief = aBrief({ id: idOf(this.orders + 1), ...facts });
		const key = this.accept(brief.product_name, at, brief.id);
		const ended = { ...summaryOf(brief), status: 'ready', error_code: brief.error_code };
		this.record(at + took, { event: 'ended', key, brief: ended, took_ms: took });
		const file = briefFileName(brief, () => false);
		await writeBrief(this.disk, '/out', file, brief);
		this.record(at + took, { event: 'filed', key, file });
		return file;
	}

	end(at = NOW, facts: Partial<RunEnded> = {}): void {
		this.record(at, { ...entry.runEnded(), used: 30, ...facts });
	}

	async results(rows: Partial<RowResult>[], { columns = ['product_name'] } = {}): Promise<void> {
		const numbered = rows.map((row, index) => aRow({ number: index + 2, ...row }));
		this.table = { columns, delimiter: ',', rows: numbered };
		await writeResults(this.disk, '/out', this.table, AT_THE_END);
	}

	async report(now = NOW): Promise<string> {
		const { table } = this;
		const outcome = batchOutcome(this.records, null);
		const facts = { table, outcome, name: 'Acme', now, timeZone: 'UTC' };
		const counts = noRows();
		for (const { status } of table?.rows ?? []) if (status !== 'left_out') counts[status] += 1;
		if (table !== null) outcome.counts = counts;
		const options = { ...AT_THE_END, ...facts };
		await writeReport(this.disk, '/out', this.records, options);
		return this.disk.text('/out/report.html');
	}

	/** briefs.html */
	async shared(): Promise<string> {
		const rows = this.table?.rows ?? [];
		const options = { ...AT_THE_END, title: 'Acme', rows, columns: [], now: NOW };
		await writeShared(this.disk, '/out', this.records, options);
		return this.disk.text('/out/briefs.html');
	}
}

export function idOf(n: number): string {
	return `${String(n).padStart(8, '0')}-7d41-4c52-9f3e-0a6f2b7c9d10`;
}

/** What a reader sees: the text of the page without its markup. */
export function textOf(page: string): string {
	return page
		.replace(/<style>[^<]*<\/style>/, '')
		.replace(/<script>[^]*<\/script>/, '')
		.replace(/<[^>]*>/g, ' ')
		.replace(/&quot;/g, '"')
		.replace(/&#39;/g, "'")
		.replace(/&lt;/g, '<')
		.replace(/&gt;/g, '>')
		.replace(/&amp;/g, '&')
		.replace(/\s+/g, ' ');
}
