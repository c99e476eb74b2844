import type { Disk } from '../folder/disk';
import { replaceFiles, type WhenBusy } from '../folder/put-in-place';
import {
	LISTS,
	ownColumns,
	RESULT_COLUMNS,
	resultCells,
	RESULTS,
	WHY_COLUMNS,
	whyCells,
} from './result-columns';
import { escapeFormula } from './formula';
import type { ResultTable } from './result-table';

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
	await replaceFiles(disk, outDir, [resultsFile(table), ...listFiles(table)], whenBusy);
}

function resultsFile({ columns, delimiter, rows }: ResultTable) {
	const ownOf = ownCellsOf(columns);
	const records = [
		{ ownCells: ownOf(columns), addedCells: RESULT_COLUMNS },
		...rows.map((row) => ({ ownCells: ownOf(row.cells), addedCells: resultCells(row) })),
	];
	return { name: RESULTS, bytes: csvBytes(delimiter, records) };
}

function listFiles({ columns, delimiter, rows }: ResultTable) {
	const ownOf = ownCellsOf(columns);
	return Object.entries(LISTS).map(([status, name]) => {
		const listedRows = rows
			.filter((row) => row.status === status)
			.map((row) => ({ ownCells: ownOf(row.cells), addedCells: whyCells(row) }));
		const records = [{ ownCells: ownOf(columns), addedCells: WHY_COLUMNS }, ...listedRows];
		return { name, bytes: listedRows.length === 0 ? null : csvBytes(delimiter, records) };
	});
}

function ownCellsOf(columns: readonly string[]): (cells: readonly string[]) => string[] {
	const places = ownColumns(columns);
	return (cells) => places.map((place) => cells[place] ?? '');
}

/** Programs split a CSV at these. */
const DELIMITERS = [',', ';', '\t'];

/**
 * Writes records in UTF-8, with the mark that Excel needs to read it. No program splits a cell that was added, whatever it
 * takes for the delimiter, or runs it as a formula.
 */
function csvBytes(
	delimiter: string,
	records: ReadonlyArray<Record<'ownCells' | 'addedCells', readonly string[]>>,
): Buffer {
	const lines = records.map(({ ownCells, addedCells }) => {
		const cells = ownCells.map((cell) => csvCell(cell, [delimiter]));
		const cellsBehind = addedCells.map((cell) =>
			csvCell(escapeFormula(cell), [delimiter, ...DELIMITERS]),
		);
		return [...cells, ...cellsBehind].join(delimiter) + '\n';
	});
	return Buffer.from(`\ufeff${lines.join('')}`);
}

/** Most readers end a row at a lone CR too, and take a byte order mark off the first cell if it is not quoted. */
const NEEDS_MARKS = /["\r\n]|^\ufeff/;

function csvCell(cell: string, delimiters: readonly string[]): string {
	const isSplit = delimiters.some((delimiter) => cell.includes(delimiter));
	return isSplit || NEEDS_MARKS.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
