import { join } from 'node:path';
import type { Disk } from '../disk';
import { CsvFileWriter } from './csv-file-writer';
import { escapeFormula } from './formula';

/** Everything that can become of a row, in the order in which the report shows it. */
export const ROW_STATUSES = [
	'ready',
	'failed',
	'invalid',
	'parked',
	'deferred',
	'pending',
] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** What became of one row of the CSV. */
export interface RowResult {
	/** The row's cells in the CSV. There may be more or fewer than there are columns. */
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

/** The columns that results.csv adds after those of the CSV. */
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
 * Writes results.csv, and failed.csv and deferred.csv where there are such rows. Where there are none, those two are
 * removed, so that nobody runs the rows of an earlier day again. An invalid row is in neither: it must be corrected in
 * the CSV first.
 *
 * All three are written in one pass over the rows, beside the old files, because the CSV that is read may be one of
 * them: failed.csv is there to be run.
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
 * The columns of the CSV without result columns. A CSV has those when somebody runs results.csv again, and they are of
 * an earlier run. Kept, they would be twice in the header, and most programs that read a CSV by column name would take
 * the old status for the new one.
 */
function ownColumns(columns: string[]): number[] {
	const resultColumns = new Set<string>(RESULT_COLUMNS);
	return [...columns.keys()].filter((column) => !resultColumns.has(columns[column] ?? ''));
}

function resultCells(row: RowResult): string[] {
	const { brief_id, status, title, url, file, error_code, error, created_at, finished_at } = row;
	return [brief_id, status, title, url, file, error_code, error, created_at, finished_at].map(
		escapeFormula,
	);
}

/**
 * A row as it was, to be run again. In results.csv all rows have the same length, so that every program can read it.
 * Here a row that is too short or too long stays so: reading it decides whether that is a mistake.
 */
function rowAgain(cells: string[], own: number[], columns: number): string[] {
	const surplus = cells.slice(columns);
	return [
		...own.filter((column) => column < cells.length).map((column) => cells[column] ?? ''),
		...surplus,
	];
}
