import { isAscii, isUtf8 } from 'node:buffer';
import { Failure } from '../failure';
import type { HeaderMap } from './columns';
import type { Encoding } from './encoding';
import type { Header } from './find-header';
import { fieldOf, normalised } from './headers';
import { OtherReading } from './other-reading';
import type { Dialect } from './read-records';
import { readingsOf, type Reading } from './readings';
import type { CsvSource } from './source';
import { excerpt, list, quoted } from './wording';

/** The bytes of a CSV that should be UTF-8 and is not. */
export interface Damage {
	/** The first line that is not UTF-8, counted from 1. */
	line: number;
	/** How that line reads in other encodings, the likeliest first. */
	readings: Reading[];
	/** Whether other lines are UTF-8, so that no one encoding fits the whole file. */
	isMixed: boolean;
}

/** Large, because the whole file is looked through before anything else. */
const CHUNK_BYTES = 256 * 1024;
/** A line that is longer is looked at in pieces. */
const LINE_MAX_BYTES = 1024 * 1024;
/** Enough lines to tell which encoding it is. */
const LINES_EXAMINED = 50;
const LF = 10;
const CR = 13;

/** Looks through a CSV that is read as UTF-8; null where it is all UTF-8. */
export async function findDamage(source: CsvSource, encoding: Encoding): Promise<Damage | null> {
	const damaged: Buffer[] = [];
	let line = 0;
	let number = 1;
	let isMixed = encoding.bomBytes > 0;
	for await (const lines of wholeLines(source)) {
		if (isUtf8(lines.bytes)) {
			isMixed ||= !isAscii(lines.bytes);
			if (damaged.length === 0) number += countLines(lines);
			continue;
		}
		for (const one of split(lines)) {
			if (isUtf8(one)) isMixed ||= !isAscii(one);
			else if (damaged.length < LINES_EXAMINED) damaged.push(one);
			if (line === 0 && damaged.length > 0) line = number;
			number += 1;
		}
	}
	const [first] = damaged;
	if (first === undefined) return null;
	const readings = readingsOf(Buffer.concat(damaged)).map(({ encoding: name }) => ({
		encoding: name,
		text: new TextDecoder(name).decode(first, { stream: true }).trim(),
	}));
	return { line, readings, isMixed };
}

/** What the damage is, for a person to see which encoding it is. */
export function damageNotice({ line, readings, isMixed }: Damage): string {
	const read = readings.map(({ encoding, text }) => `as ${encoding}: ${excerpt(text)}`);
	const [first] = readings;
	const shown = `line ${line} reads ${list(read, 3, 'or')}`;
	if (isMixed) {
		return `The file is not all UTF-8, although parts of it are: ${shown}. Save it as “CSV UTF-8” where it was made, and correct the characters there that are damaged then.`;
	}
	const add =
		readings.length === 1
			? `If that is right, add --encoding ${first?.encoding ?? ''}.`
			: 'Add --encoding with the one that is right.';
	return `The file is not all UTF-8: ${shown}. ${add} If not, save the file as “CSV UTF-8”.`;
}

/**
 * Refuses a header whose damaged names would serve a field: its column would not be sent, which no row tells.
 * @throws {Failure}
 */
export async function refuseDamagedHeader(
	source: CsvSource,
	dialect: Dialect,
	{ columns, number }: Header,
	map: HeaderMap,
	damage: Damage,
): Promise<void> {
	const damaged = [...columns.keys()].filter((at) => columns[at]?.includes('\ufffd'));
	if (damaged.length === 0) return;
	for (const { encoding } of damage.readings) {
		const reading = new OtherReading(source, dialect, encoding);
		const { cells: meant } = await reading.read(number);
		await reading.close();
		const lost = damaged.map((at) => meant[at] ?? '').filter((name) => serves(name, map));
		if (lost.length === 0) continue;
		throw new Failure(
			`The header, row ${number}, is not UTF-8: it reads as ${encoding}: ${list(lost.map(quoted))}.`,
			damage.isMixed
				? 'Save the file as “CSV UTF-8” where it was made.'
				: `If that is right, add --encoding ${encoding}. If not, save the file as “CSV UTF-8”.`,
		);
	}
}

function serves(name: string, map: HeaderMap): boolean {
	return (
		fieldOf(name) !== undefined || map.some(({ header }) => normalised(header) === normalised(name))
	);
}

/** The encoding to show damaged rows in; null where no one encoding fits the whole file. */
export function likelyEncoding(damage: Damage | null): string | null {
	return damage === null || damage.isMixed ? null : (damage.readings[0]?.encoding ?? null);
}

/** What to do about a cell with a damaged character. */
export function damageCure({ name }: Encoding, damage: Damage | null): string {
	if (name !== 'utf-8') {
		return `Check whether the encoding is ${name} (--encoding), or save the file as “CSV UTF-8”.`;
	}
	if (damage === null) {
		return 'The file itself holds � in place of a character that another program has lost: type the cell again.';
	}
	const likely = likelyEncoding(damage);
	return likely === null
		? 'Save the file as “CSV UTF-8” where it was made, and type the cell again if it is damaged there.'
		: `If that is right, add --encoding ${likely}. If not, save the file as “CSV UTF-8”.`;
}

interface Lines {
	bytes: Buffer;
	/** LF, or CR in a file that has no LF. */
	lineEnd: number;
}

/** The bytes in pieces that end with a line. */
async function* wholeLines(source: CsvSource): AsyncGenerator<Lines> {
	let rest: Buffer = Buffer.alloc(0);
	let lineEnd: number | undefined;
	for await (const chunk of source.chunks(CHUNK_BYTES)) {
		lineEnd ??= chunk.includes(LF) ? LF : CR;
		const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
		const end =
			bytes.length > LINE_MAX_BYTES ? afterLastAscii(bytes) : bytes.lastIndexOf(lineEnd) + 1;
		if (end > 0) yield { bytes: bytes.subarray(0, end), lineEnd };
		rest = bytes.subarray(end);
	}
	if (rest.length > 0) yield { bytes: rest, lineEnd: lineEnd ?? LF };
}

/** No character of UTF-8 is cut in two there. */
function afterLastAscii(bytes: Buffer): number {
	const last = bytes.findLastIndex((byte) => byte < 0x80);
	return last === -1 ? bytes.length : last + 1;
}

function* split({ bytes, lineEnd }: Lines): Generator<Buffer> {
	let start = 0;
	while (start < bytes.length) {
		const end = bytes.indexOf(lineEnd, start) + 1 || bytes.length;
		yield bytes.subarray(start, end);
		start = end;
	}
}

function countLines({ bytes, lineEnd }: Lines): number {
	let count = 0;
	for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) count += 1;
	return count;
}
