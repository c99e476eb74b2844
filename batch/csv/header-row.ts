import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import { STANDARD_INPUT, type CsvBytes } from './bytes';
import { columnsOf, knownFields, type Column, type HeaderMap } from './column-names';
import { isBlank, UNCLOSED, type CsvRecords } from './csv-records';
import { list } from '../text';

/** Above a header there may be a title, a date and the like, four lines at most. Blank lines do not count. */
const RECORDS_EXAMINED = 5;

export interface Header {
	columns: Column[];
	/** The number of its row. */
	number: number;
	/** The row of a later record that looks like a header. */
	below: number | undefined;
	/** A sentence about what was left out above it. */
	notices: string[];
}

/**
 * Finds the header among the first records that are not blank.
 * @throws {Stop} if there is none
 */
export function findHeader(
	{ file, title }: CsvBytes,
	{ records, brokenRecords }: CsvRecords,
	map: HeaderMap,
): Header {
	const first = firstFilled(records);
	const cells = first.map((number) => records[number - 1] ?? []);
	const at = headerAt(cells, map);
	const number = first[at];
	if (number === undefined) {
		throw new Stop(
			`${title} is empty.`,
			file === STANDARD_INPUT
				? 'Check the command that writes into the pipe.'
				: 'Check that it is the right file, or export it again.',
		);
	}
	// A broken record contains several lines, perhaps the header too.
	const brokenRow = first.slice(0, at + 1).find((row) => brokenRecords.has(row - 1));
	if (brokenRow !== undefined) {
		const name = brokenRow === number ? `The header, row ${number},` : `Row ${brokenRow}`;
		throw new Stop(`${name} ${UNCLOSED.what}.`, UNCLOSED.cure);
	}
	const below = first[cells.findIndex((record) => knownFields(record, map).has('product_name'))];
	return {
		columns: columnsOf(cells[at] ?? []),
		number,
		below: below === number ? undefined : below,
		notices: at === 0 ? [] : [titlesNotice(first.slice(0, at), cells.slice(0, at), number)],
	};
}

/**
 * Finds the header among the first records: the first, unless the records above another one are titles. Titles name no
 * field or are alone on their line, and have at most half as many cells as the header.
 */
export function headerAt(records: readonly string[][], map: HeaderMap): number {
	const first = knownFields(records[0] ?? [], map).size;
	for (let at = 1; at < Math.min(records.length, RECORDS_EXAMINED); at++) {
		const above = records.slice(0, at).map(countFilled);
		const longest = Math.max(...above);
		const record = records[at] ?? [];
		if (2 * longest > countFilled(record)) continue;
		const fields = knownFields(record, map);
		if (first === 0 && fields.has('product_name')) return at;
		if (longest === 1 && fields.size > 1 && fields.size > first) return at;
	}
	return 0;
}

function titlesNotice(rows: number[], titles: readonly string[][], header: number): string {
	const texts = list(titles.map((cells) => quote(joinCells(cells))));
	return rows.length === 1
		? `The header is row ${header}. Row ${rows.join()} above it is a title and left out: ${texts}.`
		: `The header is row ${header}. Rows ${list(rows.map(String))} above it are titles and left out: ${texts}.`;
}

/** Gives the numbers of the first rows that are not blank. */
function firstFilled(records: readonly string[][]): number[] {
	const numbers: number[] = [];
	for (const [at, cells] of records.entries()) {
		if (!isBlank(cells)) numbers.push(at + 1);
		if (numbers.length === RECORDS_EXAMINED) break;
	}
	return numbers;
}

function countFilled(cells: readonly string[]): number {
	return cells.filter((cell) => cell.trim() !== '').length;
}

function joinCells(cells: readonly string[]): string {
	const filledCells = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
	return filledCells.join(' ');
}
