import { commandFor } from '../command-text';
import { LISTED_STATUSES, noRows, type RowCounts } from '../folder/journal/row-status';
import { endedAs, type Order, type Records } from '../folder/records';
import { shownColumns, type ShownColumn } from './result-columns';
import type { BatchOutcome } from './batch-outcome';
import type { ResultTable } from './result-table';
import { resultOfOrder, type RowResult } from './row-result';

/** The report has the text of this many briefs, the newest ones, and links to the files of the others. */
const MOST_READABLE = 200;

/** The report lists this many rows, those with a brief first: a CSV may have 100,000. */
const MOST_ROWS = 20_000;

/** What the report is about. */
export interface Reported {
	/** The client's name. */
	name: string;
	outcome: BatchOutcome;
	table: ResultTable | null;
}

/** The facts about a batch that the report shows. */
export interface ReportData {
	/** The client's name. */
	name: string;
	/** The command that orders failed rows again. */
	retry: string;
	records: Records;
	/** Every try of every row, oldest first. */
	tries: readonly Order[];
	/** All rows with what became of them: those of results.csv, or those that the journal knows. */
	results: readonly RowResult[];
	counts: RowCounts;
	/** True if the rows are those of results.csv. The journal knows only those that were tried. */
	isWhole: boolean;
	/** The rows to list, in the order of the CSV, and then the briefs that are not in it. */
	rows: ReportRow[];
	/** The CSV's own columns that the list shows: those in which a row has something. */
	columns: readonly ShownColumn[];
}

export interface ReportRow extends RowResult {
	/** Its order, if there is a brief. */
	record: Order | undefined;
	/** True if the brief itself is in the report. */
	isReadable: boolean;
}

/** @param table null if the CSV cannot be read, so that only the journal knows */
export function gatherReportData(
	{ name, outcome, table }: Reported,
	outDir: string,
	records: Records,
): ReportData {
	const place = { outDir, lastCommand: records };
	const newestTries = records.newestTries();
	const onRecord = newestTries.filter((order) => !records.isReplaced(order));
	const results = table?.rows ?? onRecord.map((order) => resultOfOrder(order, place));
	const counts = noRows();
	for (const status of LISTED_STATUSES) counts[status] = outcome.counts[status];
	const rows = inBounds(
		results.filter(({ status, brief_id }) => status !== 'left_out' || brief_id !== ''),
	);
	const hasCells = ({ at }: ShownColumn) =>
		rows.some(({ cells }) => (cells[at] ?? '').trim() !== '');
	const columns = table === null ? [] : shownColumns(table.columns, table.headers).filter(hasCells);
	return {
		name,
		retry: commandFor('retry', place.lastCommand, outDir),
		records,
		tries: records.all(),
		results,
		counts,
		isWhole: table !== null,
		rows: withRecords(rows, newestTries),
		columns,
	};
}

/** Gives the rows whose briefs are finished and have a file, each brief once. */
export function finishedRows(records: Records, rows: readonly RowResult[]): ReportRow[] {
	return withRecords(inBounds(rows), records.newestTries(), Infinity).filter(
		({ isReadable }) => isReadable,
	);
}

function inBounds(rows: readonly RowResult[]): RowResult[] {
	return [...rows]
		.sort((a, b) => Number(a.brief_id === '') - Number(b.brief_id === ''))
		.slice(0, MOST_ROWS)
		.sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity));
}

function withRecords(
	rows: RowResult[],
	newestTries: Order[],
	mostReadable = MOST_READABLE,
): ReportRow[] {
	const byBrief = new Map(newestTries.map((record) => [record.state.briefId, record]));
	const readable = new Set(
		newestTries
			.filter((order) => endedAs(order) === 'ready' && order.file !== null)
			.sort((a, b) => compare(b.ended_at ?? '', a.ended_at ?? ''))
			.slice(0, mostReadable),
	);
	// Rows that share a brief show it once.
	return rows.map((row) => {
		const record = row.brief_id === '' ? undefined : byBrief.get(row.brief_id);
		const isReadable = record !== undefined && readable.delete(record);
		return { ...row, record, isReadable };
	});
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
