import { readRecords, type Dialect, type NumberedBatch } from './read-records';
import type { CsvSource } from './source';

/**
 * The records of a CSV in another encoding, beside those of the main reading: what a damaged row may be meant to say.
 * Delimiters, quotation marks and line ends are the same bytes in both, so the records have the same numbers.
 */
export class OtherReading {
	private batches: AsyncGenerator<NumberedBatch> | undefined;
	private batch: NumberedBatch | undefined;

	constructor(
		private readonly source: CsvSource,
		private readonly dialect: Dialect,
		/** As --encoding takes it. */
		private readonly encoding: string,
	) {}

	/** A record. To be asked for in the order of the file. */
	async read(number: number): Promise<{ encoding: string; cells: readonly string[] }> {
		const { encoding } = this;
		const as = { ...this.dialect, encoding: { name: encoding, bomBytes: 0 } };
		this.batches ??= readRecords(this.source, as);
		for (;;) {
			const cells = this.batch?.records[number - this.batch.first];
			if (cells !== undefined) return { encoding, cells };
			const next = await this.batches.next();
			if (next.done === true) return { encoding, cells: [] };
			this.batch = next.value;
		}
	}

	/** Closes the file. */
	async close(): Promise<void> {
		await this.batches?.return(undefined);
	}
}
