import { Parser } from 'csv-parse';

export interface ParsedRecord {
	cells: string[];
	/** Where the record starts and ends in the bytes that the parser was fed, with its line end. */
	start: number;
	end: number;
}

/**
 * csv-parse, with the records collected as they are parsed: passing each through a stream would take a third of the
 * time. A quotation mark in the middle of a cell (a 12" pan) is text, as it is to spreadsheets.
 */
export class PushParser extends Parser {
	private parsed: ParsedRecord[] = [];
	private lastEnd = 0;
	/** How many bytes it was fed so far. */
	fed = 0;

	constructor(delimiter: string) {
		super({
			delimiter,
			record_delimiter: ['\r\n', '\n', '\r'],
			relax_quotes: true,
			relax_column_count: true,
		});
		// The callbacks below get every error too.
		this.on('error', () => undefined);
	}

	override push(record: string[] | null): boolean {
		if (record === null) return super.push(null);
		const end = this.info.bytes;
		this.parsed.push({ cells: record, start: this.lastEnd, end });
		this.lastEnd = end;
		return true;
	}

	/** The records that end in this chunk. Its last few bytes are read with the next chunk. */
	async feed(chunk: Buffer): Promise<ParsedRecord[]> {
		this.fed += chunk.length;
		await new Promise<void>((resolve, reject) => {
			this.write(chunk, (error) => {
				if (error) reject(error);
				else resolve();
			});
		});
		return this.takeParsed();
	}

	/** The records up to the end of the text, or null where it ends within a quotation. */
	async finish(): Promise<ParsedRecord[] | null> {
		const isClosed = await new Promise<boolean>((resolve, reject) => {
			this.once('error', (error: Error & { code?: string }) => {
				if (error.code === 'CSV_QUOTE_NOT_CLOSED') resolve(false);
				else reject(error);
			});
			this.once('finish', () => resolve(true));
			this.end();
		});
		return isClosed ? this.takeParsed() : null;
	}

	private takeParsed(): ParsedRecord[] {
		const { parsed } = this;
		this.parsed = [];
		return parsed;
	}
}
