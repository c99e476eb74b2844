import { join } from 'node:path';
import { BATCH_COLUMN, batchCell } from '../csv/own-file';
import type { CsvForm, Table } from '../csv/table';
import type { Disk } from '../disk';
import { CsvFileWriter } from './csv-file-writer';
import { escapeFormula } from './formula';
import { Inexpressible } from './in-encoding';
import { ReportRows } from './report-rows';
import { putInPlace, removeFromPlace, type WhenBusy } from './put-in-place';
import {
	FILES_TO_RUN,
	ownColumns,
	RESULT_COLUMNS,
	RESULTS,
	shownColumns,
	type FileToRun,
} from './result-columns';
import type { RowResult } from './row-result';

const TO_RUN = [
	{ status: 'failed', name: FILES_TO_RUN.failed },
	{ status: 'deferred', name: FILES_TO_RUN.deferred },
] as const;
export interface ResultTable {
	batch: string;
	/** The header of the CSV. */
	columns: readonly string[];
	/** Which of them the fields of a brief are read from. */
	headers?: Table['headers'];
	delimiter: string;
	/** How the CSV is written, and so the files to be run again: with the same options they are read alike. */
	form: CsvForm;
	/** The file that this run reads, which is left as it is. */
	reads?: FileToRun | undefined;
	/** Neither failed.csv nor deferred.csv is written. */
	leavesFilesToRun?: boolean;
	/** All rows in the order of the CSV. */
	rows: () => readonly RowResult[];
}

/**
 * Writes results.csv, and failed.csv and deferred.csv if there are such rows. If there are none, it removes those two, so
 * that the rows of an earlier day are not run again. An invalid row is in neither: it must be corrected in the CSV first.
 *
 * All three are written in one pass over the rows, beside the old files. The one that the run reads stays: the same
 * command can be given again, and no row of it is lost if the run is killed.
 * @returns what the report has to know of the rows
 */
export async function writeResults(
	disk: Disk,
	outDir: string,
	table: ResultTable,
	whenBusy: WhenBusy,
): Promise<ReportRows> {
	await disk.makeFolder(outDir);
	const { form } = table;
	// A small file in UTF-16 without a mark is not always recognised.
	const bom = form.bom || form.encoding.startsWith('utf-16');
	try {
		return await writeFiles(disk, outDir, { ...table, form: { ...form, bom } }, whenBusy);
	} catch (error) {
		if (!(error instanceof Inexpressible)) throw error;
		// The name of the batch, for example. A mark wins over --encoding, so that this is read correctly too.
		const utf8 = { ...form, encoding: 'utf-8', bom: true };
		return await writeFiles(disk, outDir, { ...table, form: utf8 }, whenBusy);
	}
}

async function writeFiles(
	disk: Disk,
	outDir: string,
	table: ResultTable,
	whenBusy: WhenBusy,
): Promise<ReportRows> {
	const own = ownColumns(table.columns);
	const cellsOf = (cells: readonly string[]) => own.map((column) => cells[column] ?? '');
	const header = cellsOf(table.columns);
	const open = (name: string, as: CsvForm) => {
		const path = join(outDir, name);
		return { path, csv: new CsvFileWriter(disk, path, as) };
	};

	const { delimiter } = table;
	// What the service wrote fits into UTF-8 only, and Excel needs the mark to read that.
	const results = open(RESULTS, { delimiter, bom: true, encoding: 'utf-8', lineEnd: '\n' });
	const isWritten = ({ name }: { name: FileToRun }) =>
		table.leavesFilesToRun !== true && name !== table.reads;
	const toRun = TO_RUN.filter(isWritten).map(({ status, name }) => ({
		status,
		...open(name, table.form),
	}));
	const files = [results, ...toRun];
	const fields = Object.values(table.headers ?? {});
	const listing = new ReportRows(shownColumns(table.columns, fields));
	try {
		await results.csv.put([...header, ...RESULT_COLUMNS]);
		for (const row of table.rows()) {
			listing.add(row);
			const cells = cellsOf(row.cells);
			await results.csv.put(cells, resultCells(row));
			const again = toRun.find(({ status }) => status === row.status)?.csv;
			if (again?.isEmpty) await again.put([...header, BATCH_COLUMN]);
			await again?.put([...cells, batchCell(table.batch)]);
		}
		const finished = [];
		for (const { path, csv } of files) finished.push({ path, file: await csv.finish() });
		for (const { path, file } of finished) {
			if (file === null) await removeFromPlace(disk, path, whenBusy);
			else await putInPlace(disk, file, whenBusy);
		}
	} catch (error) {
		await Promise.all(files.map(({ csv }) => csv.abandon()));
		throw error;
	}
	await disk.syncFolder(outDir);
	return listing;
}

function resultCells(row: RowResult): string[] {
	const { brief_id, status, title, url, file, error_code, error, created_at, finished_at } = row;
	return [brief_id, status, title, url, file, error_code, error, created_at, finished_at].map(
		escapeFormula,
	);
}
