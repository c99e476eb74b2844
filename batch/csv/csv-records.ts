import { CsvError, parse } from 'csv-parse/sync';
import { Stop } from '../stop';

/** A record with a text. */
export interface CsvLine {
	/** Its row, counted as in a spreadsheet. */
	number: number;
	cells: string[];
	/** How many lines it takes, if a cell of it has an unclosed quotation mark. */
	brokenLines?: number;
	/** Whether the name of a column is in the product's column. */
	mayBeHeader?: true;
	/** Whether it is among the lines of a template, and may be one of them or not. */
	isInTemplate?: true;
}

/** A quotation mark inside a cell (a 12" pan) is text, as in spreadsheets. */
const OPTIONS = {
	record_delimiter: ['\r\n', '\n', '\r'],
	relax_quotes: true,
	relax_column_count: true,
};

/** The words for a broken record, and what to do about it. */
export const UNCLOSED = {
	what: 'opens a quotation mark (") that is not closed at the end of a cell',
	cure: 'Close or remove the mark; inside a quoted cell, write each quotation mark twice ("").',
};

/**
 * Reads UTF-8 as CSV.
 * @throws {Stop} if a quotation mark is never closed: the next line may be the middle of a cell, and a row made of
 * it would be paid for
 */
export function readLines(title: string, utf8: Buffer, delimiter: string): CsvLine[] {
	try {
		const records = parse(utf8, { ...OPTIONS, delimiter });
		if (utf8.includes(0)) throw withNul(title, records);
		const lines = linesOf(records);
		markBroken(lines, utf8, delimiter);
		return lines;
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		const row = Number(error['records'] ?? 0) + 1;
		throw new Stop(`Row ${row} opens a quotation mark (") that is never closed.`, UNCLOSED.cure);
	}
}

/** Reads the first records of a CSV; fewer after an open quotation mark, which is reported when everything is read. */
export function firstLines(utf8: Buffer, delimiter: string, count: number): CsvLine[] {
	for (let to = count; to > 0; to = Math.floor(to / 2)) {
		try {
			return linesOf(parse(utf8, { ...OPTIONS, delimiter, to }));
		} catch (error) {
			if (!(error instanceof CsvError)) throw error;
		}
	}
	return [];
}

/** Leaves out blank records, of which spreadsheets leave many at the end of a table. */
function linesOf(records: readonly string[][]): CsvLine[] {
	const lines: CsvLine[] = [];
	for (const [at, cells] of records.entries())
		if (!isBlank(cells)) lines.push({ number: at + 1, cells });
	return lines;
}

export function isBlank(cells: readonly string[]): boolean {
	return cells.every((cell) => cell === '' || cell.trim() === '');
}

/** Refuses NUL: text has none, so the file was damaged, and more of it may be lost. */
function withNul(title: string, records: readonly string[][]): Stop {
	const row = 1 + records.findIndex((cells) => cells.some((cell) => cell.includes('\0')));
	return new Stop(
		`${title} is damaged: row ${row} holds bytes that are no text (NUL).`,
		'Export it from the spreadsheet again, as “CSV UTF-8”.',
	);
}

/**
 * Marks broken records: text follows the closing quotation mark of a cell, which a spreadsheet never writes. Only a cell
 * that keeps its first quotation mark can be broken, and only its source shows it.
 */
function markBroken(lines: readonly CsvLine[], utf8: Buffer, delimiter: string): void {
	const doubtful = lines.filter(({ cells }) => cells.some((cell) => cell.startsWith('"')));
	if (doubtful.length === 0) return;
	const options = { ...OPTIONS, delimiter, raw: true } as const;
	const records = parse(utf8, options) as unknown as Array<{ raw: string }>;
	for (const line of doubtful) {
		const source = (records[line.number - 1]?.raw ?? '').trimEnd();
		if (hasBrokenQuote(source, delimiter)) line.brokenLines = source.split(/\r\n|\n|\r/).length;
	}
}

function hasBrokenQuote(source: string, delimiter: string): boolean {
	let at = 0;
	for (;;) {
		if (source[at] === '"') {
			at += 1;
			while (at < source.length && (source[at] !== '"' || source[++at] === '"')) at += 1;
			if (at < source.length && !source.startsWith(delimiter, at)) return true;
		}
		const next = source.indexOf(delimiter, at);
		if (next === -1) return false;
		at = next + delimiter.length;
	}
}
