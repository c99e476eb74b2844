import { once } from 'node:events';
import { stringify } from 'csv-stringify';
import { writeWhole, type Disk } from '../disk';

/** Enough that few calls go to the disk, little enough not to be felt. */
const CHUNK_BYTES = 64 * 1024;

/** A CSV file that is whole or absent, written a record at a time in constant memory. */
export class CsvFileWriter {
	private readonly records;
	/** Ends when the file stands in its place, or could not be written; never rejects. */
	private written: Promise<void> | null = null;
	private error: Error | null = null;

	constructor(
		private readonly disk: Disk,
		private readonly path: string,
		delimiter: string,
		bom: boolean,
	) {
		this.records = stringify({
			delimiter,
			bom,
			record_delimiter: '\n',
			// Off by default once a record delimiter is given; a bare CR in a cell would end the row for most readers.
			quote_record_delimiter: true,
			// A first cell that begins with a byte order mark of its own would lose it to whoever reads the file.
			quoted_match: /^\ufeff/,
			readableHighWaterMark: CHUNK_BYTES,
		});
		// Whatever ends the stream reaches `put` and `finish` through `error`.
		this.records.on('error', () => undefined);
	}

	get isEmpty(): boolean {
		return this.written === null;
	}

	/** Opens the file with the first record. Waits while the rows come faster than the disk takes them. */
	async put(record: string[]): Promise<void> {
		this.written ??= writeWhole(this.disk, this.path, this.records).catch((error: unknown) => {
			this.error = error as Error;
			this.records.destroy();
		});
		if (!this.records.write(record))
			await Promise.race([once(this.records, 'drain'), this.written]);
		this.check();
	}

	/** Puts the file in its place, or removes an older one where no record came. */
	async finish(): Promise<void> {
		if (this.written === null) return this.disk.remove(this.path);
		this.records.end();
		await this.written;
		this.check();
	}

	/** Leaves what stood there before. */
	async abandon(): Promise<void> {
		this.records.destroy(new Error('Given up'));
		await this.written;
	}

	private check(): void {
		if (this.error !== null) throw this.error;
	}
}
