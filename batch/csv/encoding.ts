import { isAscii, isUtf8 } from 'node:buffer';
import { quoted } from '../../service/text';
import { Failure } from '../failure';
import type { CsvBytes } from './bytes';
import { refuseBinary } from './not-csv';
import { list } from '../text';

/** The text of a CSV, and how its bytes were read. */
interface Decoded {
	/** As UTF-8 without a mark, which is what the CSV parser reads. */
	utf8: Buffer;
	/** As TextDecoder names it. */
	encoding: string;
	/** Whether the file starts with a byte order mark. */
	bom: boolean;
	notices: string[];
}

const BOMS = [
	{ name: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
	{ name: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
	{ name: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
];

/** What European spreadsheets save instead of UTF-8. Of equally likely ones the first wins. */
const LIKELY = ['windows-1252', 'macintosh', 'windows-1250', 'windows-1251'] as const;

/** Encodings of one byte a character, in which any UTF-8 can be read as other text. */
const ONE_BYTE = /^(windows-12|iso-8859-|macintosh)/;

/** Enough to recognise the encoding. */
const LINES_EXAMINED = 50;
const CELLS_SHOWN = 3;
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Reads the bytes as text: by their mark, by --encoding, or as UTF-8. No other encoding is guessed.
 * @param wanted a label that TextDecoder knows
 * @param cellsIn splits text into the cells of a CSV, to show some of a file that is refused
 * @throws {Failure} if it is none of these, with the likely encoding
 */
export function decode(
	csv: CsvBytes,
	wanted: string | undefined,
	cellsIn: (utf8: Buffer) => string[],
): Decoded {
	const { bytes } = csv;
	const asked = wanted === undefined ? undefined : encodingNamed(wanted);
	const bom = BOMS.find(({ mark }) => mark.equals(bytes.subarray(0, mark.length)));
	const encoding = bom?.name ?? asked ?? 'utf-8';
	const text = bytes.subarray(bom?.mark.length ?? 0);
	if (encoding === 'utf-8') refuseOtherEncoding(csv, text, cellsIn);
	else if (bom === undefined) refuseUtf8(csv, encoding, cellsIn);
	const overruled = bom !== undefined && asked !== undefined && asked !== bom.name;
	return {
		utf8: encoding === 'utf-8' ? text : textAs(encoding, text),
		encoding,
		bom: bom !== undefined,
		notices: overruled
			? [
					`The file starts with the byte order mark of ${encoding}: it is read as that, not as ${asked}.`,
				]
			: [],
	};
}

function encodingNamed(label: string): string {
	try {
		return new TextDecoder(label.trim()).encoding;
	} catch {
		throw new Failure(
			`--encoding “${label}” is not the name of an encoding.`,
			'Some that are: utf-8, windows-1252 (Western Europe), windows-1250 (Central Europe), ' +
				'windows-1251 (Cyrillic), iso-8859-1, utf-16le, gb18030, big5, shift_jis, euc-kr.',
		);
	}
}

/** Without `stream`, Node reads windows-1252 as latin1. */
function textAs(encoding: string, bytes: Buffer): Buffer {
	const decoder = new TextDecoder(encoding, { ignoreBOM: true });
	return Buffer.from(decoder.decode(bytes, { stream: true }) + decoder.decode());
}

/** Refuses a file whose characters would be damaged, and shows how it reads in the likeliest encoding. */
function refuseOtherEncoding(
	csv: CsvBytes,
	bytes: Buffer,
	cellsIn: (utf8: Buffer) => string[],
): void {
	const { title } = csv;
	const utf16 = utf16WithoutMark(bytes);
	if (utf16 === null && isUtf8(bytes)) return;
	const lines = utf16 === null ? linesOf(bytes) : [];
	const damaged = lines.filter((line) => !isUtf8(line)).slice(0, LINES_EXAMINED);
	const likely = utf16 ?? likeliest(Buffer.concat(damaged));
	const isMixed = lines.some((line) => isUtf8(line) && !isAscii(line));
	const shown = textAs(likely, isMixed ? Buffer.concat(damaged) : bytes);
	refuseBinary(csv, shown);
	const cells = cellsIn(shown).map((cell) => cell.trim());
	const telling = cells.filter((cell) => (utf16 === null ? BEYOND_ASCII.test(cell) : cell !== ''));
	const reads = list(telling.slice(0, CELLS_SHOWN).map(quoted));
	const place = `line ${1 + lines.findIndex((line) => !isUtf8(line))}`;
	throw isMixed
		? new Failure(
				`${title} is only partly UTF-8. From ${place} on it reads as ${likely}: ${reads}.`,
				'Save it as “CSV UTF-8” where it was made, and correct the characters that are damaged there.',
			)
		: new Failure(
				`${title} is not UTF-8. As ${likely} it reads: ${reads}.`,
				`If that is right, add --encoding ${likely}. If not, save the file as “CSV UTF-8”.`,
			);
}

/**
 * In UTF-16 one byte of each Latin letter, digit, comma and line end is NUL, always at odd or always at even places.
 */
function utf16WithoutMark(bytes: Buffer): string | null {
	const start = bytes.subarray(0, 64 * 1024);
	const nuls: [even: number, odd: number] = [0, 0];
	for (let at = 0; at < start.length; at++) if (start[at] === 0) nuls[(at & 1) as 0 | 1]++;
	const [even, odd] = nuls;
	const many = start.length / 2 / 4;
	if (odd > many && even * 20 < odd) return 'utf-16le';
	if (even > many && odd * 20 < even) return 'utf-16be';
	return null;
}

/**
 * Refuses a file that is UTF-8 although --encoding says otherwise: its rows would be ordered with other words. Text in
 * another encoding is UTF-8 by chance only if it has hardly a character beyond ASCII.
 */
function refuseUtf8(
	{ title, bytes }: CsvBytes,
	encoding: string,
	cellsIn: (utf8: Buffer) => string[],
): void {
	if (!ONE_BYTE.test(encoding) || isAscii(bytes) || !isUtf8(bytes)) return;
	const line = linesOf(bytes).find((one) => !isAscii(one)) ?? bytes;
	const cell = cellsIn(line).find((one) => BEYOND_ASCII.test(one)) ?? line.toString();
	const becomes = textAs(encoding, Buffer.from(cell)).toString();
	throw new Failure(
		`${title} is UTF-8. As ${encoding}, which --encoding says, ${quoted(cell)} would become ${quoted(becomes)}.`,
		'Leave --encoding out.',
	);
}

function linesOf(bytes: Buffer): Buffer[] {
	const lines = bytes.toString('latin1').split(/\r\n|\n|\r/);
	return lines.map((line) => Buffer.from(line, 'latin1'));
}

const SMALL = 'äöüßéèêëàâáãåçíïîñóôõòúùûýœæøąćęłńśźżčďěňřšťůžőű';
const LARGE = 'ÄÖÜÉÈÊËÀÂÁÃÅÇÍÏÎÑÓÔÕÒÚÙÛÝŒÆØĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮŽŐŰ';
const SIGNS = '–—…•€£®™©°½¼×\\u00a0';

/** Characters beyond ASCII in places where European texts have them. */
const LIKELY_PLACES = new RegExp(
	[
		`(?<=[A-Za-z])[${SMALL}]|[${SMALL}](?=[a-z])`,
		`(?<![a-z])[${LARGE}](?=[A-Za-z])|(?<=[A-Z])[${LARGE}]`,
		'(?<=\\p{Script=Cyrillic})\\p{Script=Cyrillic}|\\p{Script=Cyrillic}(?=\\p{Script=Cyrillic})',
		'(?<=\\p{L})’|(?<!\\p{L})[“‘«„](?=[\\p{L}\\d])|(?<=\\S)[”»](?!\\p{L})',
		`(?<!\\p{L})[${SIGNS}]|[${SIGNS}](?!\\p{L})`,
	].join('|'),
	'gu',
);

function likeliest(bytes: Buffer): string {
	const scored = LIKELY.map((encoding) => {
		const likely = textAs(encoding, bytes).toString().match(LIKELY_PLACES) ?? [];
		return { encoding, score: likely.length };
	});
	// Sorting is stable, so the order of LIKELY decides if all else is equal.
	return scored.sort((a, b) => b.score - a.score)[0]?.encoding ?? LIKELY[0];
}
