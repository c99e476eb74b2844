import { checkInput, INPUT_FIELDS, type InputField } from '../../service/input/input';
import { Failure } from '../failure';
import { readCsv, type InputStream, type PipeWatch } from './bytes';
import type { FieldColumns, HeaderMap } from './column-names';
import { findColumns } from './find-columns';
import { detectDelimiter, parseDelimiter, readSepLine } from './delimiter';
import { decode } from './encoding';
import { findHeader, titlesNotice } from './header-row';
import { refuseBinary, refuseOtherFormats } from './not-csv';
import { batchIn } from './own-file';
import { firstRecords, readRecords } from './records';
import type { Row } from './row';
import { rowsBelow } from './rows-below';

export type { Row, RowProblem } from './row';

export interface TableOptions {
	/** One character, or tab, comma or semicolon; detected if missing. */
	delimiter?: string;
	/** A label that TextDecoder knows. If missing, the byte order mark decides, or it is UTF-8. */
	encoding?: string;
	/** Columns whose header does not name their field. */
	map: HeaderMap;
	/** Values for rows that have none. */
	set: Readonly<Partial<Record<InputField, string>>>;
}

/** The form in which a CSV is written. */
export interface CsvForm {
	delimiter: string;
	/** As TextDecoder names it. */
	encoding: string;
	/** True if the file starts with a byte order mark. */
	bom: boolean;
	lineEnd: '\n' | '\r\n';
}

export interface Table extends CsvForm {
	file: string;
	/** The headers as in the CSV. */
	columns: string[];
	/** The header's row in the file, counted from 1; Excel's own line sep=; counts here, and in no row's number. */
	headerRow: number;
	/** The batch that its rows name, if it is a failed.csv or deferred.csv; otherwise null. */
	batch: string | null;
	/** The header of each field's column. */
	headers: Readonly<Partial<Record<InputField, string>>>;
	/** Columns that a person named with --map. */
	map: HeaderMap;
	/** Values for rows that have none, as --set gave them. */
	set: TableOptions['set'];
	/** Sentences for a person to check: how the CSV was read, and what was left out. */
	notices: string[];
	/** The rows, as they were when the command began. */
	rows: readonly Row[];
}

/** Enough records to show what a text in another encoding says. */
const RECORDS_SHOWN = 1000;

/** Enough rows to judge what a column holds. */
const ROWS_JUDGED = 50;

/**
 * Reads a CSV, once: its bytes, their encoding, the records, and the rows with their problems.
 * @param input the CSV if the file is -
 * @param watch who is told of a wait for a pipe
 * @throws {Failure} if it cannot be used
 */
export async function openTable(
	file: string,
	options: TableOptions,
	input: InputStream = process.stdin,
	watch?: PipeWatch,
): Promise<Table> {
	const { map, set } = options;
	checkSet(set);
	const csv = await readCsv(file, input, watch);
	refuseOtherFormats(csv);
	const cellsIn = (text: Buffer) =>
		firstRecords(text, delimiterOf(text, options), RECORDS_SHOWN).flat();
	const { utf8, encoding, bom, notices: encodingNotices } = decode(csv, options.encoding, cellsIn);
	refuseBinary(csv, utf8);
	const delimiter = delimiterOf(utf8, options);
	const { below: body } = readSepLine(utf8);
	const records = readRecords(body, delimiter);
	refuseNul(csv.title, body, records.records);

	const header = findHeader(csv, records, map);
	const { fieldColumns, notices } = findColumns(header.columns, {
		map,
		given: givenFields(set),
		headerBelow: header.below,
		cells: records.records.slice(header.number, header.number + ROWS_JUDGED),
	});
	const damageCure = damageCureOf(utf8, encoding);
	const below = rowsBelow({
		csv: records,
		header,
		fieldColumns,
		map,
		set,
		delimiter,
		damageCure,
	});
	return {
		file: csv.file,
		columns: header.columns,
		headerRow: header.number + (body.length < utf8.length ? 1 : 0),
		delimiter,
		encoding,
		bom,
		lineEnd: utf8.includes('\r\n') ? '\r\n' : '\n',
		batch: batchIn(header.columns, below.rows),
		headers: headersOf(fieldColumns, header.columns),
		map,
		set,
		notices: [
			...notices,
			...(header.titles.size > 0 ? [titlesNotice(header)] : []),
			...below.notices,
			...(below.rows.length > 0
				? []
				: [`${csv.title} holds a header, but no rows: there is nothing to order.`]),
			...encodingNotices,
		],
		rows: below.rows,
	};
}

function delimiterOf(utf8: Buffer, { delimiter, map }: TableOptions): string {
	if (delimiter !== undefined) return parseDelimiter(delimiter);
	return readSepLine(utf8).delimiter ?? detectDelimiter(utf8, map);
}

/** Refuses NUL: text has none, so the file was damaged, and more of it may be lost. */
function refuseNul(title: string, utf8: Buffer, records: readonly string[][]): void {
	if (!utf8.includes(0)) return;
	const row = 1 + records.findIndex((cells) => cells.some((cell) => cell.includes('\0')));
	throw new Failure(
		`${title} is damaged: row ${row} holds bytes that are no text (NUL).`,
		'Export it from the spreadsheet again, as “CSV UTF-8”.',
	);
}

const LOST_CHARACTER = Buffer.from('\ufffd');

function damageCureOf(utf8: Buffer, encoding: string): string | null {
	if (!utf8.includes(LOST_CHARACTER)) return null;
	return encoding === 'utf-8'
		? 'The file itself holds � in place of a character that another program has lost: type the cell again.'
		: `Check whether the encoding is ${encoding} (--encoding), or save the file as “CSV UTF-8”.`;
}

function headersOf(fieldColumns: FieldColumns, columns: readonly string[]): Table['headers'] {
	const headers = INPUT_FIELDS.flatMap((field) => {
		const header = columns[fieldColumns[field] ?? -1];
		return header === undefined ? [] : [[field, header] as const];
	});
	return Object.fromEntries(headers);
}

function givenFields(set: TableOptions['set']): ReadonlySet<InputField> {
	return new Set(INPUT_FIELDS.filter((field) => (set[field] ?? '').trim() !== ''));
}

/** Checks --set once, before any row: a wrong one would be wrong in every row. */
function checkSet(set: TableOptions['set']): void {
	for (const field of INPUT_FIELDS) {
		const value = set[field];
		if (value === undefined) continue;
		const { problems } = checkInput({ product_name: 'any product', [field]: value });
		for (const { what, cure } of problems) throw new Failure(`--set ${field} ${what}.`, cure);
	}
}
