import { quote } from '../../service/shortened-text';
import { fieldOf, type FieldColumns } from './column-names';
import { list } from '../text';

/*
 * The lines by which a marketplace's upload template describes its columns. The seller centre's exports have five above
 * the products: field names, a version, headers for people, “Mandatory” or “Optional”, and what to enter.
 */

/** The first rows below a header that belong to a template, and those among them. */
interface TemplateLines {
	/** By row number, with the text in the product's column. */
	lines: ReadonlyMap<number, string>;
	/** These may or may not be products. */
	among: ReadonlySet<number>;
	/** A sentence about those that are left out. */
	notices: string[];
}

/** More rows than any template has above its products. */
const ROWS_EXAMINED = 8;

/** Whole cells that say whether a column must be filled, or may be edited. */
const REQUIREMENT = new RegExp(
	`^\\(?(${[
		'(conditionally |conditional )?(mandatory|required)|conditional|optional|recommended',
		'(pflicht|muss)(feld|angabe)?|erforderlich|verpflichtend|optionales feld',
		'obligatoire|facultati(f|ve)|optionnel(le)?',
		'obligatorio|opcional',
		'(cannot|can(not)?|do not|not) be edited|(un|not )?editable|do not edit',
	].join('|')})\\)?[.*]?$`,
	'i',
);

/**
 * Says what to enter, in words that a product's name may begin with too, so they count only below a line of
 * requirements.
 */
const DESCRIPTION =
	/^[•*]|^(please )?(enter|fill in|input|provide|select|choose|add|copy) |\b(must|should) (be|not|have|contain)\b|\bcharacters?\b/i;

const VERSION = /^v\d+(\.\d+)*$/i;

export function findTemplateLines(
	rows: ReadonlyArray<{ number: number; cells: readonly string[] }>,
	fieldColumns: FieldColumns,
): TemplateLines {
	const lines = new Map<number, string>();
	const among = new Set<number>();
	const name = fieldColumns.get('product_name')?.place;
	const id = fieldColumns.get('product_id')?.place;
	if (name === undefined) return { lines, among, notices: [] };
	const first = rows.slice(0, ROWS_EXAMINED);
	const describes = first.map(({ cells }) => isDescribed(cells, name) && !holdsId(cells, id));
	const last = describes.lastIndexOf(true);
	for (const [at, { number, cells }] of first.entries()) {
		const text = (cells[name] ?? '').trim();
		const start = (cells.find((cell) => cell.trim() !== '') ?? '').trim();
		const isAbove = at < last;
		const isBelow = last >= 0 && at === last + 1;
		if (
			describes[at] === true ||
			(isAbove && VERSION.test(start)) ||
			(isBelow && DESCRIPTION.test(text) && !holdsId(cells, id)) ||
			isHeaderLike(cells, fieldColumns, isAbove ? 1 : 2)
		) {
			lines.set(number, text === '' ? start : text);
		} else if (isAbove) among.add(number);
	}
	return { lines, among, notices: lines.size === 0 ? [] : [noticeOf(lines)] };
}

/** Checks if the product's column and most of the others describe their columns. */
function isDescribed(cells: readonly string[], name: number): boolean {
	const filledCells = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
	const saying = filledCells.filter(
		(text) => REQUIREMENT.test(text) || DESCRIPTION.test(text),
	).length;
	return REQUIREMENT.test((cells[name] ?? '').trim()) && saying * 2 > filledCells.length;
}

function holdsId(cells: readonly string[], id: number | undefined): boolean {
	return id !== undefined && /^\s*\d{5,}\s*$/.test(cells[id] ?? '');
}

/** Checks if a row repeats the header in other words: each field with a column has its own name there. */
function isHeaderLike(
	cells: readonly string[],
	fieldColumns: FieldColumns,
	leastFields: number,
): boolean {
	const columns = [...fieldColumns];
	return (
		columns.length >= leastFields &&
		columns.every(([field, { place }]) => fieldOf(cells[place] ?? '')?.field === field)
	);
}

function noticeOf(lines: TemplateLines['lines']): string {
	const texts = list([...new Set(lines.values())].map(quote), 3);
	return lines.size === 1
		? `Row ${[...lines.keys()].join()} describes the columns and is left out: ${texts}.`
		: `Rows ${list([...lines.keys()].map(String))} describe the columns and are left out: ${texts}.`;
}
