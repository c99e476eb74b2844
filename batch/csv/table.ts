import { checkInput, INPUT_FIELDS, type InputField } from '../../service/input';
import { doubtfulNotice, judgeIds } from '../../service/rounded-id';
import { Failure } from '../failure';
import { findColumns, type FieldColumns, type HeaderMap } from './columns';
import {
	damageCure,
	damageNotice,
	findDamage,
	likelyEncoding,
	refuseDamagedHeader,
} from './damage';
import { detectDelimiter, parseDelimiter, sepLineDelimiter } from './delimiter';
import { asUtf8, detectEncoding, encodingNotices, refuseWrongEncoding } from './encoding';
import type { Encoding } from './encoding';
import { findHeader, titlesNotice } from './find-header';
import { refuseBinary, refuseOtherFormats } from './not-csv';
import { batchIn } from './own-file';
import { CHUNK_BYTES } from './read-file';
import { leftOutTexts, readRows, type LeftOut } from './read-rows';
import type { Row } from './row';
import { RowMaker } from './row-maker';
import { readStart, sourceOf, type InputStream } from './source';
import { findTemplateLines, NO_TEMPLATE, templateNotice } from './template-lines';

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
	/** The row in which they stand, counted from 1. */
	headerRow: number;
	/** Whether all of it is UTF-8, and is read as that. */
	isUtf8: boolean;
	/** The batch that wrote this file, as its rows say: it is a failed.csv or deferred.csv. Null for any other CSV. */
	batch: string | null;
	/** The header of the column that each field is read from. */
	headers: Readonly<Partial<Record<InputField, string>>>;
	/** Columns whose field a person named, with --map. */
	map: HeaderMap;
	/** Values for rows that have none, as --set gave them. */
	set: TableOptions['set'];
	/** How the CSV was read, for a person to check. */
	notices: string[];
	/** The rows, a batch at a time; each call reads the file anew. */
	rows(): AsyncGenerator<Row[]>;
	/** Remembers what the CSV holds now, which takes a reading of the whole file. */
	watch(): Promise<void>;
	/** Whether it holds something else than when it was last remembered; false where it never was. */
	hasChanged(): Promise<boolean>;
	/** What the last reading to the end left out because it is no product, for a person. */
	leftOut(): string[];
}

/** Enough to detect encoding, delimiter and header. The rest of the file is only streamed. */
const START_BYTES = 64 * 1024;
const ROWS_EXAMINED = 200;

/**
 * Detects how a CSV is written and what its columns hold.
 * @param input where the CSV comes from if the file is -
 * @throws {Failure} where it cannot be used
 */
export async function openTable(
	file: string,
	options: TableOptions,
	chunkBytes = CHUNK_BYTES,
	input: InputStream = process.stdin,
): Promise<Table> {
	checkSet(options.set);
	const source = await sourceOf(file, input);
	let hasChanged = () => Promise.resolve(false);
	const start = await readStart(source, START_BYTES);
	refuseOtherFormats(source, start);
	const encoding = detectEncoding(start, options.encoding);
	refuseWrongEncoding(source, start, encoding);
	const text = await decode(start, encoding);
	refuseBinary(source, text);

	const isWhole = start.length < START_BYTES;
	const sep = sepLineDelimiter(text.toString('utf8', 0, 16));
	const delimiter =
		options.delimiter !== undefined
			? parseDelimiter(options.delimiter)
			: (sep ?? (await detectDelimiter(text, isWhole, options.map)));
	const dialect = { encoding, delimiter, chunkBytes };
	const from = sep === null ? 1 : 2;
	const damage = encoding.name === 'utf-8' ? await findDamage(source, encoding) : null;
	const header = await findHeader(source, dialect, from, options.map);
	if (damage !== null) {
		await refuseDamagedHeader(source, dialect, header, options.map, damage);
	}
	const given = givenFields(options.set);
	const { fieldColumns, notices } = findColumns(header.columns, options.map, given, header.below);
	const cure = damageCure(encoding, damage);
	const maker = new RowMaker(header.columns, fieldColumns, options.set, delimiter, cure);
	let leftOut: LeftOut = { variants: 0, headers: 0 };
	const isProductGiven = given.has('product_name');
	const request = {
		source,
		dialect,
		header,
		fieldColumns,
		isProductGiven,
		maker,
		likelyEncoding: likelyEncoding(damage),
	};
	const top = await firstRows(readRows({ ...request, template: NO_TEMPLATE }, () => undefined));
	const template = findTemplateLines(top, fieldColumns);
	const rows = () => readRows({ ...request, template }, (lines) => (leftOut = lines));

	const first = top.filter(({ number }) => !template.lines.has(number));
	const ids = first.map(({ input }) => input.product_id);
	const judgement = judgeIds(ids);
	maker.idsAreRounded = judgement === 'rounded';
	if (judgement === 'doubtful') notices.push(doubtfulNotice(ids));
	if (header.titles.size > 0) notices.push(titlesNotice(header));
	if (template.lines.size > 0) notices.push(templateNotice(template));
	if (first.length === 0) {
		notices.push(`${source.title} holds a header, but no rows: there is nothing to order.`);
	}
	notices.push(...encodingNotices(encoding, text));
	if (damage !== null) notices.push(damageNotice(damage));
	const bom = encoding.bomBytes > 0;
	return {
		file,
		columns: header.columns,
		headerRow: header.number,
		isUtf8: encoding.name === 'utf-8' && damage === null,
		delimiter,
		encoding: encoding.name,
		bom,
		lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
		batch: await batchIn(header.columns, rows()),
		headers: headersOf(fieldColumns, header.columns),
		map: options.map,
		set: options.set,
		notices,
		rows,
		watch: async () => {
			hasChanged = await source.watchForChange();
		},
		hasChanged: () => hasChanged(),
		leftOut: () => leftOutTexts(leftOut),
	};
}

function headersOf(fieldColumns: FieldColumns, columns: readonly string[]): Table['headers'] {
	const headers = INPUT_FIELDS.flatMap((field) => {
		const header = columns[fieldColumns[field] ?? -1];
		return header === undefined ? [] : [[field, header] as const];
	});
	return Object.fromEntries(headers);
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

function givenFields(set: TableOptions['set']): ReadonlySet<InputField> {
	return new Set(INPUT_FIELDS.filter((field) => (set[field] ?? '').trim() !== ''));
}

/** A wrong --set would be wrong in every row, so it is reported once, before any row. */
function checkSet(set: TableOptions['set']): void {
	for (const field of INPUT_FIELDS) {
		const value = set[field];
		if (value === undefined) continue;
		const { problems } = checkInput({ product_name: 'any product', [field]: value });
		for (const { what, cure } of problems) throw new Failure(`--set ${field} ${what}.`, cure);
	}
}
