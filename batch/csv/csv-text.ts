import { isAscii, isUtf8 } from 'node:buffer';
import { promises as fs } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import { list } from '../text';
import { likelyEncoding, textAs } from './likely-encoding';

/** Standard input, on a command line. */
export const STANDARD_INPUT = '-';

/** Some millions of rows. The whole CSV is kept in memory: what was read is what is ordered. */
const MAX_BYTES = 200 * 1024 * 1024;

export type InputStream = Readable & { isTTY?: boolean };

interface CsvText {
	/** The name of the file, at the beginning of a sentence. */
	title: string;
	/** The text as UTF-8 without a mark, which is what the CSV parser reads. */
	utf8: Buffer;
	/** A sentence about an option that is not used. */
	notices: string[];
}

/**
 * Reads the CSV of a command: a file, or what is piped into it.
 * @param label an encoding that TextDecoder knows
 * @param interruption ends the wait for what is piped
 * @throws {Stop} if it cannot be read, or is no text
 */
export async function readCsvText(
	file: string,
	label: string | undefined,
	input: InputStream,
	interruption?: AbortSignal,
): Promise<CsvText> {
	const isPiped = file === STANDARD_INPUT;
	const title = isPiped ? 'Standard input' : `“${file}”`;
	const bytes = isPiped ? await pipedBytes(input, interruption) : await bytesOf(file, title);
	if (bytes.length > MAX_BYTES) throw tooLarge(title);
	refuseOtherFormats(title, bytes);
	return { title, ...decode(title, bytes, label) };
}

const PIPE_IN =
	'Pipe a CSV into the command, as in “… | brief-batch plan - --batch NAME”, or name a file.';

async function pipedBytes(input: InputStream, interruption?: AbortSignal): Promise<Buffer> {
	if (input.isTTY === true)
		throw new Stop(
			'Standard input is the terminal, so no CSV is piped into this command.',
			PIPE_IN,
		);
	return await buffer(interruption === undefined ? input : addAbortSignal(interruption, input));
}

async function bytesOf(file: string, title: string): Promise<Buffer> {
	try {
		const stats = await fs.stat(file);
		// Named as a file, as by <(…), a pipe has another name each time.
		if (stats.isFIFO()) throw new Stop(`${title} is a pipe, not a file.`, PIPE_IN);
		if (stats.size > MAX_BYTES) throw tooLarge(title);
		return await fs.readFile(file);
	} catch (error) {
		throw error instanceof Stop ? error : failureOf(title, error);
	}
}

function tooLarge(title: string): Stop {
	return new Stop(
		`${title} is larger than 200 MB.`,
		'Split it into several files, and run each with its own folder (--out).',
	);
}

/** Puts an error of the operating system into words for a person. */
function failureOf(title: string, error: unknown): Stop {
	const { code = String(error) } = error as NodeJS.ErrnoException;
	switch (code) {
		case 'ENOENT':
		case 'ENOTDIR':
			return new Stop(`There is no file ${title}.`, 'Check its name and folder.');
		case 'EISDIR':
			return new Stop(`${title} is a folder.`, 'Name the CSV file in it.');
		default:
			return new Stop(
				`${title} could not be read (${code}).`,
				'Check the disk, and that the user who runs brief-batch may read the file.',
			);
	}
}

/** What people give instead of a CSV: how it begins, and what it is. */
const FORMATS = [
	['PK\x03\x04', 'an Excel workbook or another zip archive'],
	['\xd0\xcf\x11\xe0', 'an Excel workbook of the old kind'],
	['%PDF', 'a PDF'],
	['\x1f\x8b', 'a gzip archive'],
] as const;

/** Refuses files whose first bytes show another format: people give the workbook instead of its CSV export. */
function refuseOtherFormats(title: string, bytes: Buffer): void {
	const start = bytes.toString('latin1', 0, 4);
	const format = FORMATS.find(([magic]) => start.startsWith(magic));
	if (format === undefined) return;
	throw new Stop(
		`${title} is ${format[1]}, not a CSV.`,
		'Name a CSV file. A spreadsheet program saves one as “CSV UTF-8”.',
	);
}

const MARKS = [
	['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
	['utf-16le', Buffer.from([0xff, 0xfe])],
	['utf-16be', Buffer.from([0xfe, 0xff])],
] as const;

/** Encodings of one byte a character, in which any UTF-8 can be read as other text. */
const ONE_BYTE = /^(windows-(12|874)|iso-8859-|macintosh)/;

/**
 * Reads the bytes as text: by their mark, by --encoding, or as UTF-8. No other encoding is guessed, because a wrong guess
 * is paid for in each row.
 * @throws {Stop} if it is none of these, with the likely encoding
 */
function decode(title: string, bytes: Buffer, label: string | undefined) {
	const option = label === undefined ? undefined : encodingNamed(label);
	const [marked, mark = Buffer.alloc(0)] =
		MARKS.find(([, start]) => start.equals(bytes.subarray(0, start.length))) ?? [];
	const encoding = marked ?? option ?? 'utf-8';
	const body = bytes.subarray(mark.length);
	if (encoding === 'utf-8') refuseOtherEncoding(title, body);
	// Text in another encoding is UTF-8 by chance only if it has hardly a character beyond ASCII.
	else if (marked === undefined && ONE_BYTE.test(encoding) && !isAscii(body) && isUtf8(body))
		throw new Stop(`${title} is UTF-8, and --encoding says ${encoding}.`, 'Leave --encoding out.');
	const utf8 = encoding === 'utf-8' ? body : Buffer.from(textAs(encoding, body));
	refuseBinary(title, utf8);
	if (option === undefined || option === encoding) return { utf8, notices: [] };
	const notice = `The file starts with the byte order mark of ${encoding}: it is read as that, not as ${option}.`;
	return { utf8, notices: [notice] };
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

const LINES_EXAMINED = 50;
const SHOWN_BYTES = 400;

/** Refuses a file whose characters would be damaged, and shows how some of it reads in the likeliest encoding. */
function refuseOtherEncoding(title: string, bytes: Buffer): void {
	const utf16 = utf16WithoutMark(bytes);
	if (utf16 === null && isUtf8(bytes)) return;
	if (utf16 === null) refuseBinary(title, bytes);
	const lines = utf16 === null ? linesOf(bytes) : [];
	const others = lines.filter((line) => !isUtf8(line));
	const examined = Buffer.concat(
		others.slice(0, LINES_EXAMINED).flatMap((line) => [line, Buffer.from('\n')]),
	);
	const encoding = utf16 ?? likelyEncoding(examined);
	const from = `from line ${1 + lines.findIndex((line) => !isUtf8(line))} on`;
	if (encoding === null)
		throw new Stop(
			`${title} is not UTF-8 ${from}, and its encoding is not recognised.`,
			'Save the file as “CSV UTF-8” where it was made, or name its encoding with --encoding.',
		);
	const text = textAs(encoding, utf16 === null ? examined : bytes.subarray(0, SHOWN_BYTES));
	const cells = text.split(/[,;\t|\r\n"]+/).map((cell) => cell.trim());
	const telling = cells.filter((cell) => (utf16 === null ? /[^\0-\x7f]/.test(cell) : cell !== ''));
	const reads = list(telling.slice(0, 3).map(quote));
	if (lines.some((line) => isUtf8(line) && !isAscii(line)))
		throw new Stop(
			`${title} is only partly UTF-8. ${from.replace('f', 'F')} it reads as ${encoding}: ${reads}.`,
			'Save it as “CSV UTF-8” where it was made, and correct the characters that are damaged there.',
		);
	throw new Stop(
		`${title} is not UTF-8. As ${encoding} it reads: ${reads}.`,
		`If that is right, add --encoding ${encoding}. If not, save the file as “CSV UTF-8”.`,
	);
}

/** Enough to recognise UTF-16, or that it is no text. */
const START_BYTES = 64 * 1024;

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
	return even > many && odd * 20 < even ? 'utf-16be' : null;
}

/** Refuses files with many control characters: text has almost none. */
function refuseBinary(title: string, utf8: Buffer): void {
	const start = utf8.subarray(0, START_BYTES);
	let controls = 0;
	for (const byte of start) if (byte < 9 || (byte > 13 && byte < 32)) controls++;
	if (!start.includes(0) && controls * 20 <= start.length) return;
	throw new Stop(
		`${title} holds binary data, not text.`,
		'Name a CSV file. If it is one, its encoding is unusual: save it as “CSV UTF-8”.',
	);
}

function linesOf(bytes: Buffer): Buffer[] {
	const lines = bytes.toString('latin1').split(/\r\n|\n|\r/);
	return lines.map((line) => Buffer.from(line, 'latin1'));
}
