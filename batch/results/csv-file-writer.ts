import type { CsvForm } from '../csv/table';
import { FileBeside, type Disk } from '../disk';
import { encoderOf } from './in-encoding';

/** Large enough for few writes, small enough not to matter in memory. */
const CHUNK_CHARACTERS = 64 * 1024;

/** Programs split a CSV at these. */
const DELIMITERS = [',', ';', '\t'];

/** Writes a CSV file beside its place, record by record. */
export class CsvFileWriter {
	private file: FileBeside | null = null;
	private text = '';
	private readonly encode: (text: string) => Buffer;

	constructor(
		private readonly disk: Disk,
		private readonly path: string,
		private readonly form: CsvForm,
	) {
		this.encode = encoderOf(form.encoding);
	}

	get isEmpty(): boolean {
		return this.file === null;
	}

	/**
	 * Writes a record; the first one opens the file.
	 * @param added cells after those of the CSV, which no program splits, whatever it takes for the delimiter
	 */
	async put(own: readonly string[], added: readonly string[] = []): Promise<void> {
		if (this.file === null) {
			this.file = await FileBeside.open(this.disk, this.path);
			if (this.form.bom) this.text = '\ufeff';
		}
		const { delimiter, lineEnd } = this.form;
		const cells = [
			...own.map((cell) => quoted(cell, [delimiter])),
			...added.map((cell) => quoted(cell, [delimiter, ...DELIMITERS])),
		];
		this.text += cells.join(delimiter) + lineEnd;
		if (this.text.length >= CHUNK_CHARACTERS) await this.flush();
	}

	/** @returns the finished file, still beside its place; null without a record */
	async finish(): Promise<FileBeside | null> {
		await this.flush();
		await this.file?.finish();
		return this.file;
	}

	/** Gives up, and leaves an older file as it was. */
	async abandon(): Promise<void> {
		await this.file?.discard();
	}

	private async flush(): Promise<void> {
		const { text } = this;
		this.text = '';
		if (text !== '') await this.file?.write(this.encode(text));
	}
}

/** Most readers end a row at a lone CR too, and take a byte order mark off the first cell if it is not quoted. */
const NEEDS_MARKS = /["\r\n]|^\ufeff/;

function quoted(cell: string, delimiters: readonly string[]): string {
	const isSplit = delimiters.some((delimiter) => cell.includes(delimiter));
	return isSplit || NEEDS_MARKS.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
