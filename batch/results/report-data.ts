import { rowsAtEnd, type BriefRecord, type Records, type LastRun } from '../journal/records';
import { factsOf, statusOf } from './record-facts';
import { ReportRows, MOST_ROWS, type ListedRow } from './report-rows';

/** The report has the text of this many briefs, the newest ones, and links to the files of the others. */
export const MOST_READABLE = 200;

/** What the report says about a batch. Its size does not grow with the CSV. */
export interface ReportData {
	/** Who it is for; null if not given. */
	name: string | null;
	batch: string | null;
	baseUrl: string | null;
	/** The command that orders failed rows again. */
	retry: string;
	/** The file whose rows were run last. */
	csv: string | null;
	lastRun: LastRun | null;
	/** A run is at work, and will write the report again. */
	isUnderWay: boolean;
	/** What became of the rows: those of the CSV, or those that the journal knows. */
	listing: ReportRows;
	/** Whether the rows are those of results.csv. The journal knows only those that were tried. */
	isWhole: boolean;
	/** The rows to list, in the order of the CSV, and then the briefs that are not in it. */
	rows: ReportRow[];
	/** The CSV's own columns that the list shows: those in which a row has something. */
	columns: ReadonlyArray<{ header: string; index: number }>;
	/** How many finished briefs are not in results.csv, because they are of another CSV. */
	unlisted: number;
	/** Every try of every row, oldest first. */
	tried: BriefRecord[];
}

export interface ReportRow extends ListedRow {
	/** Its order, if there is a brief. */
	record: BriefRecord | undefined;
	/** Whether the brief itself is in the report. */
	isReadable: boolean;
}

/** @param listing the rows of results.csv; null if there are none, so that only the journal knows */
export function gatherReportData(
	records: Records,
	listing: ReportRows | null,
	name: string | null,
): Omit<ReportData, 'retry'> {
	const tried = records.all();
	const newest = newestOf(records);
	const { batch, baseUrl, resultsOf: csv, lastRun, isUnderWay } = records;
	const isWhole = listing !== null;
	const data = { name, batch, baseUrl, csv, lastRun, isUnderWay, tried, isWhole };
	const own = listing ?? listingOf(newest, lastRun);
	const unlisted = newest
		.filter(({ status, brief_id }) => status !== null && brief_id !== null && !own.has(brief_id))
		.sort((a, b) => a.row_number - b.row_number || a.ordinal - b.ordinal);
	const rows = [...own.rows(), ...unlisted.map(rowOf)].slice(0, MOST_ROWS);
	const columns = own.columns
		.map(({ header }, index) => ({ header, index }))
		.filter(({ index }) => rows.some((row) => (row.own?.[index] ?? '').trim() !== ''));
	const shown = withRecords(rows, newest);
	return { ...data, listing: own, columns, unlisted: unlisted.length, rows: shown };
}

/** The rows whose briefs are finished and have a file, each brief once. */
export function finishedRows(records: Records, listing: ReportRows): ReportRow[] {
	return withRecords(listing.rows(), newestOf(records), Infinity).filter(
		({ isReadable }) => isReadable,
	);
}

/** The last try of each row. */
function newestOf(records: Records): BriefRecord[] {
	return records.all().filter((record) => records.of(record.row, record.ordinal) === record);
}

function withRecords(
	rows: ListedRow[],
	newest: BriefRecord[],
	mostReadable = MOST_READABLE,
): ReportRow[] {
	const byBrief = new Map(newest.map((record) => [record.brief_id, record]));
	const readable = new Set(
		newest
			.filter(({ status, file }) => status === 'ready' && file !== null)
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

function listingOf(newest: BriefRecord[], lastRun: LastRun | null): ReportRows {
	const listing = new ReportRows();
	for (const record of newest) listing.add({ ...rowOf(record), ...factsOf(record), cells: [] });
	if (lastRun === null) return listing;
	const { invalid, changed, deferred } = rowsAtEnd(lastRun);
	Object.assign(listing.counts, { invalid, changed, deferred });
	return listing;
}

function rowOf(record: BriefRecord): ListedRow {
	return { number: record.row_number, status: statusOf(record), ...factsOf(record) };
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
