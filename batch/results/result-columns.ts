import type { Row, Table } from '../csv/table';
import { readRecords } from '../csv/csv-records';
import { ROW_STATUSES } from '../folder/journal/row-status';
import { INPUT_FIELDS } from '../../service/input/input';
import { Stop } from '../stop';
import { escapeFormula, unescapeFormula } from './formula';
import { type RowResult } from './row-result';
import { joinWords } from './words';

export const RESULTS = 'results.csv';

/** The lists of the rows of one status, to read or to pass on. */
export const LISTS = { failed: 'failed.csv', deferred: 'deferred.csv' } as const;

/** The column that all our lists have, and no list that may be ordered from. */
export const STATUS_COLUMN = 'brief_status';

/** The columns that results.csv adds after those of the CSV, and what each says of a row. */
const RESULTS_OF_ROW = [
	['brief_id', 'brief_id'],
	[STATUS_COLUMN, 'status'],
	['brief_title', 'title'],
	['brief_url', 'url'],
	['brief_file', 'file'],
	['brief_error_code', 'error_code'],
	['brief_error', 'error'],
	['brief_created_at', 'created_at'],
	['brief_finished_at', 'finished_at'],
] as const satisfies ReadonlyArray<readonly [column: string, field: keyof RowResult]>;

export const RESULT_COLUMNS = RESULTS_OF_ROW.map(([column]) => column);

/** Gives the columns of the CSV without those that brief-batch adds: twice in a header, the old one would be read. */
export function ownColumns(columns: readonly string[]): number[] {
	const addedColumns = new Set<string>(RESULT_COLUMNS);
	return [...columns.keys()].filter((column) => !addedColumns.has(columns[column] ?? ''));
}

/** A column of the CSV, and its place in a row. */
export interface ShownColumn {
	header: string;
	at: number;
}

/** More columns than this have no room beside product and title. */
const MOST_SHOWN = 5;

/** Gives the CSV's own columns that are no field of a brief, such as a SKU: by these its owner knows a row. */
export function shownColumns(
	columns: readonly string[],
	headers: Table['headers'] = {},
): ShownColumn[] {
	const knownHeaders = new Set<string>([...Object.values(headers), ...INPUT_FIELDS]);
	return ownColumns(columns)
		.map((at) => ({ header: columns[at] ?? '', at }))
		.filter(({ header }) => header.trim() !== '' && !knownHeaders.has(header))
		.slice(0, MOST_SHOWN);
}

/**
 * The result columns at the end of the header. The character between them is the delimiter. A results.csv without one
 * of them cannot be read, and is kept beside the new one if briefs might be lost.
 */
const [FIRST_NAME, ...OTHER_NAMES] = RESULT_COLUMNS;
const HEADER_END = new RegExp(
	`(?:^|[^a-z_])${FIRST_NAME}"?(.)${OTHER_NAMES.map((name) => `"?${name}"?`).join('\\1')}\r?\n`,
);

/** Longer than any header. */
const HEADER_BYTES = 64 * 1024;

/** Gives the delimiter of a results.csv; undefined if no run has written it as it is. */
export function delimiterOfResults(bytes: Buffer): string | undefined {
	// Latin-1, because the names are ASCII and it may be cut within a character.
	return HEADER_END.exec(bytes.toString('latin1', 0, HEADER_BYTES))?.[1];
}

/** Reads a line of results.csv as it was written. */
export function resultIn(columns: readonly string[], { number, cells, input }: Row): RowResult {
	const entries = RESULTS_OF_ROW.map(([column, field]) => [
		field,
		unescapeFormula(cells[columns.indexOf(column)] ?? ''),
	]);
	const facts = Object.fromEntries(entries) as Record<(typeof RESULTS_OF_ROW)[number][1], string>;
	const status = ROW_STATUSES.find((one) => one === facts.status) ?? 'pending';
	const product = shownProduct(input.product_name, cells);
	return { ...facts, cause: null, next: [], number, product, tries: 1, cells, status };
}

/** Gives what failed.csv and deferred.csv say of a row. */
export function whyCells({ status, error_code, error }: RowResult): string[] {
	return [status, error_code, error].map(escapeFormula);
}

/** The columns of those. */
export const WHY_COLUMNS = [STATUS_COLUMN, 'brief_error_code', 'brief_error'];

/** Gives what results.csv says of a row. */
export function resultCells(row: RowResult): string[] {
	const texts = { ...row, error: joinWords({ what: row.error, next: row.next }) };
	return RESULTS_OF_ROW.map(([, field]) => escapeFormula(texts[field]));
}

/** Names a row for a person: without a name, as in an invalid row, the first cell that is not empty. */
export function shownProduct(name: string | undefined, cells: readonly string[]): string {
	return name || (cells.find((cell) => cell.trim() !== '') ?? '');
}

/** Gives the briefs that a results.csv lists; null if another program has changed it so that it cannot be read. */
export function briefsIn(results: Uint8Array): string[] | null {
	const bytes = Buffer.from(results);
	const delimiter = delimiterOfResults(bytes);
	if (delimiter === undefined) return null;
	try {
		const [header = [], ...lines] = readRecords(RESULTS, bytes, delimiter).records;
		const place = header.length - RESULT_COLUMNS.length;
		return lines.map((cells) => unescapeFormula(cells[place] ?? ''));
	} catch (error) {
		if (error instanceof Stop) return null;
		throw error;
	}
}
