import { findDamage, findRoundedIds } from '../../core/input/checks';
import { INPUT_FIELDS } from '../../core/input/input-fields';
import type { BriefInput } from '../../core/api/types';
import { getCell } from './cells';
import { getFieldCell, getFieldLabel, type Layout } from './columns';
import { findLinesAboveIds } from './select-products';
import type { CsvLine, CsvOptions } from './types';

/*
 * Finds rows that a program or a mistake has probably damaged, so that their briefs might be wasted. A run leaves such
 * rows for review, and `--allow damaged-rows` orders them, because spreadsheets write some of them on purpose.
 *
 *     Product Name,Audience,SKU
 *     Cedar                         has 1 of 3 cells
 *     Candle,Hikers,C1              follows such a row: a line break cut the row in two
 *     KITCHEN,,                     has only a name, and the other rows have more
 *
 * The damage of single values is in core/input/checks.ts.
 */

/**
 * Returns a function that lists the damage of a line.
 * @param set the default values: users leave the columns of these fields empty on purpose
 */
export function createDamageFinder(
	lines: readonly CsvLine[],
	layout: Layout,
	set: CsvOptions['set'],
): (line: CsvLine, input: BriefInput) => string[] {
	const afterShort = findLinesAfterShort(lines, layout);
	const nameOnly = findNameOnlyLines(lines, layout, set);
	const aboveIds = new Set(findLinesAboveIds(lines, layout));
	const roundedIds = findRoundedIds(lines.map((line) => getFieldCell(line, 'product_id', layout)));
	const labels = INPUT_FIELDS.map((field) => [field, getFieldLabel(field, layout)] as const);
	return (line, input) => {
		const damage = findLayoutDamage(line, layout.headers.length);
		if (afterShort.has(line))
			damage.push('The row follows a row with too few cells, and can be its second half');
		if (nameOnly.has(line))
			damage.push('The row has only a name, like a heading; the other rows have more');
		if (aboveIds.has(line))
			damage.push('The row is above the first product ID, like an instruction of a template');
		for (const [field, label] of labels) {
			const value = input[field];
			const found = value === undefined ? null : findDamage(field, value);
			if (found !== null) damage.push(`${label} ${found}`);
		}
		if (roundedIds.has(input.product_id ?? ''))
			damage.push(
				`${getFieldLabel('product_id', layout)} ends in 00, like all product IDs in this CSV: a program probably rounded them`,
			);
		return damage;
	};
}

function findLayoutDamage({ cells }: CsvLine, width: number): string[] {
	const damage: string[] = [];
	if (cells.length < width) damage.push(`The row has ${cells.length} of ${width} cells`);
	if (cells.length > width)
		damage.push(`The row has ${cells.length} cells, but the header has ${width}`);
	if (cells.some((cell) => /^\s+"/.test(cell)))
		damage.push('The row has a space before a quotation mark');
	return damage;
}

/** An unquoted line break cuts a row in two. The second half can look like a complete row. */
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
	{ headers, columns }: Layout,
	set: CsvOptions['set'],
): ReadonlySet<CsvLine> {
	const nameIndex = columns.get('product_name') ?? -1;
	const hasOnlyName = ({ cells }: CsvLine) =>
		cells.length >= headers.length &&
		getCell(cells, nameIndex) !== '' &&
		cells.every((cell, index) => index === nameIndex || cell.trim() === '');
	const nameOnly = lines.filter(hasOnlyName);
	if (nameOnly.length === 0) return new Set();
	const preset = INPUT_FIELDS.filter((field) => set[field] !== undefined);
	const ignored = new Set([nameIndex, ...preset.map((field) => columns.get(field))]);
	const isUsual = (index: number) =>
		2 * lines.filter(({ cells }) => getCell(cells, index) !== '').length > lines.length;
	const hasUsualColumn = headers.some((_, index) => !ignored.has(index) && isUsual(index));
	return new Set(hasUsualColumn ? nameOnly : []);
}
