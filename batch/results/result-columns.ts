import type { Row, Table } from '../csv/table';
import { ROW_STATUSES } from '../folder/journal/status';
import { INPUT_FIELDS } from '../../service/input/input';
import { isBatchColumn } from '../csv/own-file';
import { fileNameOf } from '../folder/journal/records';
import { escapeFormula, unescapeFormula } from './formula';
import { otherName } from '../folder/put-in-place';
import { type RowResult } from './row-result';
import { joined } from './words';

export const RESULTS = 'results.csv';

/** The files that hold the rows to be run again, by the status of their rows. */
export const FILES_TO_RUN = { failed: 'failed.csv', deferred: 'deferred.csv' } as const;
export type FileToRun = (typeof FILES_TO_RUN)[keyof typeof FILES_TO_RUN];

/** The columns that results.csv adds after those of the CSV, and what each says of a row. */
const RESULTS_OF_ROW = [
	['brief_id', 'brief_id'],
	['brief_status', 'status'],
	['brief_title', 'title'],
	['brief_url', 'url'],
	['brief_file', 'file'],
	['brief_error_code', 'error_code'],
	['brief_error', 'error'],
	['brief_created_at', 'created_at'],
	['brief_finished_at', 'finished_at'],
] as const satisfies ReadonlyArray<readonly [column: string, field: keyof RowResult]>;

export const RESULT_COLUMNS = RESULTS_OF_ROW.map(([column]) => column);

/**
 * Gives the columns of the CSV without those that brief-batch adds. A CSV has those when somebody runs results.csv, failed.csv
 * or deferred.csv, and they are of an earlier run. Kept, they would be twice in the header, and most programs that read
 * a CSV by column name would take the old status for the new one.
 */
export function ownColumns(columns: readonly string[]): number[] {
	const resultColumns = new Set<string>(RESULT_COLUMNS);
	const isOwn = (header: string) => !resultColumns.has(header) && !isBatchColumn(header);
	return [...columns.keys()].filter((column) => isOwn(columns[column] ?? ''));
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
	const known = new Set<string>([...Object.values(headers), ...INPUT_FIELDS]);
	return ownColumns(columns)
		.map((at) => ({ header: columns[at] ?? '', at }))
		.filter(({ header }) => header.trim() !== '' && !known.has(header))
		.slice(0, MOST_SHOWN);
}

/** Says whether a CSV is a results.csv, by its header. */
export function hasResults(columns: readonly string[]): boolean {
	return RESULT_COLUMNS.every((name) => columns.includes(name));
}

/** The result columns at the end of the header. The character between them is the delimiter. */
const [FIRST_NAME, ...OTHER_NAMES] = RESULT_COLUMNS;
const HEADER_END = new RegExp(
	`(?:^|[^a-z_])${FIRST_NAME}"?(.)${OTHER_NAMES.map((name) => `"?${name}"?`).join('\\1')}\r?\n`,
);

/** Gives the delimiter of a results.csv by its first bytes; undefined if no run has written it. */
export function delimiterOfResults(start: Buffer): string | undefined {
	// Latin-1, because the names are ASCII and a chunk may end within a character.
	return HEADER_END.exec(start.toString('latin1'))?.[1];
}

/** Says whether a CSV is a results.csv, by its name and its columns. */
export function isResultsFile({ file, columns }: Table): boolean {
	const name = fileNameOf(file);
	return (name === RESULTS || name === otherName(RESULTS)) && hasResults(columns);
}

/** Reads a line of results.csv as it was written. */
export function resultIn(columns: readonly string[], { number, cells, input }: Row): RowResult {
	const said = RESULTS_OF_ROW.map(([column, field]) => [
		field,
		unescapeFormula(cells[columns.indexOf(column)] ?? ''),
	]);
	const facts = Object.fromEntries(said) as Record<(typeof RESULTS_OF_ROW)[number][1], string>;
	const status = ROW_STATUSES.find((known) => known === facts.status) ?? 'pending';
	const product = shownProduct(input.product_name, cells);
	return { ...facts, next: [], number, product, tries: 1, cells, status };
}

/** Gives what results.csv says of a row. */
export function resultCells(row: RowResult): string[] {
	const said = { ...row, error: joined({ what: row.error, next: row.next }) };
	return RESULTS_OF_ROW.map(([, field]) => escapeFormula(said[field]));
}

/** Names a row for a person: without a name, as in an invalid row, the first cell that is not empty. */
export function shownProduct(name: string | undefined, cells: readonly string[]): string {
	return name || (cells.find((cell) => cell.trim() !== '') ?? '');
}
