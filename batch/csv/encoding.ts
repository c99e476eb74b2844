import { isAscii, isUtf8 } from 'node:buffer';
import { Failure } from '../failure';
import type { CsvSource } from './source';
import { excerpt } from './wording';

export interface Encoding {
	/** As TextDecoder names it. */
	name: string;
	/** The length of the byte order mark; 0 where there is none. */
	bomBytes: number;
	/** What --encoding asked for, where the mark says otherwise. */
	overruled?: string;
	/** Whether nothing but its bytes tells that it is UTF-16. */
	isGuessed?: boolean;
}

const BOMS = [
	{ name: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
	{ name: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
	{ name: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
];

/** A byte order mark wins over --encoding: no text starts with those bytes. */
export function detectEncoding(start: Buffer, wanted: string | undefined): Encoding {
	const asked = wanted === undefined ? undefined : encodingNamed(wanted);
	const bom = BOMS.find(({ mark }) => mark.equals(start.subarray(0, mark.length)));
	if (bom !== undefined) {
		const overruled = asked === bom.name ? undefined : asked;
		return { name: bom.name, bomBytes: bom.mark.length, overruled };
	}
	const guessed = asked === undefined ? utf16WithoutMark(start) : null;
	return { name: asked ?? guessed ?? 'utf-8', bomBytes: 0, isGuessed: guessed !== null };
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

/**
 * In UTF-16 one byte of each Latin letter, digit, comma and line end is NUL, always at odd or always at even places.
 */
function utf16WithoutMark(start: Buffer): string | null {
	const nuls: [even: number, odd: number] = [0, 0];
	for (let at = 0; at < start.length; at++) if (start[at] === 0) nuls[(at & 1) as 0 | 1]++;
	const [even, odd] = nuls;
	const many = start.length / 2 / 4;
	if (odd > many && even * 20 < odd) return 'utf-16le';
	if (even > many && odd * 20 < even) return 'utf-16be';
	return null;
}

/** The same text as UTF-8 without a mark, which is what the CSV parser reads. */
export async function* asUtf8(
	chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
	{ name, bomBytes }: Encoding,
): AsyncGenerator<Buffer> {
	const isUtf8Already = name === 'utf-8';
	const decoder = new TextDecoder(name, { ignoreBOM: true });
	let toSkip = bomBytes;
	for await (const whole of chunks) {
		const chunk = whole.subarray(Math.min(toSkip, whole.length));
		toSkip -= whole.length - chunk.length;
		// `stream` matters for complete texts too: without it, Node reads windows-1252 as if it were latin1.
		const utf8 = isUtf8Already ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
		if (utf8.length > 0) yield utf8;
	}
	const rest = isUtf8Already ? Buffer.alloc(0) : Buffer.from(decoder.decode());
	if (rest.length > 0) yield rest;
}

/** Encodings of one byte a character, in which any UTF-8 can be read as other text. */
const ONE_BYTE = /^(windows-12|iso-8859-|macintosh)/;

/**
 * Refuses a file that is UTF-8 where --encoding says otherwise: its rows would be ordered with other words. Text of
 * another encoding is UTF-8 by chance only where it has hardly a character beyond ASCII.
 */
export function refuseWrongEncoding(
	{ title }: CsvSource,
	start: Buffer,
	{ name, bomBytes }: Encoding,
): void {
	if (bomBytes > 0 || !ONE_BYTE.test(name) || isAscii(start) || isDamagedUtf8(start)) return;
	const line = start
		.toString('latin1')
		.split(/[\r\n]/)
		.find((text) => /[^\0-\x7f]/.test(text));
	const bytes = Buffer.from(line ?? '', 'latin1');
	const read = new TextDecoder(name).decode(bytes, { stream: true });
	throw new Failure(
		`${title} is UTF-8. As ${name}, which --encoding says, ${excerpt(bytes.toString())} would become ${excerpt(read)}.`,
		'Leave --encoding out.',
	);
}

/** How the encoding was found, where a person should check it. */
export function encodingNotices(
	{ name, bomBytes, overruled, isGuessed }: Encoding,
	utf8: Buffer,
): string[] {
	const notices: string[] = [];
	if (isGuessed === true) {
		const [line = ''] = utf8
			.toString('utf8', 0, 4096)
			.trimStart()
			.split(/[\r\n]/);
		notices.push(
			`The file looks like ${name}, although no byte order mark says so: its first line reads ${excerpt(line)}. If that is wrong, name the encoding with --encoding.`,
		);
	}
	if (bomBytes > 0 && overruled !== undefined) {
		notices.push(
			`The file starts with the byte order mark of ${name}: it is read as that, not as ${overruled}.`,
		);
	}
	return notices;
}

/** Whether the start of a file is not UTF-8. A character that its end cuts in two does not count. */
function isDamagedUtf8(start: Buffer): boolean {
	return [0, 1, 2, 3].every((cut) => !isUtf8(start.subarray(0, Math.max(0, start.length - cut))));
}
