import { checkInput, INPUT_FIELDS, type ByField } from '../../service/input/input';
import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import { count, list } from '../text';
import { findColumns, isSameHeader, type FieldColumns, type HeaderMap } from './columns';
import { findDelimiter } from './delimiter';
import { findHeader, type Header } from './header-row';
import { RepeatedHeader, type CsvLine } from './repeated-header';
import { readRecords } from './csv-records';
import { RowMaker, type Row } from './row';
import { findTemplateLines } from './template-lines';
import { readCsvText, type InputStream } from './csv-text';

export type { Row, RowProblem } from './row';

export interface TableOptions {
	/** One character, or tab, comma or semicolon; detected if missing. */
	delimiter?: string;
	/** A label that TextDecoder knows. If missing, the byte order mark decides, or it is UTF-8. */
	encoding?: string;
	/** Columns whose header does not name their field. */
	map: HeaderMap;
	/** Values for rows that have none. */
	set: ByField;
}

export interface Table {
	file: string;
	delimiter: string;
	/** As TextDecoder names it. */
	encoding: string;
	/** The headers as in the CSV. */
	columns: string[];
	/** The header's row in the file, counted from 1; Excel's own line sep=; counts here, and in no row's number. */
	headerRow: number;
	/** The header of each field's column. */
	headers: ByField;
	/** Columns that a person named with --map, as far as they are there. */
	map: HeaderMap;
	/** Values for rows that have none, as --set gave them. */
	set: ByField;
	/** Sentences for a person to check: how the CSV was read, and what was left out. */
	notices: string[];
	/** The rows, as they were when the command began. */
	rows: readonly Row[];
}

/**
 * Reads a CSV, once: its bytes, their encoding, the records, and the rows with their problems.
 * @param input the CSV if the file is -
 * @param interruption ends the wait for what is piped
 * @throws {Stop} if it cannot be used
 */
export async function openTable(
	file: string,
	options: TableOptions,
	input: InputStream = process.stdin,
	interruption?: AbortSignal,
): Promise<Table> {
	const { set } = options;
	checkSet(set);
	const text = await readCsvText(file, options.encoding, input, interruption);
	const { title, utf8, encoding } = text;
	const { delimiter, body } = findDelimiter(utf8, options);
	const { records, brokenRecords } = readRecords(title, body, delimiter);
	const header = findHeader(title, { records, brokenRecords }, options.map);
	const { columns } = header;
	const isThere = (name: string) => columns.some((one) => isSameHeader(one.header, name));
	const map = options.map.filter((one) => one.mayBeMissing !== true || isThere(one.header));
	const { fieldColumns, notices } = findColumns(columns, { map, set });
	const { lines, among, notices: leftOut } = productLines(records, header, fieldColumns);
	if (lines.length === 0)
		throw new Stop(
			`${title} has a header, but no row of a product.`,
			'Check that it is the right file, or export it again.',
		);
	const isMapped = map.some(({ field }) => field === 'product_id');
	const maker = new RowMaker(columns, { fieldColumns, set, delimiter, mayBeBarcodes: !isMapped });
	const rows = lines.map((line) =>
		maker.make(line, brokenRecords.get(line.number - 1), among.has(line.number)),
	);
	return {
		file,
		columns: columns.map((column) => column.header),
		headerRow: header.number + (body.length < utf8.length ? 1 : 0),
		delimiter,
		encoding,
		headers: Object.fromEntries([...fieldColumns].map(([field, column]) => [field, column.header])),
		map,
		set,
		notices: [...notices, ...header.notices, ...maker.notices, ...leftOut, ...text.notices],
		rows,
	};
}

/** Checks --set once, before any row: a wrong one would be wrong in every row. */
function checkSet(set: ByField): void {
	for (const field of INPUT_FIELDS) {
		const value = set[field];
		if (value === undefined) continue;
		const { problems, emptied } = checkInput({ product_name: 'any product', [field]: value });
		if (emptied.length > 0)
			throw new Stop(`--set ${field} is ${quote(value)}, a word for nothing.`, 'Leave it out.');
		for (const { what, cure } of problems) throw new Stop(`--set ${field} ${what}.`, cure);
	}
}

/** A checkbox that nobody ticked, in a sheet that has one in each row. */
const NOT_TICKED = /^(false|falsch|faux|falso)?$/i;

/**
 * Gives the lines of products below the header. Notices name what was left out.
 * @throws {Stop} if a second header has another order
 */
function productLines(
	records: readonly string[][],
	header: Header,
	fieldColumns: FieldColumns,
): { lines: CsvLine[]; among: ReadonlySet<number>; notices: string[] } {
	const headers = new RepeatedHeader(header, fieldColumns);
	const places = [...fieldColumns.values()].map(({ place }) => place);
	const filledLines: CsvLine[] = [];
	for (let at = header.number; at < records.length; at++) {
		const cells = records[at] ?? [];
		const isUnused = places.every((place) => (cells[place] ?? '').trim() === '');
		if (isUnused && cells.every((cell) => NOT_TICKED.test(cell.trim()))) continue;
		filledLines.push({ number: at + 1, cells });
	}
	const { template, among } = findTemplateLines(filledLines, fieldColumns, headers);
	const lines: CsvLine[] = [];
	for (const line of filledLines)
		if (!template.has(line.number) && !headers.isRepeatedIn(line)) lines.push(line);
	const repeats = filledLines.length - template.size - lines.length;
	return { lines, among, notices: [...templateNotice(template), ...headersNotice(repeats)] };
}

function templateNotice(template: ReadonlyMap<number, string>): string[] {
	if (template.size === 0) return [];
	const texts = list([...new Set(template.values())].map(quote), 3);
	const rows = list([...template.keys()].map(String));
	return template.size === 1
		? [`Row ${rows} describes the columns and is left out: ${texts}.`]
		: [`Rows ${rows} describe the columns and are left out: ${texts}.`];
}

function headersNotice(headers: number): string[] {
	if (headers === 0) return [];
	const [is, repeat] = headers === 1 ? ['is', 'repeats'] : ['are', 'repeat'];
	return [`${count(headers, 'row')} that ${repeat} the header ${is} left out.`];
}
