import { CsvError, parse } from 'csv-parse/sync';
import { Stop } from '../stop';

/** Far longer than any real row: a quotation mark was not closed. */
const RECORD_MAX_BYTES = 1024 * 1024;

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
	max_record_size: RECORD_MAX_BYTES,
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
		throw error instanceof CsvError ? quoteFailure(error) : error;
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
 * Finds broken records. Only a cell that keeps its first quotation mark can be broken, and only its source shows it.
 */
function brokenIn(
	records: readonly string[][],
	utf8: Buffer,
	delimiter: string,
): ReadonlyMap<number, number> {
	const brokenRecords = new Map<number, number>();
	if (!records.some((cells) => cells.some((cell) => cell.startsWith('"')))) return brokenRecords;
	const sources = parse(utf8, { ...OPTIONS, delimiter, raw: true }) as unknown as Array<{
		raw: string;
	}>;
	for (const [at, { raw }] of sources.entries()) {
		if (!records[at]?.some((cell) => cell.startsWith('"'))) continue;
		const source = raw.trimEnd();
		if (hasBrokenQuote(source, delimiter)) brokenRecords.set(at, source.split(/\r\n|\n|\r/).length);
	}
	return brokenRecords;
}

/**
 * Checks if text follows the closing quotation mark of a cell, which a spreadsheet never writes. It means that a mark
 * was never closed, so that its cell ends at the next one.
 */
function hasBrokenQuote(record: string, delimiter: string): boolean {
	let at = 0;
	for (;;) {
		if (record[at] === '"') {
			at = afterClosingQuote(record, at + 1);
			if (at < record.length && !record.startsWith(delimiter, at)) return true;
		}
		const next = record.indexOf(delimiter, at);
		if (next === -1) return false;
		at = next + delimiter.length;
	}
}

function afterClosingQuote(record: string, from: number): number {
	let at = from;
	for (;;) {
		const quote = record.indexOf('"', at);
		if (quote === -1) return record.length;
		if (record[quote + 1] !== '"') return quote + 1;
		at = quote + 2;
	}
}

function quoteFailure(error: CsvError): Stop {
	const row = Number(error['records'] ?? 0) + 1;
	const cure =
		'Close the quotation mark, or shorten the cell. Inside a quoted cell, write each quotation mark twice ("").';
	return error.code === 'CSV_QUOTE_NOT_CLOSED'
		? new Stop(`Row ${row} opens a quotation mark (") that is never closed.`, cure)
		: new Stop(`Row ${row} goes on for more than 1 MB.`, cure);
}
