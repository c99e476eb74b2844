import { CsvError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readRecords } from '../../../batch/csv/csv-records';
import { Stop } from '../../../batch/stop';

jest.setTimeout(60_000);

const piece = fc.constantFrom(
	...['"', '""', ',', ';', '\n', '\r\n', '\r', ' ', '\t', 'a', 'Soap', '12" pan', '😀', '\ufeff'],
);

/** As csv-parse reads it; null if a quotation mark is never closed. */
function readByPeer(text: string, delimiter: string): string[][] | null {
	try {
		return parse(text, {
			delimiter,
			record_delimiter: ['\r\n', '\n', '\r'],
			relax_quotes: true,
			relax_column_count: true,
		});
	} catch (error) {
		if (error instanceof CsvError) return null;
		throw error;
	}
}

function readByUs(text: string, delimiter: string): string[][] | null {
	try {
		return readRecords('a.csv', text, delimiter).records;
	} catch (error) {
		if (error instanceof Stop) return null;
		throw error;
	}
}

test('whatever is in it, a text is cut into the cells that csv-parse finds in it', () => {
	let closed = 0;
	fc.assert(
		fc.property(
			fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
			fc.constantFrom(',', ';', '\t', '😀'),
			(text, delimiter) => {
				const records = readByUs(text, delimiter);
				if (records !== null) closed += 1;
				expect(records).toEqual(readByPeer(text, delimiter));
			},
		),
		{ numRuns: 5000 },
	);
	expect(closed).toBeGreaterThan(1000);
});
