const QUOTE = 34;
const LF = 10;
const CR = 13;

/** A run of lines that csv-parse has to read, which may be one record or several. */
export interface QuotedLines {
	/** Where it starts and ends in the bytes, its last line end included. */
	start: number;
	end: number;
	/** How many plain records stand before it. */
	after: number;
}

export interface SplitLines {
	/** The records of plain lines, split where they stand. */
	plain: string[][];
	quoted: QuotedLines[];
	/** Where the first line starts that is not whole yet. */
	rest: number;
	/** Whether a quotation mark is still open in it, as far as counting them tells. */
	restIsOpen: boolean;
}

/**
 * Sorts the lines of a text, which starts at the start of a record. Plain are those whose quotation marks, if any,
 * stand around whole cells as they should. In the others they are only counted: an even number ends the run, and
 * csv-parse has the last word on it.
 */
export function splitPlainLines(bytes: Buffer, delimiter: number, isAscii: boolean): SplitLines {
	const encoding = isAscii ? 'latin1' : 'utf8';
	const plain: string[][] = [];
	const quoted: QuotedLines[] = [];
	let start = 0;
	let cells: string[] = [];
	let cellStart = 0;
	let quotes = 0;
	for (let at = 0; at < bytes.length; at++) {
		let byte = bytes[at];
		let cellEnd = at;
		let isQuoted = false;
		if (byte === QUOTE) {
			const close = at === cellStart && quotes === 0 ? closingQuote(bytes, at + 1) : -1;
			byte = close === -1 ? QUOTE : bytes[close + 1];
			if (byte !== delimiter && byte !== LF && byte !== CR) {
				quotes++;
				continue;
			}
			cellStart++;
			cellEnd = close;
			at = close + 1;
			isQuoted = true;
		}
		if (byte === delimiter) {
			if (quotes === 0) cells.push(textOf(bytes.toString(encoding, cellStart, cellEnd), isQuoted));
			cellStart = at + 1;
		} else if ((byte === LF || byte === CR) && quotes % 2 === 0) {
			// A line that ends the bytes with \r may go on with \n.
			if (byte === CR && at + 1 === bytes.length) break;
			if (quotes === 0) cells.push(textOf(bytes.toString(encoding, cellStart, cellEnd), isQuoted));
			if (byte === CR && bytes[at + 1] === LF) at++;
			if (quotes === 0) plain.push(cells);
			else appendRun(quoted, { start, end: at + 1, after: plain.length });
			cells = [];
			quotes = 0;
			start = cellStart = at + 1;
		}
	}
	return { plain, quoted, rest: start, restIsOpen: quotes % 2 === 1 };
}

/** Where the mark stands that closes a quoted cell, past those written twice; -1 where there is none yet. */
function closingQuote(bytes: Buffer, from: number): number {
	let at = bytes.indexOf(QUOTE, from);
	while (at !== -1 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2);
	return at;
}

function textOf(cell: string, isQuoted: boolean): string {
	return isQuoted && cell.includes('"') ? cell.replaceAll('""', '"') : cell;
}

/** Neighbouring runs make one. */
function appendRun(quoted: QuotedLines[], run: QuotedLines): void {
	const last = quoted.at(-1);
	if (last?.end === run.start) last.end = run.end;
	else quoted.push(run);
}
