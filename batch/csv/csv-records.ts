import { Stop } from '../stop';

export interface CsvRecords {
	/** The cells of each record, with blank lines, so that counting gives the row numbers of a spreadsheet. */
	records: string[][];
	/** The records with an unclosed quotation mark in a cell, by index, and how many lines each takes. */
	brokenRecords: ReadonlyMap<number, number>;
}

/** The words for a broken record, and what to do about it. */
export const UNCLOSED = {
	what: 'opens a quotation mark (") that is not closed at the end of a cell',
	cure: 'Close or remove the mark; inside a quoted cell, write each quotation mark twice ("").',
};

/**
 * Reads a text as CSV.
 * @throws {Stop} if a quotation mark is never closed: the next line may be the middle of a cell, and a row made of
 * it would be paid for
 */
export function readRecords(title: string, text: string, delimiter: string): CsvRecords {
	const { isUnclosed, ...read } = new Reader(text, delimiter).read();
	const { records } = read;
	if (isUnclosed)
		throw new Stop(
			`Row ${records.length + 1} opens a quotation mark (") that is never closed.`,
			UNCLOSED.cure,
		);
	if (!text.includes('\0')) return read;
	// Text has no NUL, so the file was damaged, and more of it may be lost.
	const row = 1 + records.findIndex((cells) => cells.some((cell) => cell.includes('\0')));
	throw new Stop(
		`${title} is damaged: row ${row} holds bytes that are no text (NUL).`,
		'Export it from the spreadsheet again, as “CSV UTF-8”.',
	);
}

/** Reads the first records of a CSV; fewer before an open quotation mark, which is reported when everything is read. */
export function firstRecords(text: string, delimiter: string, count: number): string[][] {
	return new Reader(text, delimiter).read(count).records;
}

/** Checks if a row is empty. Spreadsheets leave many of these at the end of a table. */
export function isBlank(cells: readonly string[]): boolean {
	return cells.every((cell) => cell === '' || cell.trim() === '');
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/**
 * Reads a text cell by cell (RFC 4180, with any line ends). A quotation mark inside a cell (a 12" pan) is text, as in
 * spreadsheets. Text behind the closing mark of a cell, which no spreadsheet writes, means that a mark was never closed,
 * so that its cell ends at the next one.
 */
class Reader {
	private at = 0;
	private brokenCells = 0;
	/** A quotation mark is open at the end of the text. */
	private isUnclosed = false;
	private readonly firstUnit: number;

	constructor(
		private readonly text: string,
		private readonly delimiter: string,
	) {
		this.firstUnit = delimiter.charCodeAt(0);
	}

	read(most = Infinity) {
		const records: string[][] = [];
		const brokenRecords = new Map<number, number>();
		while (this.at < this.text.length && records.length < most) {
			const [start, brokenBefore] = [this.at, this.brokenCells];
			const cells = this.readRecord();
			if (this.isUnclosed) break;
			if (this.brokenCells > brokenBefore) {
				const lines = this.text
					.slice(start, this.at)
					.trimEnd()
					.split(/\r\n|\n|\r/);
				brokenRecords.set(records.length, lines.length);
			}
			records.push(cells);
		}
		return { records, brokenRecords, isUnclosed: this.isUnclosed };
	}

	/** Reads a record, and goes on behind the end of its line. */
	private readRecord(): string[] {
		const { text, delimiter } = this;
		const cells: string[] = [];
		for (;;) {
			cells.push(text[this.at] === '"' ? this.readQuotedCell() : this.readText());
			if (this.isUnclosed || this.at >= text.length) return cells;
			if (this.isAtDelimiter()) this.at += delimiter.length;
			else {
				this.at += text.startsWith('\r\n', this.at) ? 2 : 1;
				return cells;
			}
		}
	}

	private readQuotedCell(): string {
		const { text } = this;
		const start = this.at + 1;
		let end = text.indexOf('"', start);
		let hasMarks = false;
		while (end !== -1 && text[end + 1] === '"') {
			hasMarks = true;
			end = text.indexOf('"', end + 2);
		}
		if (end === -1) {
			this.isUnclosed = true;
			return '';
		}
		this.at = end + 1;
		const cell = text.slice(start, end);
		const content = hasMarks ? cell.replaceAll('""', '"') : cell;
		const rest = this.readText();
		if (rest === '') return content;
		this.brokenCells += 1;
		return `"${content}"${rest}`;
	}

	/** Reads up to the next delimiter or line end. */
	private readText(): string {
		const { text } = this;
		const start = this.at;
		while (this.at < text.length && !this.isAtEnd()) this.at += 1;
		return text.slice(start, this.at);
	}

	private isAtEnd(): boolean {
		const unit = this.text.charCodeAt(this.at);
		return (
			unit === LINE_FEED ||
			unit === CARRIAGE_RETURN ||
			(unit === this.firstUnit && this.isAtDelimiter())
		);
	}

	private isAtDelimiter(): boolean {
		return this.text.startsWith(this.delimiter, this.at);
	}
}
