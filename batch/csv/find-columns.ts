import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import { Failure } from '../failure';
import {
	columnLetters,
	columnName,
	columnTitle,
	fieldOf,
	FIRST_TRANSLATED_RANK,
	normalised,
	type FieldColumns,
	type HeaderMap,
} from './column-names';
import { isBatchColumn } from './own-file';
import { likelyProduct } from './suggestions';
import { list } from '../text';

interface Columns {
	fieldColumns: FieldColumns;
	notices: string[];
}

interface ColumnsRequest {
	map: HeaderMap;
	/** The fields that have a value from --set. */
	given: ReadonlySet<InputField>;
	/** A later row that looks like the header, because other rows may be above it. */
	headerBelow: number | undefined;
	/** Some rows below the header. */
	cells: ReadonlyArray<readonly string[]>;
}

/** Finds the column of each field. */
export function findColumns(
	headers: readonly string[],
	{ map, given, headerBelow, cells }: ColumnsRequest,
): Columns {
	const fieldColumns: Partial<Record<InputField, number>> = mappedColumns(headers, map);
	const taken = new Set(Object.values(fieldColumns));
	for (const field of INPUT_FIELDS) {
		if (fieldColumns[field] !== undefined) continue;
		const best = candidates(headers, field, taken, given.has(field));
		if (best.length > 1) throw ambiguous(headers, field, best);
		if (best[0] !== undefined) fieldColumns[field] = best[0];
	}
	const isNamed = fieldColumns.product_name !== undefined || given.has('product_name');
	if (Object.keys(fieldColumns).length === 0) throw noHeader(headers, headerBelow, cells);
	if (!isNamed) throw noName(headers, cells);
	return { fieldColumns, notices: notices(headers, fieldColumns) };
}

function mappedColumns(
	headers: readonly string[],
	map: HeaderMap,
): Partial<Record<InputField, number>> {
	const fieldColumns: Partial<Record<InputField, number>> = {};
	for (const { header, field } of map) {
		const index = columnNamed(headers, header, field);
		if (fieldColumns[field] !== undefined && fieldColumns[field] !== index) {
			const columns = [fieldColumns[field], index].map((at) => columnTitle(headers[at] ?? '', at));
			throw new Failure(
				`--map gives ${field} to two columns, ${list(columns)}.`,
				'Keep one of the two.',
			);
		}
		fieldColumns[field] = index;
	}
	return fieldColumns;
}

/** Finds the column of a --map: an exact match, otherwise one that differs only in case, spaces and the like. */
function columnNamed(headers: readonly string[], wanted: string, field: InputField): number {
	const indexes = [...headers.keys()];
	const exact = indexes.filter((at) => headers[at]?.trim() === wanted.trim());
	const near = indexes.filter((at) => normalised(headers[at] ?? '') === normalised(wanted));
	const found = exact.length > 0 ? exact : near;
	const [index] = found;
	if (index === undefined || normalised(wanted) === '') {
		throw new Failure(
			`--map "${wanted}=${field}": the CSV has no column “${wanted}”.`,
			`Its columns are ${allTitles(headers)}.`,
		);
	}
	if (found.length > 1) {
		const places = found.map(
			(at) => `column ${columnLetters(at)}, ${columnTitle(headers[at] ?? '', at)}`,
		);
		throw new Failure(
			`--map "${wanted}=${field}" fits several columns: ${list(places)}.`,
			'Give them different headers.',
		);
	}
	return index;
}

/** Finds the columns whose headers fit the field best, without those that --map gave to another field. */
function candidates(
	headers: readonly string[],
	field: InputField,
	taken: ReadonlySet<number>,
	isGiven: boolean,
): number[] {
	// Beside a product from --set, a translation would change which product is ordered.
	const isTranslated = field !== 'product_name' || !isGiven;
	const ranks = headers.map((header, index) => {
		const known = fieldOf(header);
		if (known?.field !== field || taken.has(index)) return Infinity;
		return known.rank < FIRST_TRANSLATED_RANK || isTranslated ? known.rank : Infinity;
	});
	const best = Math.min(...ranks);
	return best === Infinity ? [] : [...ranks.keys()].filter((index) => ranks[index] === best);
}

function ambiguous(headers: readonly string[], field: InputField, found: number[]): Failure {
	const names = found.map((index) => columnName(headers[index] ?? '', index));
	const same = new Set(names).size < names.length;
	const titles = found.map((index) => columnTitle(headers[index] ?? '', index));
	return new Failure(
		`Several columns could be ${field}: ${list(titles)}.`,
		same
			? 'Rename or remove all but one of them.'
			: `Say which one it is: --map "${names[0] ?? ''}=${field}".`,
	);
}

function noHeader(
	headers: readonly string[],
	below: number | undefined,
	cells: ColumnsRequest['cells'],
): Failure {
	if (isWholeLine(headers)) {
		return new Failure(
			`Each line is one cell in quotation marks: ${allTitles(headers)}.`,
			'Export the table again. If a spreadsheet shows it in a single column, have it split into columns there first.',
		);
	}
	return new Failure(
		`The first row has no header that is known: ${allTitles(headers)}.`,
		below === undefined
			? 'The first row must be the header, with a column “product_name”. ' +
					`If it is the header, say which column holds the product: ${mapExample(headers, cells)}.`
			: `Row ${below} looks like the header: remove the rows above it.`,
	);
}

/** Checks if the only cell is a whole header line, because a CSV was saved again with each line as one text. */
function isWholeLine([cell = '', ...others]: readonly string[]): boolean {
	const names = cell.split(/[,;\t|]/).map((name) => name.replaceAll('"', ''));
	return (
		others.length === 0 && names.length > 1 && names.some((name) => fieldOf(name) !== undefined)
	);
}

function noName(headers: readonly string[], cells: ColumnsRequest['cells']): Failure {
	return new Failure(
		`No column is product_name, which every brief needs. The columns are ${allTitles(headers)}.`,
		`Say which one it is: ${mapExample(headers, cells)}. Or give all rows the same: --set product_name=….`,
	);
}

/** Gives an example to copy, with a column that may well name the products if there is one. */
function mapExample(headers: readonly string[], cells: ColumnsRequest['cells']): string {
	const index = likelyProduct(headers, cells);
	const name = index === undefined ? 'Header' : columnName(headers[index] ?? '', index);
	return `--map "${name}=product_name"`;
}

function notices(headers: readonly string[], fieldColumns: FieldColumns): string[] {
	const used = INPUT_FIELDS.flatMap((field) => {
		const index = fieldColumns[field];
		return index === undefined ? [] : [{ field, index }];
	});
	const read = used.map(({ field, index }) => {
		const name = columnName(headers[index] ?? '', index);
		return name === field ? field : `${columnTitle(headers[index] ?? '', index)} as ${field}`;
	});
	const indexes = new Set(used.map(({ index }) => index));
	const unused = headers.flatMap((header, index) =>
		indexes.has(index) || isBatchColumn(header) ? [] : [columnTitle(header, index)],
	);
	const lines = [`Columns read: ${read.join(', ')}.`];
	if (unused.length > 0) {
		lines.push(`Columns not sent, only carried through to the results: ${list(unused, 12)}.`);
	}
	return lines;
}

function allTitles(headers: readonly string[]): string {
	return list(headers.map(columnTitle), 20);
}
