import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { Failure } from '../../../batch/failure';
import { RecordReader } from '../../../batch/csv/record-reader';

const OPTIONS = {
	record_delimiter: ['\r\n', '\n', '\r'],
	relax_quotes: true,
	relax_column_count: true,
};

async function read(
	text: string | Buffer,
	chunkBytes: number,
	delimiter = ',',
): Promise<string[][]> {
	const reader = new RecordReader(delimiter);
	const bytes = Buffer.from(text);
	const records: string[][] = [];
	for (let at = 0; at < bytes.length; at += chunkBytes) {
		records.push(...(await reader.push(bytes.subarray(at, at + chunkBytes))).records);
	}
	records.push(...(await reader.end()).records);
	return records;
}

/** Pieces that make trouble for whoever looks for the ends of cells and rows. */
const piece = fc.constantFrom(
	...['"', '""', '"a"', '"b,c"', '"d\ne"', '"f\r\ng"', '"h""i"', '12" pan', 'é', '€uro', '😀'],
	...[',', ',', ',', ';', '\n', '\n', '\r\n', '\r\n', '\r', ' ', 'plain', '\ufeff'],
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

jest.setTimeout(120_000);

describe('records', () => {
	test('are those of csv-parse, whatever the text and wherever the chunks are cut', async () => {
		await fc.assert(
			fc.asyncProperty(text, fc.integer({ min: 1, max: 30 }), async (csv, chunkBytes) => {
				let expected: string[][] | null = null;
				try {
					expected = parse(csv, OPTIONS);
				} catch {
					await expect(read(csv, chunkBytes)).rejects.toBeInstanceOf(Failure);
				}
				if (expected !== null) expect(await read(csv, chunkBytes)).toEqual(expected);
			}),
			{ numRuns: 3000 },
		);
	});

	test.each(['§', '€'])('are those of csv-parse where “%s” is the delimiter', async (delimiter) => {
		const csv = `a${delimiter}"b${delimiter}c"\nd${delimiter}e\n`;
		for (let chunkBytes = 1; chunkBytes < 20; chunkBytes++) {
			expect(await read(csv, chunkBytes, delimiter)).toEqual([
				['a', `b${delimiter}c`],
				['d', 'e'],
			]);
		}
	});

	test('with quotation marks in the middle of their cells are read on where other rows have none', async () => {
		const rows = Array.from(
			{ length: 40_000 },
			(_, at) => `A 12" pan ${at},${at === 0 ? '' : '1'}`,
		);
		const records = await read(rows.join('\n'), 64 * 1024);
		expect(records).toHaveLength(40_000);
		expect(records[39_999]).toEqual(['A 12" pan 39999', '1']);
	});
});
