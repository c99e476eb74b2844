import { isUtf8 } from 'node:buffer';
import { promises as fs } from 'node:fs';
import { quote } from '../../core/input/text';
import { describeUnreadableFile, listQuoted } from '../text';
import { CsvProblem } from './csv-problem';

/** Some millions of rows. The whole CSV is kept in memory, so that a run orders exactly the rows that it read. */
const MAX_BYTES = 200 * 1024 * 1024;

/** @throws {CsvProblem} if the file cannot be read, or is a directory, pipe or socket: a read might wait forever */
export async function readFile(file: string): Promise<Buffer> {
	try {
		const stats = await fs.stat(file);
		if (stats.isDirectory())
			throw new CsvProblem(`${file} is a directory.`, 'Name the CSV file in that directory.');
		if (!stats.isFile())
			throw new CsvProblem(
				`${file} is not a regular file.`,
				'Save the CSV as a file, then name that file.',
			);
		if (stats.size > MAX_BYTES)
			throw new CsvProblem(`${file} is larger than 200 MB.`, 'Split it into several files.');
		return await fs.readFile(file);
	} catch (error) {
		if (error instanceof CsvProblem) throw error;
		const { message, nextSteps } = describeUnreadableFile(file, error);
		throw new CsvProblem(message, nextSteps);
	}
}

const SAVE_AS_CSV = 'In a spreadsheet program, save the table as “CSV UTF-8”, then name that file.';

/** Files that are often named instead of a CSV, by their first characters. The first pattern that fits counts. */
const OTHER_FORMATS: ReadonlyArray<readonly [start: RegExp, name: string, advice: string]> = [
	[/^\{\\rtf/, 'rich text (RTF)', 'In the text editor, turn it into plain text, saved as UTF-8.'],
	[
		/^PK\p{Cc}{2}[^]*(?:\[Content_Types\]|\bxl\/|_rels\/|docProps\/)/u,
		'an Excel workbook',
		SAVE_AS_CSV,
	],
	[/^PK\p{Cc}{2}/u, 'a zip archive', 'Extract the CSV, then name that file.'],
	[
		/^\s*<(?:!doctype|html|head|body|table)\b/i,
		'a web page (HTML)',
		'Download the CSV again. A download without a login often saves a sign-in page.',
	],
	[/^\s*<[?!a-z]/i, 'XML', 'Export the data as CSV, then name that file.'],
	[
		/^version https:\/\/git-lfs\./,
		'a pointer of git LFS',
		'Get the file itself with `git lfs pull`.',
	],
	[/^\s*(?:\[\s*["[{]|\{\s*["}])/, 'JSON', 'Export the data as CSV, then name that file.'],
];

const BYTE_ORDER_MARKS: ReadonlyArray<readonly [encoding: string, bytes: Buffer]> = [
	['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
	['utf-16le', Buffer.from([0xff, 0xfe])],
	['utf-16be', Buffer.from([0xfe, 0xff])],
];

/**
 * Decodes by byte-order mark, otherwise by the option `encoding`, otherwise as UTF-8. No other is guessed, because a wrong
 * guess would be paid for in every row.
 * @throws {CsvProblem} if the file has another format, or is not in this encoding
 */
export function decodeFile(file: string, bytes: Buffer, encodingOption: string | null): string {
	const option = findEncoding(encodingOption ?? 'utf-8');
	const encoding = findByteOrderMark(bytes) ?? option;
	const text = decode(encoding, bytes);
	refuseOtherFormat(file, text ?? bytes.toString('latin1', 0, 1024));
	if (text !== null) return text;
	if (encoding === 'utf-8') throw notUtf8(file, bytes);
	throw new CsvProblem(`${file} is not ${encoding}.`, SAVE_AS_CSV);
}

function findByteOrderMark(bytes: Buffer): string | null {
	const mark = BYTE_ORDER_MARKS.find(([, markBytes]) =>
		markBytes.equals(bytes.subarray(0, markBytes.length)),
	);
	return mark?.[0] ?? null;
}

/** Returns the name of an encoding as TextDecoder spells it. */
function findEncoding(name: string): string {
	try {
		return new TextDecoder(name.trim()).encoding;
	} catch {
		throw new CsvProblem(
			`unknown encoding ${quote(name)}.`,
			'Examples: utf-8, utf-16le, windows-1252 (Western Europe), windows-1250 (Central Europe), windows-1251 (Cyrillic), shift_jis, gb18030, big5, euc-kr.',
			{ name: 'encoding' },
		);
	}
}

/** Returns the text without its byte-order mark, or null if the bytes are not in this encoding. */
function decode(encoding: string, bytes: Buffer): string | null {
	// TextDecoder takes longer, and twice the memory for ASCII.
	if (encoding === 'utf-8')
		return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\ufeff/, '') : null;
	try {
		const decoder = new TextDecoder(encoding, { fatal: true });
		// Without `stream`, Node.js 20 decodes windows-1252 as latin1, so that € and curly quotes are lost.
		return decoder.decode(bytes, { stream: true }) + decoder.decode();
	} catch {
		return null;
	}
}

function refuseOtherFormat(file: string, text: string): void {
	const start = text.slice(0, 1024);
	const [, name, advice = ''] = OTHER_FORMATS.find(([pattern]) => pattern.test(start)) ?? [];
	if (name !== undefined) throw new CsvProblem(`${file} is ${name}, not a CSV file.`, advice);
	const nul = text.indexOf('\0');
	if (nul === -1) return;
	const line = text.slice(0, nul).split(/\r\n|\r|\n/).length;
	throw new CsvProblem(`${file} contains binary data (NUL) on line ${line}.`, SAVE_AS_CSV);
}

/** The user recognizes the right encoding by the samples. */
function notUtf8(file: string, bytes: Buffer): CsvProblem {
	return new CsvProblem(
		`${file} is not UTF-8. Read as windows-1252, it contains: ${listQuoted(findSamples(bytes))}.`,
		[
			{ text: 'If that is correct, add:', options: { encoding: 'windows-1252' } },
			{
				text: 'Otherwise save the file as “CSV UTF-8”, or name its encoding:',
				options: { encoding: 'NAME' },
			},
		],
	);
}

const MAX_SAMPLES = 3;

/** Returns the first cells with letters beyond ASCII, from lines that are not UTF-8. */
function findSamples(bytes: Buffer): string[] {
	const samples = new Set<string>();
	for (let start = 0; start < bytes.length && samples.size < MAX_SAMPLES;) {
		const end = bytes.indexOf('\n', start) + 1 || bytes.length;
		const line = bytes.subarray(start, end);
		start = end;
		if (isUtf8(line)) continue;
		const cells = (decode('windows-1252', line) ?? '').split(/[,;\t\r\n"]+/);
		for (const cell of cells) if (/[^\0-\x7f]/.test(cell)) samples.add(cell.trim());
	}
	return [...samples].slice(0, MAX_SAMPLES);
}
