import { INPUT_FIELDS, type ByField, type InputField } from '../../service/input/input';
import { Stop } from '../stop';
import {
	columnLetters,
	fieldOf,
	FIRST_TRANSLATED_RANK,
	normalised,
	type Column,
	type FieldColumns,
	type HeaderMap,
} from './column-names';
import type { Header } from './header-row';
import { likelyProduct } from './suggestions';
import { list } from '../text';

/** Some rows below the header. */
type Cells = ReadonlyArray<readonly string[]>;

/**
 * Finds the column of each field.
 * @throws {Stop} if several may be the one, or none is the product's name
 */
export function findColumns(
	{ columns, below }: Header,
	map: HeaderMap,
	set: ByField,
	cells: Cells,
): { fieldColumns: FieldColumns; notices: string[] } {
	const byColumn = mappedColumns(columns, map);
	const byField = new Map([...byColumn].map(([column, field]) => [field, column]));
	const others = columns.filter((column) => !byColumn.has(column));
	const fieldColumns = new Map<InputField, Column>();
	for (const field of INPUT_FIELDS) {
		const column = byField.get(field) ?? bestFor(field, others, set);
		if (column !== undefined) fieldColumns.set(field, column);
	}
	if (fieldColumns.size === 0) throw noHeader(columns, below, cells);
	if (!fieldColumns.has('product_name') && set.product_name === undefined)
		throw noName(columns, cells);
	return { fieldColumns, notices: noticesOf(columns, fieldColumns) };
}

function mappedColumns(
	columns: readonly Column[],
	map: HeaderMap,
): ReadonlyMap<Column, InputField | '-'> {
	const byColumn = new Map<Column, InputField | '-'>();
	for (const { header, field } of map) {
		const column = columnNamed(columns, header, field);
		const [other] = [...byColumn].find(([, one]) => one === field) ?? [column];
		if (other !== column && field !== '-') {
			throw new Stop(
				`--map gives ${field} to two columns, ${list([other.title, column.title])}.`,
				'Keep one of the two.',
			);
		}
		byColumn.set(column, field);
	}
	return byColumn;
}

/** Finds the column of a --map: an exact match, otherwise one that differs only in case, spaces and the like. */
function columnNamed(columns: readonly Column[], name: string, field: string): Column {
	const exact = columns.filter(({ header }) => header.trim() === name.trim());
	const similar = columns.filter(({ header }) => normalised(header) === normalised(name));
	const matches = exact.length > 0 ? exact : similar;
	const [column] = matches;
	if (column === undefined || normalised(name) === '') {
		throw new Stop(
			`--map "${name}=${field}": the CSV has no column “${name}”.`,
			`Its columns are ${allTitles(columns)}.`,
		);
	}
	if (matches.length > 1) {
		const places = matches.map(({ place, title }) => `column ${columnLetters(place)}, ${title}`);
		throw new Stop(
			`--map "${name}=${field}" fits several columns: ${list(places)}.`,
			'Give them different headers.',
		);
	}
	return column;
}

/** Finds the column whose header fits the field best. */
function bestFor(field: InputField, columns: readonly Column[], set: ByField): Column | undefined {
	// Beside a product from --set, a translation would change which product is ordered.
	const isTranslated = field !== 'product_name' || set.product_name === undefined;
	const candidates = columns.flatMap((column) => {
		const match = fieldOf(column.header);
		if (match?.field !== field) return [];
		return match.rank < FIRST_TRANSLATED_RANK || isTranslated ? [{ column, rank: match.rank }] : [];
	});
	const least = Math.min(...candidates.map(({ rank }) => rank));
	const best = candidates.filter(({ rank }) => rank === least).map(({ column }) => column);
	if (best.length > 1) throw ambiguous(field, best);
	return best[0];
}

function ambiguous(field: InputField, columns: readonly Column[]): Stop {
	const names = columns.map(({ name }) => name);
	const same = new Set(names).size < names.length;
	return new Stop(
		`Several columns could be ${field}: ${list(columns.map(({ title }) => title))}.`,
		same
			? 'Rename or remove all but one of them.'
			: `Say which one it is: --map "${names[0] ?? ''}=${field}".`,
	);
}

function noHeader(columns: readonly Column[], below: number | undefined, cells: Cells): Stop {
	if (isWholeLine(columns)) {
		return new Stop(
			`Each line is one cell in quotation marks: ${allTitles(columns)}.`,
			'Export the table again. If a spreadsheet shows it in a single column, have it split into columns there first.',
		);
	}
	return new Stop(
		`The first row has no header that is known: ${allTitles(columns)}.`,
		below === undefined
			? 'The first row must be the header, with a column “product_name”. ' +
					`If it is the header, say which column holds the product: ${mapExample(columns, cells)}.`
			: `Row ${below} looks like the header: remove the rows above it.`,
	);
}

/** Checks if the only cell is a whole header line, because a CSV was saved again with each line as one text. */
function isWholeLine([only, ...others]: readonly Column[]): boolean {
	const names = (only?.header ?? '').split(/[,;\t|]/).map((name) => name.replaceAll('"', ''));
	return (
		others.length === 0 && names.length > 1 && names.some((name) => fieldOf(name) !== undefined)
	);
}

function noName(columns: readonly Column[], cells: Cells): Stop {
	return new Stop(
		`No column is product_name, which every brief needs. The columns are ${allTitles(columns)}.`,
		`Say which one it is: ${mapExample(columns, cells)}. Or give all rows the same: --set product_name=….`,
	);
}

/** Gives an example to copy, with a column that may well name the products if there is one. */
function mapExample(columns: readonly Column[], cells: Cells): string {
	return `--map "${likelyProduct(columns, cells)?.name ?? 'Header'}=product_name"`;
}

function noticesOf(columns: readonly Column[], fieldColumns: FieldColumns): string[] {
	const parts = [...fieldColumns].map(([field, { name, title }]) =>
		name === field ? field : `${title} as ${field}`,
	);
	const usedColumns = new Set(fieldColumns.values());
	const unusedColumns = columns.filter((column) => !usedColumns.has(column));
	const titles = list(
		unusedColumns.map(({ title }) => title),
		12,
	);
	return [
		`Columns read: ${parts.join(', ')}.`,
		...(unusedColumns.length > 0
			? [`Columns not sent, only carried through to the results: ${titles}.`]
			: []),
	];
}

function allTitles(columns: readonly Column[]): string {
	return list(
		columns.map(({ title }) => title),
		20,
	);
}
