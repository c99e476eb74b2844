import { quote } from '../../core/input/text';
import { findDamage, findRoundedIds } from '../../core/input/checks';
import { INPUT_FIELDS } from '../../core/input/input-fields';
import { isLink } from '../../core/input/links';
import type { BriefInput } from '../../core/api/types';
import { getCell } from './cells';
import { getFieldLabel, LINK_RANK, matchHeader, type FieldColumns } from './columns';
import { makeLayout, type Layout } from './layout';
import type { CsvLine, CsvOptions } from './types';

/*
 * Finds rows that a program or a mistake has probably damaged, so that their briefs might be wasted. The user confirms such
 * rows (`damaged-rows`), because spreadsheets write some of them on purpose.
 *
 *     Product Name,Audience,SKU
 *     Cedar                         has 1 of 3 cells
 *     Candle,Hikers,C1              follows such a row: a line break cut the row in two
 *     KITCHEN,,                     has only a name, and the other rows have more
 *
 * The damage of single values is in core/input/checks.ts.
 */

interface DamageContext {
	readonly headers: readonly string[];
	readonly columns: FieldColumns;
	readonly options: CsvOptions;
	/** Products whose name is the name of a column. */
	readonly headerLike: ReadonlySet<CsvLine>;
}

/** Returns a function that lists the damage of a line. */
export function createDamageFinder(
	lines: readonly CsvLine[],
	context: DamageContext,
): (line: CsvLine, input: BriefInput) => string[] {
	const layout = makeLayout(context.headers, context.columns);
	const afterShort = findLinesAfterShort(lines, layout);
	const presetIndexes = findPresetIndexes(context);
	// The columns below another header can be others.
	const likelyHeader = lines.find((line) => context.headerLike.has(line));
	const nameOnly = findNameOnlyLines(lines, layout, presetIndexes);
	const roundedIds = findRoundedIds(lines.map(({ cells }) => getCell(cells, layout.idIndex)));
	const idLabel = getFieldLabel('product_id', context.headers, context.columns);
	const nameHeader = context.headers[layout.nameIndex] ?? '';
	const isLinkColumn = matchHeader(nameHeader)?.rank === LINK_RANK;
	const labels = INPUT_FIELDS.map(
		(field) => [field, getFieldLabel(field, context.headers, context.columns)] as const,
	);
	return (line, input) => {
		const damage = findLayoutDamage(line, layout.headers.length);
		if (afterShort.has(line))
			damage.push('The row follows a row with too few cells, and can be its second half');
		if (nameOnly.has(line))
			damage.push('The row has only a name, like a heading; the other rows have more');
		if (context.headerLike.has(line)) damage.push('The row looks like a header');
		if (likelyHeader !== undefined && line.number > likelyHeader.number)
			damage.push(`The row is below row ${likelyHeader.number}, which looks like a header`);
		if (isLinkColumn && !isLink(input.product_name))
			damage.push(
				`${nameHeader.trim()} contains ${quote(input.product_name)}, which is not a link`,
			);
		for (const [field, label] of labels) {
			const value = input[field];
			const found = value === undefined ? null : findDamage(field, value);
			if (found !== null) damage.push(`${label} ${found}`);
		}
		if (roundedIds.has(input.product_id ?? ''))
			damage.push(
				`${idLabel} ends in 00, like all product IDs in this CSV: a program probably rounded them`,
			);
		return damage;
	};
}

/** Returns the columns that --set fills: users leave them empty on purpose. */
function findPresetIndexes({ columns, options }: DamageContext): ReadonlySet<number | undefined> {
	const fields = INPUT_FIELDS.filter((field) => options.set[field] !== undefined);
	return new Set(fields.map((field) => columns.byField.get(field)));
}

function findLayoutDamage({ cells }: CsvLine, width: number): string[] {
	const damage: string[] = [];
	if (cells.length < width) damage.push(`The row has ${cells.length} of ${width} cells`);
	if (cells.length > width)
		damage.push(`The row has ${cells.length} cells, but the header has ${width}`);
	if (cells.some((cell) => /^\s+"/.test(cell)))
		damage.push('The row has a space before a quotation mark');
	if (hasSplitQuote(cells))
		damage.push('The row has a text in “…” that reaches over several cells');
	return damage;
}

/** Typographic quotation marks do not protect a delimiter: “Pan, black” becomes two cells. */
function hasSplitQuote(cells: readonly string[]): boolean {
	const opening = cells.findIndex((cell) => /^\s*[“„«][^“”„«»]*$/.test(cell));
	if (opening === -1) return false;
	return cells.slice(opening + 1).some((cell) => /^[^“”„«»]+[”“»]/.test(cell));
}

/** An unquoted line break cuts a row in two. The second half can look whole. */
function findLinesAfterShort(lines: readonly CsvLine[], { headers }: Layout): ReadonlySet<CsvLine> {
	const isShort = (line: CsvLine | undefined) =>
		line !== undefined && line.cells.length < headers.length;
	return new Set(
		lines.filter((line, index) => {
			const previous = lines[index - 1];
			return isShort(previous) && !isShort(line) && previous?.number === line.number - 1;
		}),
	);
}

/**
 * Finds lines that contain only a name although more than half of the lines fill another column: headings and notes of a
 * report. A list with optional audiences has none. Short lines are damage already.
 */
function findNameOnlyLines(
	lines: readonly CsvLine[],
	{ headers, nameIndex }: Layout,
	presetIndexes: ReadonlySet<number | undefined>,
): ReadonlySet<CsvLine> {
	const hasOnlyName = ({ cells }: CsvLine) =>
		cells.length >= headers.length &&
		getCell(cells, nameIndex) !== '' &&
		cells.every((cell, index) => index === nameIndex || cell.trim() === '');
	const nameOnly = lines.filter(hasOnlyName);
	if (nameOnly.length === 0) return new Set();
	const hasUsualColumn = headers.some((_, index) => {
		if (index === nameIndex || presetIndexes.has(index)) return false;
		return 2 * lines.filter(({ cells }) => getCell(cells, index) !== '').length > lines.length;
	});
	return new Set(hasUsualColumn ? nameOnly : []);
}
