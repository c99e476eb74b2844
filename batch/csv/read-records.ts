import { Failure } from '../failure';
import { asUtf8, type Encoding } from './encoding';
import { RecordReader, type RecordBatch } from './record-reader';
import type { CsvSource } from './source';

/** How a CSV is written, and read. */
export interface Dialect {
	encoding: Encoding;
	delimiter: string;
	/** Bytes read at a time. */
	chunkBytes: number;
}

export interface NumberedBatch extends RecordBatch {
	/** The number of its first record, counted from 1. */
	first: number;
}

/** Reads a CSV from its start in batches of records, with the blank lines. */
export async function* readRecords(
	source: CsvSource,
	dialect: Dialect,
): AsyncGenerator<NumberedBatch> {
	const reader = new RecordReader(dialect.delimiter);
	let first = 1;
	const numbered = (records: RecordBatch): NumberedBatch => {
		const batch = { ...records, first };
		first += records.records.length;
		return batch;
	};
	for await (const chunk of asUtf8(source.chunks(dialect.chunkBytes), dialect.encoding)) {
		const nul = chunk.indexOf(0);
		yield numbered(await reader.push(nul === -1 ? chunk : chunk.subarray(0, nul)));
		if (nul === -1) continue;
		throw new Failure(
			`${source.title} is damaged: row ${first} holds bytes that are no text (NUL).`,
			'Export it from the spreadsheet again, as “CSV UTF-8”.',
		);
	}
	yield numbered(await reader.end());
}
