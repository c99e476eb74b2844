import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { openTable, type Row } from '../../../batch/csv/table';
import { Records } from '../../../batch/folder/records';
import { escapeFormula } from '../../../batch/results/formula';
import { makePlan } from '../../../batch/plan/plan';
import { RESULT_COLUMNS } from '../../../batch/results/result-columns';
import { writeResults } from '../../../batch/results/results';
import type { RowResult } from '../../../batch/results/row-result';
import { Stop } from '../../../batch/stop';
import { MemoryDisk } from '../../support/batch/memory-disk';
import { aRow, AT_THE_END } from '../../support/batch/result-fixtures';
import { fileOf } from '../../support/batch/read-csv';
import { draws, isTorture } from '../../support/long-run';

const FILES = Number(process.env.FILES ?? (isTorture ? 20_000 : 600));
jest.setTimeout(isTorture ? 7_200_000 : 300_000);

/** What makes trouble in a cell, for whoever splits, quotes, guesses or opens it in a spreadsheet. */
const piece = fc.oneof(
	fc.constantFrom('"', '""', ',', ';', '\t', '|', '\n', '\r\n', '\r', "'", '\\', ' ', '\u00a0'),
	fc.constantFrom(
		'=1+1',
		'@cmd',
		'+1',
		'-2',
		'=HYPERLINK("x")',
		'\ufeff',
		'\u0000',
		'é',
		'😀',
		'\u202e',
	),
	fc.string({ maxLength: 6 }),
	fc.constantFrom('Serum', 'https://example.com/a', '1729000001', '1,5', 'NaN', '__proto__'),
);
const cell = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
const name = fc.oneof({ weight: 4, arbitrary: fc.string({ minLength: 2, maxLength: 20 }) }, cell);

interface Written {
	header: string[];
	rows: string[][];
	delimiter: string;
	isQuoted: boolean;
	lineEnd: string;
	encoding: 'utf8' | 'utf16le';
	bom: boolean;
}

const written: fc.Arbitrary<Written> = fc
	.record({
		own: fc.integer({ min: 0, max: 4 }),
		rows: fc.array(fc.tuple(name, cell, cell, cell, cell), { minLength: 1, maxLength: 12 }),
		delimiter: fc.constantFrom(',', ';', '\t', '|'),
		isQuoted: fc.boolean(),
		lineEnd: fc.constantFrom('\n', '\r\n'),
		encoding: fc.constantFrom('utf8' as const, 'utf16le' as const),
		bom: fc.boolean(),
	})
	.map(({ own, rows, encoding, bom, ...rest }) => ({
		...rest,
		header: ['Product Name', ...Array.from({ length: own }, (_, i) => `Own ${i}`)],
		rows: rows.map((row) => row.slice(0, own + 1)),
		encoding,
		bom: bom || encoding === 'utf16le',
	}));

function bytesOf({ header, rows, delimiter, isQuoted, lineEnd, encoding, bom }: Written): Buffer {
	const quoted = (text: string) =>
		isQuoted || /["\r\n]/.test(text) || text.includes(delimiter)
			? `"${text.replaceAll('"', '""')}"`
			: text;
	const lines = [header, ...rows].map((cells) => cells.map(quoted).join(delimiter));
	return Buffer.from((bom ? '\ufeff' : '') + lines.join(lineEnd) + lineEnd, encoding);
}

/** As `plan` reads it, and then as a run that came to nothing leaves results of it. */
async function planned(bytes: Buffer, delimiter?: string) {
	const table = await openTable(fileOf(bytes), { map: [], set: {}, delimiter });
	const { rows } = table;
	const given = { batch: 'spring', rows, records: new Records() };
	const plan = makePlan({ ...given, options: {} });
	expect(plan.rows).toHaveLength(rows.length);
	const disk = new MemoryDisk();
	const results = { ...table, rows: rows.map(asResult) };
	await writeResults(disk, 'out', results, AT_THE_END);
	const options = { delimiter: table.delimiter, bom: true, relax_column_count: true };
	const left: string[][] = parse(disk.bytes('out/results.csv'), options);
	return { table, rows, left };
}

/** What the service sends is as hostile as the CSV: the row’s own name comes back as a title. */
function asResult({ number, cells, problems }: Row): RowResult {
	const text = cells[0] ?? '';
	const status = problems.length > 0 ? 'invalid' : 'ready';
	return aRow({ number, cells, status, title: text, url: `=${text}`, error: `-${text}` });
}

const RUNS_AS_FORMULA = /^[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

function expectRoundTrip({ table, rows, left }: Awaited<ReturnType<typeof planned>>): void {
	const own = table.columns.length;
	const [header = [], ...lines] = left;
	expect(header).toEqual([...table.columns, ...RESULT_COLUMNS]);
	expect(lines.map((line) => line.slice(0, own))).toEqual(rows.map(({ cells }) => cells));
	for (const line of lines) {
		const ours = line.slice(own);
		for (const text of ours.flatMap((cell) => [cell, ...cell.split(/[;\t\r\n]/)]))
			expect(text).not.toMatch(RUNS_AS_FORMULA);
	}
	const titles = rows.map(({ cells }) => escapeFormula(cells[0] ?? ''));
	expect(lines.map((line) => line[own + 2] ?? '')).toEqual(titles);
}

test('a CSV that is well written comes back byte for byte in its own columns, and nothing that is added is a formula', async () => {
	let accepted = 0;
	await fc.assert(
		fc.asyncProperty(written, async (given) => {
			try {
				const result = await planned(bytesOf(given), given.delimiter);
				expectRoundTrip(result);
				const isBlank = (row: string[]) => row.every((text) => text.trim() === '');
				expect(result.rows.map(({ cells }) => cells)).toEqual(
					given.rows.filter((row) => !isBlank(row)),
				);
				accepted += 1;
			} catch (error) {
				if (!(error instanceof Stop)) throw error;
			}
		}),
		draws(FILES, 20261120),
	);
	// Refusals are for files with NUL bytes and the like, and must stay the exception.
	expect(accepted).toBeGreaterThan(FILES / 2);
});

interface Damage {
	at: number;
	how: 'change' | 'remove' | 'insert' | 'cut';
	byte: number;
}

/** Any byte, and more often one that means something in a CSV. */
const byte = fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('",;\t\n\r\0aé|= ')));
const damage: fc.Arbitrary<Damage> = fc.record({
	at: fc.nat(),
	how: fc.constantFrom('change', 'remove', 'insert', 'cut'),
	byte,
});

function damaged(bytes: Buffer, { at, how, byte }: Damage): Buffer {
	const place = at % (bytes.length + 1);
	const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
	if (how === 'cut') return Buffer.from(before);
	const middle = Buffer.from(how === 'remove' ? [] : [byte]);
	return Buffer.concat([before, middle, after.subarray(how === 'insert' ? 0 : 1)]);
}

/** A CSV that was well written, with some bytes that are wrong; or one that goes on with bytes of any kind. */
const anyBytes = fc.oneof(
	fc
		.tuple(written, fc.array(damage, { minLength: 1, maxLength: 6 }))
		.map(([given, damages]) => damages.reduce(damaged, bytesOf(given))),
	fc
		.tuple(
			fc.constantFrom('', 'Name,Goal\n', '\ufeffName;Goal\r\n', 'sep=;\n', 'Name\n"'),
			fc.array(byte, { maxLength: 60 }),
		)
		.map(([start, bytes]) => Buffer.concat([Buffer.from(start), Buffer.from(bytes)])),
);

test('whatever its bytes, a CSV is read or refused with a text, and what is read comes back as it was read', async () => {
	await fc.assert(
		fc.asyncProperty(anyBytes, fc.constantFrom(undefined, ',', ';'), async (bytes, delimiter) => {
			try {
				expectRoundTrip(await planned(bytes, delimiter));
			} catch (error) {
				if (!(error instanceof Stop)) throw error;
				expect(error.what.length).toBeGreaterThan(10);
			}
		}),
		draws(FILES, 20261120),
	);
});
