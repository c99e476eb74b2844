const QUOTE = 34;
const LF = 10;
const CR = 13;

/** A run of lines that csv-parse must read: one record or several. */
export interface QuotedLines {
	/** Its first byte, and the first byte after it. */
	start: number;
	end: number;
	/** How many plain records come before it. */
	after: number;
}

export interface SplitLines {
	/** The records of the plain lines. */
	plain: string[][];
	quoted: QuotedLines[];
	/** Where the last line starts, which is not complete yet. */
	rest: number;
	/** Whether it holds an odd number of quotation marks, so that one seems to be open. */
	restIsOpen: boolean;
}

/**
 * Splits a text that starts with a record. A line is plain where quotation marks, if there are any, enclose whole
 * cells; its cells are split here. In all other lines the marks are only counted: the run ends with the line that makes
 * their number even, and csv-parse reads it.
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
			// After a \r at the end of the bytes, a \n may follow.
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

/** The place of the mark that closes a quoted cell, after those written twice; -1 where there is none yet. */
function closingQuote(bytes: Buffer, from: number): number {
	let at = bytes.indexOf(QUOTE, from);
	while (at !== -1 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2);
	return at;
}

function textOf(cell: string, isQuoted: boolean): string {
	return isQuoted && cell.includes('"') ? cell.replaceAll('""', '"') : cell;
}

/** Adds a run, joined with the last one where it follows directly. */
function appendRun(quoted: QuotedLines[], run: QuotedLines): void {
	const last = quoted.at(-1);
	if (last?.end === run.start) last.end = run.end;
	else quoted.push(run);
}
