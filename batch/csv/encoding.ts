import { isAscii, isUtf8 } from 'node:buffer';
import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import type { CsvBytes } from './bytes';
import { likelyEncoding, textAs } from './likely-encoding';
import { list } from '../text';

const BOMS = [
	{ name: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
	{ name: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
	{ name: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
];

/** Encodings of one byte a character, in which any UTF-8 can be read as other text. */
const ONE_BYTE = /^(windows-(12|874)|iso-8859-|macintosh)/;

/** Enough to recognise the encoding, or that it is no text. */
const START_BYTES = 64 * 1024;
const LINES_EXAMINED = 50;
const CELLS_SHOWN = 3;
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Reads the bytes as text: by their mark, by --encoding, or as UTF-8. No other encoding is guessed. The text comes as
 * UTF-8 without a mark, which is what the CSV parser reads.
 * @param label a label that TextDecoder knows
 * @param cellsIn splits text into the cells of a CSV, to show some of a file that is refused
 * @throws {Stop} if it is none of these, with the likely encoding
 */
export function decode(
	csv: CsvBytes,
	label: string | undefined,
	cellsIn: (utf8: Buffer) => string[],
) {
	const { bytes } = csv;
	const option = label === undefined ? undefined : encodingNamed(label);
	const bom = BOMS.find(({ mark }) => mark.equals(bytes.subarray(0, mark.length)));
	const encoding = bom?.name ?? option ?? 'utf-8';
	const text = bytes.subarray(bom?.mark.length ?? 0);
	if (encoding === 'utf-8') refuseOtherEncoding(csv, text, cellsIn);
	else if (bom === undefined) refuseUtf8(csv, encoding, cellsIn);
	const utf8 = encoding === 'utf-8' ? text : utf8From(encoding, text);
	refuseBinary(csv, utf8);
	const isOverruled = option !== undefined && option !== encoding;
	return {
		utf8,
		encoding,
		damageCure: damageCureOf(utf8, encoding),
		notices: isOverruled
			? [
					`The file starts with the byte order mark of ${encoding}: it is read as that, not as ${option}.`,
				]
			: [],
	};
}

/** The names of Windows and its programs for an encoding, with its number, such as cp932, MS949 and windows-950. */
const CODE_PAGE = /^(?:cp|ms|x-windows-|windows-)?(\d{3,5})$/i;
const CODE_PAGES: Readonly<Record<string, string>> = {
	874: 'windows-874',
	932: 'shift_jis',
	936: 'gbk',
	949: 'euc-kr',
	950: 'big5',
	54936: 'gb18030',
	65001: 'utf-8',
};

function encodingNamed(label: string): string {
	const name = label.trim();
	const [, page = ''] = CODE_PAGE.exec(name) ?? [];
	try {
		return new TextDecoder(CODE_PAGES[page] ?? name).encoding;
	} catch {
		throw new Stop(
			`--encoding “${label}” is not the name of an encoding.`,
			'Some that are: utf-8, windows-1252 (Western Europe), windows-1250 (Central Europe), ' +
				'windows-1251 (Cyrillic), windows-1254 (Turkish), windows-874 (Thai), utf-16le, ' +
				'shift_jis or cp932, euc-kr or cp949, gb18030 or cp936, big5 or cp950.',
		);
	}
}

function utf8From(encoding: string, bytes: Buffer): Buffer {
	return Buffer.from(textAs(encoding, bytes));
}

/** Refuses a file whose characters would be damaged, and shows how it reads in the likeliest encoding. */
function refuseOtherEncoding(
	csv: CsvBytes,
	bytes: Buffer,
	cellsIn: (utf8: Buffer) => string[],
): void {
	const utf16 = utf16WithoutMark(bytes);
	if (utf16 === null && isUtf8(bytes)) return;
	const lines = utf16 === null ? linesOf(bytes) : [];
	const damaged = lines.filter((line) => !isUtf8(line)).slice(0, LINES_EXAMINED);
	const guess = utf16 ?? likelyEncoding(Buffer.concat(damaged));
	const isMixed = lines.some((line) => isUtf8(line) && !isAscii(line));
	const text = utf8From(guess ?? 'windows-1252', isMixed ? Buffer.concat(damaged) : bytes);
	refuseBinary(csv, text);
	const cells = cellsIn(text).map((cell) => cell.trim());
	const telling = cells.filter((cell) => (utf16 === null ? BEYOND_ASCII.test(cell) : cell !== ''));
	const reads = list(telling.slice(0, CELLS_SHOWN).map(quote));
	const place = `line ${1 + lines.findIndex((line) => !isUtf8(line))}`;
	throw isMixed
		? partlyUtf8(csv.title, place, guess, reads)
		: notUtf8(csv.title, place, guess, reads);
}

function partlyUtf8(title: string, place: string, guess: string | null, reads: string): Stop {
	const as = guess === null ? 'it is in another encoding' : `it reads as ${guess}: ${reads}`;
	return new Stop(
		`${title} is only partly UTF-8. From ${place} on ${as}.`,
		'Save it as “CSV UTF-8” where it was made, and correct the characters that are damaged there.',
	);
}

function notUtf8(title: string, place: string, guess: string | null, reads: string): Stop {
	return guess === null
		? new Stop(
				`${title} is not UTF-8 from ${place} on, and its encoding is not recognised.`,
				'Save the file as “CSV UTF-8” where it was made, or name its encoding with --encoding.',
			)
		: new Stop(
				`${title} is not UTF-8. As ${guess} it reads: ${reads}.`,
				`If that is right, add --encoding ${guess}. If not, save the file as “CSV UTF-8”.`,
			);
}

/**
 * Recognises UTF-16 without a mark: one byte of each Latin letter, digit, comma and line end is NUL, always at odd or
 * always at even places.
 */
function utf16WithoutMark(bytes: Buffer): string | null {
	const start = bytes.subarray(0, START_BYTES);
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
	const becomes = textAs(encoding, Buffer.from(cell));
	throw new Stop(
		`${title} is UTF-8. As ${encoding}, which --encoding says, ${quote(cell)} would become ${quote(becomes)}.`,
		'Leave --encoding out.',
	);
}

/** Refuses files with many control characters: text has almost none. */
function refuseBinary({ title }: CsvBytes, utf8: Buffer): void {
	const start = utf8.subarray(0, START_BYTES);
	let controls = 0;
	for (const byte of start) if (byte < 9 || (byte > 13 && byte < 32)) controls++;
	if (!start.includes(0) && controls * 20 <= start.length) return;
	throw new Stop(
		`${title} holds binary data, not text.`,
		'Name a CSV file. If it is one, its encoding is unusual: save it as “CSV UTF-8”.',
	);
}

const LOST_CHARACTER = Buffer.from('\ufffd');

/** Gives the way out of a character that was lost on the way; null if none was. */
function damageCureOf(utf8: Buffer, encoding: string): string | null {
	if (!utf8.includes(LOST_CHARACTER)) return null;
	return encoding === 'utf-8'
		? 'The file itself holds � in place of a character that another program has lost: type the cell again.'
		: `Check whether the encoding is ${encoding} (--encoding), or save the file as “CSV UTF-8”.`;
}

function linesOf(bytes: Buffer): Buffer[] {
	const lines = bytes.toString('latin1').split(/\r\n|\n|\r/);
	return lines.map((line) => Buffer.from(line, 'latin1'));
}
