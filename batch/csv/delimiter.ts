import { Stop } from '../stop';
import { knownFields, type HeaderMap } from './column-names';
import { headerAt } from './header-row';
import { firstRecords, isBlank } from './csv-records';

const NAMED_DELIMITERS: Readonly<Record<string, string>> = {
	comma: ',',
	semicolon: ';',
	tab: '\t',
	'\\t': '\t',
};
/** The first wins if everything else is equal. */
const CANDIDATES = [',', ';', '\t', '|'];
const ROWS_EXAMINED = 200;

/** Excel's own first line, such as sep=; from below which it counts the rows. */
const SEP_LINE = /^"?sep=([^"\r\n])"?(\r\n|\r|\n|$)/i;

/** Finds the delimiter of a CSV, and the text that it divides: what is below Excel's line sep=; if there is one. */
export function findDelimiter(
	utf8: Buffer,
	{ delimiter: option, map }: { delimiter?: string | undefined; map: HeaderMap },
): { delimiter: string; body: Buffer } {
	const [line = '', character] = SEP_LINE.exec(utf8.toString('utf8', 0, 16)) ?? [];
	const body = utf8.subarray(Buffer.byteLength(line));
	if (option !== undefined) return { delimiter: parseDelimiter(option), body };
	return { delimiter: character ?? detectDelimiter(utf8, map), body };
}

/** Reads what --delimiter means. */
function parseDelimiter(text: string): string {
	const delimiter = NAMED_DELIMITERS[text.trim().toLowerCase()] ?? text;
	if (Array.from(delimiter).length === 1 && !/["\r\n\0\ufeff]/.test(delimiter)) return delimiter;
	throw new Stop(
		`--delimiter “${text}” is not a delimiter.`,
		'Give one character, or one of the words tab, comma and semicolon.',
	);
}

interface Candidate {
	delimiter: string;
	/** The number of fields that the first row names, and that the header names, which may be below titles. */
	atTop: number;
	inHeader: number;
	/** The share of rows that have as many cells as the header. */
	even: number;
	columns: number;
}

/**
 * Detects the delimiter from the first rows. The one with the most known headers wins; counting characters fails,
 * because prose has more commas than a table has delimiters.
 */
function detectDelimiter(utf8: Buffer, map: HeaderMap): string {
	const candidates = CANDIDATES.map((delimiter): Candidate => {
		const rows = firstRecords(utf8, delimiter, ROWS_EXAMINED).filter((row) => !isBlank(row));
		const at = headerAt(rows, map);
		const [top = [], header = []] = [rows[0], rows[at]];
		return {
			delimiter,
			atTop: knownFields(top, map).size,
			inHeader: knownFields(header, map).size,
			even: evenShare(rows.slice(at), header.length),
			// A delimiter that leaves no rows fits best: the file is an empty table.
			columns: rows.length === 0 ? Infinity : header.length,
		};
	});
	// Sorting is stable, so the order of CANDIDATES decides if all else is equal.
	const [best] = candidates.sort(
		(a, b) =>
			b.atTop - a.atTop || b.inHeader - a.inHeader || b.even - a.even || b.columns - a.columns,
	);
	return best?.delimiter ?? ',';
}

function evenShare(rows: readonly string[][], cells: number): number {
	const even = rows.filter((row) => row.length === cells).length;
	return rows.length === 0 ? 1 : even / rows.length;
}
