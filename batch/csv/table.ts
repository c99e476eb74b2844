import { checkInput, INPUT_FIELDS, type ByField } from '../../service/input/input';
import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import { findColumns, isSameHeader, type HeaderMap } from './columns';
import { findDelimiter } from './delimiter';
import { findHeader, productLines } from './list-lines';
import { readLines } from './csv-records';
import { RowMaker, type Row } from './row';
import { readCsvText, type InputStream } from './csv-text';

export type { Row } from './row';

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
	/** The headers as in the CSV. */
	columns: string[];
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
	const { title } = text;
	const { delimiter, body } = findDelimiter(text.utf8, options);
	const header = findHeader(title, readLines(title, body, delimiter), options.map);
	const { columns } = header;
	const isThere = (name: string) => columns.some((one) => isSameHeader(one.header, name));
	const map = options.map.filter((one) => one.mayBeMissing !== true || isThere(one.header));
	const { fieldColumns, notices } = findColumns(columns, { map, set });
	const { lines, notices: leftOut } = productLines(header, fieldColumns);
	if (lines.length === 0)
		throw new Stop(
			`${title} has a header, but no row of a product.`,
			'Check that it is the right file, or export it again.',
		);
	const isMapped = map.some(({ field }) => field === 'product_id');
	const maker = new RowMaker(columns, { fieldColumns, set, delimiter, mayBeBarcodes: !isMapped });
	const rows = lines.map((line) => maker.make(line));
	return {
		file,
		columns: columns.map((column) => column.header),
		delimiter,
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
