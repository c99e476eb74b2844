import fc from 'fast-check';
import { CsvProblem } from '../../../batch/csv/csv-problem';
import { isUsable, type Table } from '../../../batch/csv/types';
import { trimText } from '../../../core/input/text';
import { getPropertySettings, isTorture } from '../../support/long-run';
import { describeNotices, describeSteps, readCsv } from '../support/read-csv';

const FILES = Number(process.env.FILES ?? (isTorture ? 20_000 : 300));
jest.setTimeout(isTorture ? 7_200_000 : 300_000);

const parameters = getPropertySettings(FILES, 20261128);

/** Texts that are difficult for programs that split lines, quote cells or guess encodings. */
const piece = fc.oneof(
	fc.constantFrom('"', '""', ',', ';', '\t', '|', '\n', '\r\n', '\r', "'", '\\', ' ', '\u00a0'),
	fc.constantFrom('=1+1', '“', '”', '\ufeff', 'é', '松', '😀', '\u202e', '__proto__', 'sep=;'),
	fc.constantFrom('Serum', 'https://example.com/a', '1729000001', '1,5', 'NaN', 'Mandatory'),
	fc.string({ maxLength: 6 }),
);
const cell = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));

interface Spelling {
	readonly delimiter: string;
	readonly isQuoted: boolean;
	readonly lineEnd: string;
	readonly encoding: 'utf8' | 'utf8 with BOM' | 'utf16le' | 'utf16be';
}

const anySpelling: fc.Arbitrary<Spelling> = fc.record({
	delimiter: fc.constantFrom(',', ';', '\t'),
	isQuoted: fc.boolean(),
	lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
	encoding: fc.constantFrom('utf8', 'utf8 with BOM', 'utf16le', 'utf16be'),
});

function write(lines: ReadonlyArray<readonly string[]>, spelling: Spelling): Buffer {
	const toCell = (text: string) =>
		spelling.isQuoted || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
	const csv = lines
		.map((cells) => cells.map(toCell).join(spelling.delimiter) + spelling.lineEnd)
		.join('');
	if (spelling.encoding === 'utf8') return Buffer.from(csv);
	if (spelling.encoding === 'utf8 with BOM') return Buffer.from(`\ufeff${csv}`);
	const utf16 = Buffer.from(`\ufeff${csv}`, 'utf16le');
	return spelling.encoding === 'utf16le' ? utf16 : utf16.swap16();
}

const HEADER = ['SKU', 'Product Name', 'Audience', 'Note'];
/** The first cell ensures that no row is blank. */
const rows = fc.array(fc.tuple(fc.constant('S1'), cell, cell, cell), {
	minLength: 1,
	maxLength: 12,
});

test('a well-formed CSV is read with the cells and row numbers that were written', async () => {
	await fc.assert(
		fc.asyncProperty(rows, anySpelling, async (written, spelling) => {
			const table = await readCsv(write([HEADER, ...written], spelling));
			expect(table.delimiter).toBe(spelling.delimiter);
			expect(table.rows.map(({ cells }) => cells)).toEqual(written);
			expect(table.rows.map(({ number }) => number)).toEqual(written.map((_, at) => at + 2));
			for (const { cells, input } of table.rows.filter(isUsable))
				expect(input.product_name).toBe(trimText(cells[1] ?? ''));
		}),
		parameters,
	);
});

/** Any byte. Bytes with a meaning in a CSV are more frequent. */
const byte = fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('",;\t\n\r\0aé|= ')));
const bytes = fc.array(byte, { maxLength: 60 }).map((values) => Buffer.from(values));

/** A CSV with bytes inserted or replaced, or the start of a CSV followed by any bytes. */
const anyBytes = fc.oneof(
	fc
		.tuple(rows, anySpelling, bytes, fc.nat(), fc.nat(60))
		.map(([written, spelling, damage, at, removed]) => {
			const csv = write([HEADER, ...written], spelling);
			const index = at % (csv.length + 1);
			return Buffer.concat([csv.subarray(0, index), damage, csv.subarray(index + removed)]);
		}),
	fc
		.tuple(fc.constantFrom('', 'Name,Goal\n', '\ufeffName;Goal\r\n', 'sep=;\n', '{"', 'PK'), bytes)
		.map(([start, end]) => Buffer.concat([Buffer.from(start), end])),
);
const encoding = fc.constantFrom(null, 'windows-1252', 'utf-16le', 'shift_jis', 'none');

test('a CSV of any bytes is read, or refused with a message and next steps', async () => {
	await fc.assert(
		fc.asyncProperty(anyBytes, encoding, async (csv, name) => {
			const table = await readCsv(csv, { encoding: name }).catch(returnProblem);
			if (!(table instanceof CsvProblem)) return expectWhole(table);
			expect(table.message).toMatch(/.{10}/);
			expect(describeSteps(table)).not.toBe('');
		}),
		parameters,
	);
});

function returnProblem(error: unknown): CsvProblem {
	if (error instanceof CsvProblem) return error;
	throw error;
}

function expectWhole({ headers, rows: read }: Table): void {
	const numbers = read.map(({ number }) => number);
	expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
	for (const { cells } of read) expect(cells).toHaveLength(headers.length);
}

/**
 * Returns the numbers of the lines down to the header, and of the lines that notices name as skipped.
 * @param firstLine the first line that is not blank, which is the header without titles above it
 */
function listOtherLines(table: Table, firstLine: number): number[] {
	const text = describeNotices(table).join('\n');
	const header = Number(/^Row (\d+) is the header/m.exec(text)?.[1] ?? firstLine);
	const skipped = text.match(/^Skipped .*/gm) ?? [];
	const numbers = skipped.flatMap((notice) => notice.match(/\d+/g) ?? []);
	return [...Array.from({ length: header }, (_, index) => index + 1), ...numbers.map(Number)];
}

test('every line that is not blank is a row or reported as skipped', async () => {
	const line = fc.constantFrom(
		...['soap,Soap,sell', 'soap,,', 'mug,,', ',,', 'Handle,Title,Goal', 'handle,Title,Objective'],
		...['V3,Title,Goal', 'Mandatory,Mandatory,Optional', 'x,Mandatory,3', 'Spring campaign'],
		...['x,Please enter a name,Please select a goal', 'x,• Enter the title,', 'Exported,2026'],
		...['7,Enter the Dungeon,', 'Handle,Title,Goal,Price', 'Name,', 'item_sku,item_name,goal'],
	);
	const top = fc.constantFrom([], ['Handle,Title,Goal'], ['Spring campaign', 'Handle,Title,Goal']);
	const below = fc.array(line, { minLength: 1, maxLength: 7 });
	await fc.assert(
		fc.asyncProperty(top, below, async (above, others) => {
			const lines = [...above, ...others];
			const table = await readCsv(`${lines.join('\n')}\n`).catch(returnProblem);
			if (table instanceof CsvProblem) return;
			const firstLine = lines.findIndex((text) => text !== ',,') + 1;
			const found = table.rows.map(({ number }) => number);
			found.push(...listOtherLines(table, firstLine));
			const lost = lines.filter((text, at) => text !== ',,' && !found.includes(at + 1));
			expect(lost).toEqual([]);
			const valid = table.rows.filter(isUsable);
			for (const { input } of valid) expect(input.product_name).not.toMatch(/^Handle|^V3/);
		}),
		parameters,
	);
});
