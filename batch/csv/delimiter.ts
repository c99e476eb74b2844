import { Stop } from '../stop';
import { knownFields, type HeaderMap } from './columns';
import { headerAt } from './list-lines';
import { firstLines } from './csv-records';

const NAMED_DELIMITERS: Readonly<Record<string, string>> = {
	comma: ',',
	semicolon: ';',
	tab: '\t',
	'\\t': '\t',
};

/** The first wins if everything else is equal. */
const CANDIDATES = [',', ';', '\t', '|'];
const RECORDS_EXAMINED = 200;

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

/**
 * Detects the delimiter from the first rows: the one with the most known headers in the first row, then in the header,
 * which may be below titles; then the one that most rows agree with. Counting characters fails, because prose has more
 * commas than a table has delimiters.
 */
function detectDelimiter(utf8: Buffer, map: HeaderMap): string {
	const candidates = CANDIDATES.map((delimiter) => {
		const lines = firstLines(utf8, delimiter, RECORDS_EXAMINED);
		const at = headerAt(lines, map);
		const [top = [], header = []] = [lines[0]?.cells, lines[at]?.cells];
		const below = lines.slice(at);
		const even = below.filter(({ cells }) => cells.length === header.length).length / below.length;
		const fits = [knownFields(top, map).size, knownFields(header, map).size, even, header.length];
		// A delimiter that leaves no rows fits best: the file is an empty table.
		return { delimiter, fits: lines.length === 0 ? [0, 0, 1, Infinity] : fits };
	});
	const compare = (a: readonly number[], b: readonly number[]) =>
		a.map((fit, at) => (b[at] ?? 0) - fit).find((difference) => difference !== 0) ?? 0;
	// Sorting is stable, so the order of CANDIDATES decides if all else is equal.
	const [best] = candidates.sort((a, b) => compare(a.fits, b.fits));
	return best?.delimiter ?? ',';
}
