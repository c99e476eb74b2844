import { columnsOf, type Column } from '../csv/columns';
import type { Table } from '../csv/table';
import { INPUT_FIELDS } from '../../service/input/input';
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

/** More columns than this have no room beside product and title. */
const MOST_SHOWN = 5;

/** Gives the CSV's own columns that are no field of a brief, such as a SKU: by these its owner knows a row. */
export function shownColumns(columns: readonly string[], headers: Table['headers'] = {}): Column[] {
	const knownHeaders = new Set<string>([...Object.values(headers), ...INPUT_FIELDS]);
	const ownPlaces = new Set(ownColumns(columns));
	return columnsOf(columns)
		.filter(({ place }) => ownPlaces.has(place))
		.filter(({ header }) => header.trim() !== '' && !knownHeaders.has(header))
		.slice(0, MOST_SHOWN);
}

/** Gives what failed.csv and deferred.csv say of a row. */
export function whyCells({ status, error_code, error }: RowResult): string[] {
	return [status, error_code, error];
}

/** The columns of those. */
export const WHY_COLUMNS = [STATUS_COLUMN, 'brief_error_code', 'brief_error'];

/** Gives what results.csv says of a row. */
export function resultCells(row: RowResult): string[] {
	const texts = { ...row, error: joinWords({ what: row.error, next: row.next }) };
	return RESULTS_OF_ROW.map(([, field]) => texts[field]);
}
