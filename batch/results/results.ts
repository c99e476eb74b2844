import * as iconv from 'iconv-lite';
import type { CsvForm, Table } from '../csv/table';
import type { Disk } from '../folder/disk';
import { replaceFiles, type OutFile, type WhenBusy } from '../folder/put-in-place';
import {
	LISTS,
	ownColumns,
	RESULT_COLUMNS,
	resultCells,
	RESULTS,
	WHY_COLUMNS,
	whyCells,
} from './result-columns';
import type { RowResult } from './row-result';

export interface ResultTable {
	/** The header of the CSV. */
	columns: readonly string[];
	/** Those of them that the fields of a brief are read from. */
	headers?: Table['headers'];
	delimiter: string;
	/** How the CSV is written, and so failed.csv and deferred.csv. If it is missing, both are left as they are. */
	form?: CsvForm;
	/** All rows in the order of the CSV. */
	rows: readonly RowResult[];
}

/**
 * Writes results.csv, and failed.csv and deferred.csv if there are such rows. If there are none, it removes those two.
 * An invalid row is in neither: results.csv and the terminal name it.
 */
export async function writeResults(
	disk: Disk,
	outDir: string,
	table: ResultTable,
	whenBusy: WhenBusy,
): Promise<void> {
	await replaceFiles(disk, outDir, filesOf(table), whenBusy);
}

/** A record of a CSV. No program splits a cell that was added, whatever it takes for the delimiter. */
interface CsvRecord {
	ownCells: readonly string[];
	addedCells: readonly string[];
}

function filesOf({ columns, delimiter, form, rows }: ResultTable): OutFile[] {
	const places = ownColumns(columns);
	const ownOf = (cells: readonly string[]) => places.map((place) => cells[place] ?? '');
	const header = ownOf(columns);
	// What the service wrote fits into UTF-8 only, and Excel needs the mark to read that.
	const asResults = { delimiter, bom: true, encoding: 'utf-8', lineEnd: '\n' } as const;
	const results = [
		{ ownCells: header, addedCells: RESULT_COLUMNS },
		...rows.map((row) => ({ ownCells: ownOf(row.cells), addedCells: resultCells(row) })),
	];
	const files: OutFile[] = [{ name: RESULTS, bytes: csvBytes(asResults, results) }];
	if (form === undefined) return files;
	for (const [status, name] of Object.entries(LISTS)) {
		const listedRows = rows
			.filter((row) => row.status === status)
			.map((row) => ({ ownCells: ownOf(row.cells), addedCells: whyCells(row) }));
		const records = [{ ownCells: header, addedCells: WHY_COLUMNS }, ...listedRows];
		files.push({ name, bytes: listedRows.length === 0 ? null : csvBytes(form, records) });
	}
	return files;
}

/** Programs split a CSV at these. */
const DELIMITERS = [',', ';', '\t'];

/** Writes records, in UTF-8 with its mark, which wins over --encoding, if that has no characters for it. */
function csvBytes({ delimiter, lineEnd, bom, encoding }: CsvForm, records: CsvRecord[]): Buffer {
	const lines = records.map(({ ownCells, addedCells }) => {
		const cells = ownCells.map((cell) => csvCell(cell, [delimiter]));
		const cellsBehind = addedCells.map((cell) => csvCell(cell, [delimiter, ...DELIMITERS]));
		return [...cells, ...cellsBehind].join(delimiter) + lineEnd;
	});
	const text = lines.join('');
	// A small file in UTF-16 without a mark is not always recognised.
	const mark = bom || encoding.startsWith('utf-16') ? '\ufeff' : '';
	return inEncoding(mark + text, encoding) ?? Buffer.from(`\ufeff${text}`);
}

/** Most readers end a row at a lone CR too, and take a byte order mark off the first cell if it is not quoted. */
const NEEDS_MARKS = /["\r\n]|^\ufeff/;

function csvCell(cell: string, delimiters: readonly string[]): string {
	const isSplit = delimiters.some((delimiter) => cell.includes(delimiter));
	return isSplit || NEEDS_MARKS.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Encodes a text; null if the encoding has no characters for it. */
function inEncoding(text: string, encoding: string): Buffer | null {
	if (encoding === 'utf-8') return Buffer.from(text);
	if (!iconv.encodingExists(encoding)) return null;
	// Half a surrogate pair is no character; it becomes a replacement character, as in UTF-8.
	const bytesBack = Buffer.from(text).toString();
	const bytes = iconv.encode(bytesBack, encoding, { addBOM: false });
	// A character that came back as another one would name another product.
	const again = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes, { stream: true });
	return again === bytesBack ? bytes : null;
}
