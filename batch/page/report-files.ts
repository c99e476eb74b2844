import type { Brief } from '../../service/api/resources';
import { briefIn, briefPath, isBriefFileName } from '../folder/brief-files';
import type { Disk } from '../folder/disk';
import { replaceFiles, type WhenBusy } from '../folder/put-in-place';
import { endedAs, type Order, type Records } from '../folder/records';
import type { BatchOutcome } from '../results/batch-outcome';
import { shownColumns } from '../results/result-columns';
import type { ResultTable } from '../results/result-table';
import { resultOfOrder, type RowResult } from '../results/row-result';
import { DateFormatter } from './dates';
import { reportPage, sharePage, type ReportRow } from './report-page';

/** The report has the text of this many briefs, the newest ones, and links to the files of the others. */
const MOST_READABLE = 200;

/** The report lists this many rows, those with a brief first: a CSV may have 100,000. */
const MOST_ROWS = 20_000;

/** Writes report.html, one page with everything in it. */
export async function writeReport(
	disk: Disk,
	outDir: string,
	records: Records,
	options: WhenBusy & {
		/** The client's name. */
		name: string;
		outcome: BatchOutcome;
		/** Null if the CSV cannot be read, so that only the journal knows. */
		table: ResultTable | null;
		now: number;
		/** The time zone of the page; by default the computer's own. */
		timeZone?: string;
	},
): Promise<void> {
	const { name, outcome, table, now, timeZone } = options;
	const place = { outDir, lastCommand: records };
	const newestTries = records.newestTries();
	const onRecord = newestTries.filter((order) => !records.isReplaced(order));
	const results = table?.rows ?? onRecord.map((order) => resultOfOrder(order, place));
	const rows = inBounds(
		results.filter(({ status, brief_id }) => status !== 'left_out' || brief_id !== ''),
	);
	const columns = table === null ? [] : shownColumns(table.columns, table.headers);
	const hasCells = (at: number) => rows.some(({ cells }) => (cells[at] ?? '').trim() !== '');
	const report = {
		name,
		records,
		tries: records.all(),
		outcome,
		results,
		isWhole: table !== null,
		rows: withRecords(rows, newestTries),
		columns: columns.filter(({ place: at }) => hasCells(at)),
		place,
		dates: new DateFormatter(timeZone),
		now,
		read: (file: string) => readBrief(disk, outDir, file),
	};
	const html = await reportPage(report);
	const file = { name: 'report.html', bytes: Buffer.from(html.text) };
	await replaceFiles(disk, outDir, [file], options);
}

/**
 * Writes briefs.html: the finished briefs, to be passed on.
 * @returns how many it has, and of how many the file is not there any more
 */
export async function writeShared(
	disk: Disk,
	outDir: string,
	records: Records,
	options: WhenBusy & {
		title: string;
		rows: readonly RowResult[];
		now: number;
	},
): Promise<{ shared: number; missing: number }> {
	const { title, now } = options;
	const texts = new Map<ReportRow, Brief>();
	const all = withRecords(inBounds(options.rows), records.newestTries(), Infinity);
	const candidates = all.filter(({ isReadable }) => isReadable);
	for (const row of candidates) {
		const text = await readBrief(disk, outDir, row.record?.file ?? '');
		if (text?.markdown != null) texts.set(row, text);
	}
	if (texts.size > 0) {
		const html = sharePage({ title, texts, dates: new DateFormatter(), now });
		const file = { name: 'briefs.html', bytes: Buffer.from(html.text) };
		await replaceFiles(disk, outDir, [file], options);
	}
	return { shared: texts.size, missing: candidates.length - texts.size };
}

async function readBrief(disk: Disk, outDir: string, name: string): Promise<Brief | null> {
	return isBriefFileName(name) ? briefIn(await disk.read(briefPath(outDir, name, 'json'))) : null;
}

function inBounds(rows: readonly RowResult[]): RowResult[] {
	return [...rows]
		.sort((a, b) => Number(a.brief_id === '') - Number(b.brief_id === ''))
		.slice(0, MOST_ROWS)
		.sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity));
}

/** Gives rows their orders. The newest finished briefs are there to read, each once, also if rows share it. */
function withRecords(
	rows: readonly RowResult[],
	newestTries: readonly Order[],
	mostReadable = MOST_READABLE,
): ReportRow[] {
	const byBrief = new Map(newestTries.map((record) => [record.state.briefId, record]));
	const readable = new Set(
		newestTries
			.filter((order) => endedAs(order) === 'ready' && order.file !== null)
			.sort((a, b) => compare(b.ended_at ?? '', a.ended_at ?? ''))
			.slice(0, mostReadable),
	);
	return rows.map((row) => {
		const record = row.brief_id === '' ? undefined : byBrief.get(row.brief_id);
		const isReadable = record !== undefined && readable.delete(record);
		return { ...row, record, isReadable };
	});
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
