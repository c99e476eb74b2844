import { once } from 'node:events';
import { stringify } from 'csv-stringify';
import type { CsvForm } from '../csv/table';
import { writeWhole, type Disk } from '../disk';
import { inEncoding } from './in-encoding';

/** Large enough for few writes, small enough not to matter in memory. */
const CHUNK_BYTES = 64 * 1024;

/** Writes a CSV file that is whole or absent, record by record in constant memory. */
export class CsvFileWriter {
	private readonly records;
	/** Resolves when the file is in its place or could not be written; never rejects. */
	private written: Promise<void> | null = null;
	private error: Error | null = null;

	constructor(
		private readonly disk: Disk,
		private readonly path: string,
		private readonly form: CsvForm,
	) {
		const { delimiter, bom, lineEnd } = form;
		this.records = stringify({
			delimiter,
			bom,
			record_delimiter: lineEnd,
			// Off by default once a record delimiter is given. Unquoted, a lone CR in a cell would end the row for most readers.
			quote_record_delimiter: true,
			// Unquoted, a first cell that begins with a byte order mark would lose it when the file is read.
			quoted_match: /^\ufeff/,
			readableHighWaterMark: CHUNK_BYTES,
		});
		// `put` and `finish` throw what ended the stream.
		this.records.on('error', () => undefined);
	}

	get isEmpty(): boolean {
		return this.written === null;
	}

	/** Writes a record; the first one opens the file. Waits while records come faster than the disk takes them. */
	async put(record: string[]): Promise<void> {
		this.written ??= writeWhole(this.disk, this.path, this.bytes()).catch((error: unknown) => {
			this.error = error as Error;
			this.records.destroy();
		});
		if (!this.records.write(record))
			await Promise.race([once(this.records, 'drain'), this.written]);
		this.check();
	}

	/** Puts the file in its place, or removes an older one where there was no record. */
	async finish(): Promise<void> {
		if (this.written === null) return this.disk.remove(this.path);
		this.records.end();
		await this.written;
		this.check();
	}

	/** Gives up, and leaves an older file as it was. */
	async abandon(): Promise<void> {
		this.records.destroy(new Error('Given up'));
		await this.written;
	}

	private bytes(): AsyncIterable<Uint8Array> {
		const { encoding } = this.form;
		return encoding === 'utf-8' ? this.records : inEncoding(this.records, encoding);
	}

	private check(): void {
		if (this.error !== null) throw this.error;
	}
}
