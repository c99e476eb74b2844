import { CsvError, parse } from 'csv-parse/sync';
import { Stop } from '../stop';

export interface CsvRecords {
	/** The cells of each record, with blank lines, so that counting gives the row numbers of a spreadsheet. */
	records: string[][];
	/** The records with an unclosed quotation mark in a cell, by index, and how many lines each takes. */
	brokenRecords: ReadonlyMap<number, number>;
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
export function readRecords(title: string, utf8: Buffer, delimiter: string): CsvRecords {
	try {
		const records = parse(utf8, { ...OPTIONS, delimiter });
		if (utf8.includes(0)) throw withNul(title, records);
		return { records, brokenRecords: brokenIn(records, utf8, delimiter) };
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		const row = Number(error['records'] ?? 0) + 1;
		throw new Stop(`Row ${row} opens a quotation mark (") that is never closed.`, UNCLOSED.cure);
	}
}

/** Reads the first records of a CSV; fewer after an open quotation mark, which is reported when everything is read. */
export function firstRecords(utf8: Buffer, delimiter: string, count: number): string[][] {
	for (let to = count; to > 0; to = Math.floor(to / 2)) {
		try {
			return parse(utf8, { ...OPTIONS, delimiter, to });
		} catch (error) {
			if (!(error instanceof CsvError)) throw error;
		}
	}
	return [];
}

/** Refuses NUL: text has none, so the file was damaged, and more of it may be lost. */
function withNul(title: string, records: readonly string[][]): Stop {
	const row = 1 + records.findIndex((cells) => cells.some((cell) => cell.includes('\0')));
	return new Stop(
		`${title} is damaged: row ${row} holds bytes that are no text (NUL).`,
		'Export it from the spreadsheet again, as “CSV UTF-8”.',
	);
}

/** Checks if a row is empty. Spreadsheets leave many of these at the end of a table. */
export function isBlank(cells: readonly string[]): boolean {
	return cells.every((cell) => cell === '' || cell.trim() === '');
}

/**
 * Finds broken records: text follows the closing quotation mark of a cell, which a spreadsheet never writes. Only a cell
 * that keeps its first quotation mark can be broken, and only its source shows it.
 */
function brokenIn(
	records: readonly string[][],
	utf8: Buffer,
	delimiter: string,
): ReadonlyMap<number, number> {
	const brokenRecords = new Map<number, number>();
	const isDoubtful = (cells: readonly string[] = []) => cells.some((cell) => cell.startsWith('"'));
	if (!records.some(isDoubtful)) return brokenRecords;
	const sources = parse(utf8, { ...OPTIONS, delimiter, raw: true }) as unknown as Array<{
		raw: string;
	}>;
	for (const [at, { raw }] of sources.entries()) {
		if (!isDoubtful(records[at])) continue;
		const source = raw.trimEnd();
		if (hasBrokenQuote(source, delimiter)) brokenRecords.set(at, source.split(/\r\n|\n|\r/).length);
	}
	return brokenRecords;
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
