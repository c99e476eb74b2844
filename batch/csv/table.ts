import { checkInput, INPUT_FIELDS, type InputField } from '../../service/input';
import { doubtfulNotice, judgeIds } from '../../service/rounded-id';
import { Failure } from '../failure';
import { isBlank, linksOf } from './cells';
import { findColumns, type HeaderMap } from './columns';
import { sepLineDelimiter, detectDelimiter, parseDelimiter } from './delimiter';
import { asUtf8, detectEncoding, isDamagedUtf8, type Encoding } from './encoding';
import { CHUNK_BYTES, readStart } from './read-file';
import { refuseBinary, refuseOtherFormats } from './not-csv';
import { batchIn } from './own-file';
import { readRecords, type Dialect } from './read-records';
import type { Row } from './row';
import { RowMaker } from './row-maker';

export type { Row, RowProblem } from './row';

export interface TableOptions {
	/** One character, or tab, comma or semicolon; detected where it is not given. */
	delimiter?: string;
	/** A label that TextDecoder knows; detected where it is not given. */
	encoding?: string;
	/** Columns whose field does not follow from their header. */
	map: HeaderMap;
	/** Values for rows that have none. */
	set: Readonly<Partial<Record<InputField, string>>>;
}

/** How a CSV is written. */
export interface CsvForm {
	delimiter: string;
	/** As TextDecoder names it. */
	encoding: string;
	/** Whether the file starts with a byte order mark. */
	bom: boolean;
	lineEnd: '\n' | '\r\n';
}

export interface Table extends CsvForm {
	file: string;
	/** The headers as in the CSV. */
	columns: string[];
	/** The batch that wrote this file, as its rows say: it is a failed.csv or deferred.csv. Null for any other CSV. */
	batch: string | null;
	/** Values for rows that have none, as --set gave them. */
	set: TableOptions['set'];
	/** How the CSV was read, for a person to check. */
	notices: string[];
	/** The rows, a batch at a time; each call reads the file anew. */
	rows(): AsyncGenerator<Row[]>;
}

/** Enough to detect encoding, delimiter and header. The rest of the file is only streamed. */
const START_BYTES = 64 * 1024;
const ROWS_EXAMINED = 200;

/**
 * Detects how a CSV is written and what its columns hold.
 * @throws {Failure} where it cannot be used
 */
export async function openTable(
	file: string,
	options: TableOptions,
	chunkBytes = CHUNK_BYTES,
): Promise<Table> {
	checkSet(options.set);
	const start = await readStart(file, START_BYTES);
	refuseOtherFormats(file, start);
	const encoding = detectEncoding(start, options.encoding);
	const text = await decode(start, encoding);
	refuseBinary(file, text);

	const isWhole = start.length < START_BYTES;
	const sep = sepLineDelimiter(text.toString('utf8', 0, 16));
	const delimiter =
		options.delimiter !== undefined
			? parseDelimiter(options.delimiter)
			: (sep ?? (await detectDelimiter(text, isWhole, options.map)));
	const dialect = { encoding, delimiter, chunkBytes };
	const header = await findHeader(file, dialect, sep === null ? 1 : 2);
	const { fieldColumns, notices } = findColumns(
		header.columns,
		options.map,
		givenFields(options.set),
	);
	const maker = new RowMaker(header.columns, fieldColumns, options.set, damageCure(encoding));
	const rows = () => readRows(file, dialect, header.number, maker);

	const first = await firstRows(rows());
	if (first.length === 0) {
		const cure = 'Check that it is the right file, or export the table again.';
		throw new Failure(`“${file}” holds a header, but no rows.`, cure);
	}
	const ids = first.map(({ input }) => input.product_id);
	const judgement = judgeIds(ids);
	maker.idsAreRounded = judgement === 'rounded';
	if (judgement === 'doubtful') notices.push(doubtfulNotice(ids));
	if (encoding.overruled !== undefined) {
		notices.push(
			`The file starts with the byte order mark of ${encoding.name}: it is read as that, not as ${encoding.overruled}.`,
		);
	}
	if (encoding.name === 'utf-8' && isDamagedUtf8(start)) {
		notices.push(`The file is not all UTF-8: some characters are damaged. ${damageCure(encoding)}`);
	}
	const bom = encoding.bomBytes > 0;
	return {
		file,
		columns: header.columns,
		delimiter,
		encoding: encoding.name,
		bom,
		lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
		batch: await batchIn(header.columns, rows()),
		set: options.set,
		notices,
		rows,
	};
}

/** The first record that is not blank, from row `from` on. */
async function findHeader(
	file: string,
	dialect: Dialect,
	from: number,
): Promise<{ columns: string[]; number: number }> {
	for await (const { records, broken, first } of readRecords(file, dialect)) {
		for (const [at, columns] of records.entries()) {
			const number = first + at;
			if (number < from || isBlank(columns)) continue;
			if (!broken.has(columns)) return { columns, number };
			throw new Failure(
				`The header, row ${number}, opens a quotation mark (") that is not closed at the end of a cell.`,
				'Close or remove it. Inside a quoted cell a quotation mark is written twice ("").',
			);
		}
	}
	throw new Failure(`“${file}” is empty.`, 'Check that it is the right file, or export it again.');
}

async function* readRows(
	file: string,
	dialect: Dialect,
	headerNumber: number,
	maker: RowMaker,
): AsyncGenerator<Row[]> {
	for await (const { records, broken, ascii, first } of readRecords(file, dialect)) {
		const rows: Row[] = [];
		for (let at = Math.max(0, headerNumber + 1 - first); at < records.length; at++) {
			const record = records[at] ?? [];
			if (isBlank(record)) continue;
			const brokenLines = broken.size === 0 ? undefined : broken.get(record);
			rows.push(maker.make(first + at, record, { brokenLines, ascii }));
		}
		if (rows.length > 0) yield rows;
	}
}

/** Enough rows to see whether a spreadsheet has rounded a column. Leaving the loop closes the file. */
async function firstRows(batches: AsyncIterable<Row[]>): Promise<Row[]> {
	const rows: Row[] = [];
	for await (const batch of batches) {
		rows.push(...batch.slice(0, ROWS_EXAMINED - rows.length));
		if (rows.length === ROWS_EXAMINED) break;
	}
	return rows;
}

async function decode(start: Buffer, encoding: Encoding): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of asUtf8([start], encoding)) chunks.push(chunk);
	return Buffer.concat(chunks);
}

function damageCure({ name }: Encoding): string {
	return name === 'utf-8'
		? 'Save the file as “CSV UTF-8”, or try --encoding windows-1252; ' +
				'where the spreadsheet itself shows �, type the cell again.'
		: `Check whether the encoding is ${name} (--encoding), or save the file as “CSV UTF-8”.`;
}

function givenFields(set: TableOptions['set']): ReadonlySet<InputField> {
	return new Set(INPUT_FIELDS.filter((field) => (set[field] ?? '').trim() !== ''));
}

/** A wrong --set would be wrong in every row, so it is reported once, before any row. */
function checkSet(set: TableOptions['set']): void {
	for (const field of INPUT_FIELDS) {
		const value = set[field];
		if (value === undefined) continue;
		const given = field === 'reference_urls' ? linksOf(value) : value;
		const { problems } = checkInput({ product_name: 'any product', [field]: given });
		for (const { what, cure } of problems) throw new Failure(`--set ${field} ${what}.`, cure);
	}
}
