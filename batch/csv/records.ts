import { Parser } from 'csv-parse';
import { Failure } from '../failure';
import { hasBrokenQuote } from './quotes';

/** Far above any real row, and little enough to hold in memory while looking for the end of a row. */
const RECORD_MAX_BYTES = 1024 * 1024;

export interface Records {
	/** The cells of each record, blank lines included, so that counting them gives the spreadsheet's row numbers. */
	records: string[][];
	/** Records with a quotation mark that is not closed in its cell, and over how many lines they reach. */
	broken: ReadonlyMap<string[], number>;
}

/** Turns UTF-8 bytes into records, chunk by chunk, wherever the chunks are cut. */
export class RecordReader {
	private readonly parser: PushParser;
	private readonly rawDelimiter: string;
	private records: string[][] = [];
	private broken = new Map<string[], number>();
	/** Records that were handed out before. */
	private count = 0;
	/** The bytes that the records at hand are read from, and where in the text those start. */
	private bytes: Buffer = Buffer.alloc(0);
	private bytesStart = 0;
	/** Where in the text the next record starts. */
	private recordStart = 0;

	constructor(delimiter: string) {
		this.rawDelimiter = Buffer.from(delimiter).toString('latin1');
		this.parser = new PushParser(delimiter, (record) => this.take(record));
	}

	async push(chunk: Buffer): Promise<Records> {
		this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk]);
		await this.parser.feed(chunk);
		this.bytes = this.bytes.subarray(this.recordStart - this.bytesStart);
		this.bytesStart = this.recordStart;
		if (this.bytes.length > RECORD_MAX_BYTES) this.refuse('goes on for more than 1 MB');
		return this.handOut();
	}

	async end(): Promise<Records> {
		if (!(await this.parser.finish())) this.refuse('is never closed');
		return this.handOut();
	}

	private take(record: string[]): void {
		const start = this.recordStart;
		this.recordStart = this.parser.info.bytes;
		this.records.push(record);
		// A broken cell keeps its quotation mark: only then is the record's source worth a look.
		if (!record.some(startsWithQuote)) return;
		const at = start - this.bytesStart;
		const source = this.bytes.toString('latin1', at, this.recordStart - this.bytesStart);
		if (!hasBrokenQuote(source, this.rawDelimiter)) return;
		this.broken.set(record, source.trimEnd().split(/\r\n|\n|\r/).length);
	}

	private handOut(): Records {
		const { records, broken } = this;
		this.count += records.length;
		this.records = [];
		if (broken.size > 0) this.broken = new Map();
		return { records, broken };
	}

	/** Stops instead of going on with the next line, which may be the middle of a cell: rows made of it would be paid. */
	private refuse(what: string): never {
		const row = this.count + this.records.length + 1;
		throw new Failure(
			`Row ${row} opens a quotation mark (") that ${what}.`,
			`Look at row ${row}: close the quotation mark or remove it. Inside a quoted cell it is written twice ("").`,
		);
	}
}

function startsWithQuote(cell: string): boolean {
	return cell.charCodeAt(0) === 34;
}

/**
 * csv-parse, with its records taken where they come up: handing them through a stream one by one would take a third
 * of the time. Quotation marks in the middle of a cell (a 12" pan) are text, as they are to spreadsheets.
 */
class PushParser extends Parser {
	constructor(
		delimiter: string,
		private readonly onRecord: (record: string[]) => void,
	) {
		super({
			delimiter,
			record_delimiter: ['\r\n', '\n', '\r'],
			relax_quotes: true,
			relax_column_count: true,
		});
		// Every error reaches the callbacks below too.
		this.on('error', () => undefined);
	}

	override push(record: string[] | null): boolean {
		if (record === null) return super.push(null);
		this.onRecord(record);
		return true;
	}

	async feed(chunk: Buffer): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			this.write(chunk, (error) => {
				if (error) reject(error);
				else resolve();
			});
		});
	}

	/** False where the text ends within a quotation. */
	async finish(): Promise<boolean> {
		return await new Promise<boolean>((resolve, reject) => {
			this.once('error', (error: Error & { code?: string }) => {
				if (error.code === 'CSV_QUOTE_NOT_CLOSED') resolve(false);
				else reject(error);
			});
			this.once('finish', () => resolve(true));
			this.end();
		});
	}
}
