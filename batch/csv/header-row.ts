import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import { list } from '../text';
import { columnsOf, knownFields, type Column, type HeaderMap } from './columns';
import { isBlank, UNCLOSED, type CsvRecords } from './csv-records';

/** Above a header there may be a title, a date and the like, four lines at most. Blank lines do not count. */
const RECORDS_EXAMINED = 5;

export interface Header {
	columns: Column[];
	/** The number of its row. */
	number: number;
	/** A sentence about what was left out above it. */
	notices: string[];
}

/**
 * Finds the header among the first records that are not blank.
 * @throws {Stop} if there is none
 */
export function findHeader(
	title: string,
	{ records, brokenRecords }: CsvRecords,
	map: HeaderMap,
): Header {
	const first: number[] = [];
	for (let at = 0; at < records.length && first.length < RECORDS_EXAMINED; at++)
		if (!isBlank(records[at] ?? [])) first.push(at + 1);
	const cells = first.map((number) => records[number - 1] ?? []);
	const at = headerAt(cells, map);
	const number = first[at];
	if (number === undefined)
		throw new Stop(`${title} is empty.`, 'Check that it is the right file, or export it again.');
	// A broken record contains several lines, perhaps the header too.
	const brokenRow = first.slice(0, at + 1).find((row) => brokenRecords.has(row - 1));
	if (brokenRow !== undefined) throw new Stop(`Row ${brokenRow} ${UNCLOSED.what}.`, UNCLOSED.cure);
	return {
		columns: columnsOf(cells[at] ?? []),
		number,
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
		const longest = Math.max(...records.slice(0, at).map((cells) => textsIn(cells).length));
		const record = records[at] ?? [];
		if (2 * longest > textsIn(record).length) continue;
		const fields = knownFields(record, map);
		if (first === 0 && fields.has('product_name')) return at;
		if (longest === 1 && fields.size > 1 && fields.size > first) return at;
	}
	return 0;
}

/** Gives the texts of the cells that are not empty. */
export function textsIn(cells: readonly string[]): string[] {
	return cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
}

function titlesNotice(rows: number[], titles: readonly string[][], header: number): string {
	const texts = list(titles.map((cells) => quote(textsIn(cells).join(' '))));
	return rows.length === 1
		? `The header is row ${header}. Row ${rows.join()} above it is a title and left out: ${texts}.`
		: `The header is row ${header}. Rows ${list(rows.map(String))} above it are titles and left out: ${texts}.`;
}
