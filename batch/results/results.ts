import { join } from 'node:path';
import type { Disk } from '../disk';
import { CsvFileWriter } from './csv-file-writer';
import { escapeFormula } from './formula';

/** Everything that may have become of a row, in the order in which it is shown. */
export const ROW_STATUSES = [
	'ready',
	'failed',
	'invalid',
	'parked',
	'deferred',
	'pending',
] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** What one row of the CSV came to. */
export interface RowResult {
	/** As they stand in the CSV, by column; a ragged row has more or fewer than there are columns. */
	cells: string[];
	status: RowStatus;
	brief_id: string;
	title: string;
	url: string;
	/** Relative to --out: results/x.md */
	file: string;
	error_code: string;
	error: string;
	created_at: string;
	finished_at: string;
}

export interface ResultTable {
	/** The header of the CSV. */
	columns: string[];
	delimiter: string;
	/** Whether the CSV began with a byte order mark; Excel needs one to read UTF-8. */
	bom: boolean;
	/** All rows in the order of the CSV. Read once. */
	rows: () => AsyncIterable<RowResult>;
}

/** What results.csv says of a row, after the row's own columns. */
export const RESULT_COLUMNS = [
	'brief_id',
	'brief_status',
	'brief_title',
	'brief_url',
	'brief_file',
	'brief_error_code',
	'brief_error',
	'brief_created_at',
	'brief_finished_at',
] as const;

/**
 * Writes results.csv, and failed.csv and deferred.csv where there is such a row; otherwise those two are removed, so
 * that nobody runs the rows of an earlier day again. An invalid row is in neither: it must be corrected first, in the
 * CSV itself.
 *
 * All three are written in one pass over the rows, beside the old ones, for the CSV that is read may be one of them:
 * `brief-batch run briefs/failed.csv` is what failed.csv is for.
 */
export async function writeResults(disk: Disk, outDir: string, table: ResultTable): Promise<void> {
	const own = ownColumns(table.columns);
	const header = own.map((column) => table.columns[column] ?? '');
	const open = (name: string) =>
		new CsvFileWriter(disk, join(outDir, name), table.delimiter, table.bom);

	await disk.makeFolder(outDir);
	const results = open('results.csv');
	const again = { failed: open('failed.csv'), deferred: open('deferred.csv') };
	const files = [results, again.failed, again.deferred];
	try {
		await results.put([...header, ...RESULT_COLUMNS]);
		for await (const row of table.rows()) {
			await results.put([...own.map((column) => row.cells[column] ?? ''), ...resultCells(row)]);
			if (row.status !== 'failed' && row.status !== 'deferred') continue;
			const file = again[row.status];
			if (file.isEmpty) await file.put(header);
			await file.put(rowAgain(row.cells, own, table.columns.length));
		}
		for (const file of files) await file.finish();
	} catch (error) {
		await Promise.all(files.map((file) => file.abandon()));
		throw error;
	}
}

/**
 * The columns of the CSV that are the user's own. Columns with our names are there when somebody runs results.csv (or
 * a copy of it) again: they tell of an earlier run. Kept, they would stand twice in the header, and most programs
 * that read a CSV by column name would then take the old status for the new one.
 */
function ownColumns(columns: string[]): number[] {
	const ours = new Set<string>(RESULT_COLUMNS);
	return [...columns.keys()].filter((column) => !ours.has(columns[column] ?? ''));
}

function resultCells(row: RowResult): string[] {
	const { brief_id, status, title, url, file, error_code, error, created_at, finished_at } = row;
	return [brief_id, status, title, url, file, error_code, error, created_at, finished_at].map(
		escapeFormula,
	);
}

/**
 * A row as it was, to be run again. results.csv is rectangular, so that every program reads it; here a row that is
 * too short or too long stays so, for whether that is a mistake is judged when the CSV is read.
 */
function rowAgain(cells: string[], own: number[], columns: number): string[] {
	const surplus = cells.slice(columns);
	return [
		...own.filter((column) => column < cells.length).map((column) => cells[column] ?? ''),
		...surplus,
	];
}
