import { checkInput, INPUT_FIELDS, type ByField } from '../../service/input/input';
import { Stop } from '../stop';
import { readCsv, type InputStream } from './bytes';
import { isSameHeader, type HeaderMap } from './column-names';
import { findDelimiter } from './delimiter';
import { decode } from './encoding';
import { findColumns } from './find-columns';
import { findHeader } from './header-row';
import { refuseOtherFormats } from './not-csv';
import { firstRecords, readRecords } from './csv-records';
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

/** Enough records to show what a text in another encoding says. */
const RECORDS_SHOWN = 1000;

/** Enough rows to judge what a column holds. */
const ROWS_JUDGED = 50;

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
	const csv = await readCsv(file, input, interruption);
	refuseOtherFormats(csv);
	const cellsIn = (text: Buffer) =>
		firstRecords(text, findDelimiter(text, options).delimiter, RECORDS_SHOWN).flat();
	const { utf8, encoding, damageCure, ...decoded } = decode(csv, options.encoding, cellsIn);
	const { delimiter, body } = findDelimiter(utf8, options);
	const records = readRecords(csv.title, body, delimiter);
	const header = findHeader(csv, records, options.map);
	const isThere = (name: string) => header.columns.some((one) => isSameHeader(one.header, name));
	const map = options.map.filter((one) => one.mayBeMissing !== true || isThere(one.header));
	const first = records.records.slice(header.number, header.number + ROWS_JUDGED);
	const { fieldColumns, ...columnFacts } = findColumns(header, map, set, first);
	const rules = { fieldColumns, set, delimiter, damageCure };
	const { rows, ...below } = rowsBelow(header, records, map, rules);
	const columns = header.columns.map((column) => column.header);
	const headers = [...fieldColumns].map(([field, column]) => [field, column.header]);
	const nothing = `${csv.title} holds a header, but no rows: there is nothing to order.`;
	return {
		file: csv.file,
		columns,
		headerRow: header.number + (body.length < utf8.length ? 1 : 0),
		delimiter,
		encoding,
		headers: Object.fromEntries(headers) as ByField,
		map,
		set,
		notices: [
			...columnFacts.notices,
			...header.notices,
			...below.notices,
			...(rows.length > 0 ? [] : [nothing]),
			...decoded.notices,
		],
		rows,
	};
}

/** Checks --set once, before any row: a wrong one would be wrong in every row. */
function checkSet(set: ByField): void {
	for (const field of INPUT_FIELDS) {
		const value = set[field];
		if (value === undefined) continue;
		const { problems } = checkInput({ product_name: 'any product', [field]: value });
		for (const { what, cure } of problems) throw new Stop(`--set ${field} ${what}.`, cure);
	}
}
