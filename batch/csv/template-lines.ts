import { REQUIREMENT_WORDS, type FieldColumns } from './columns';
import { textsIn } from './header-row';
import type { RepeatedHeader, CsvLine } from './repeated-header';

/*
 * The lines by which a marketplace's upload template describes its columns. The seller centre's exports have five above
 * the products: field names, a version, headers for people, “Mandatory” or “Optional”, and what to enter.
 */

/** More rows than any template has above its products. */
const ROWS_EXAMINED = 8;

/** Whole cells that say whether a column must be filled, or may be edited. */
const REQUIREMENT = new RegExp(
	`^\\(?(${REQUIREMENT_WORDS}|(cannot|can(not)?|do not|not) be edited|(un|not )?editable|do not edit)\\)?[.*]?$`,
	'i',
);

/**
 * Says what to enter, in words that a product's name may begin with too, so they count only below a line of
 * requirements.
 */
const DESCRIPTION =
	/^[•*]|^(please )?(enter|fill in|input|provide|select|choose|add|copy) |\b(must|should) (be|not|have|contain)\b|\bcharacters?\b/i;

const VERSION = /^v\d+(\.\d+)*$/i;

/**
 * Finds the first lines that belong to a template, by row, with the text in the product's column, and those among them
 * that may or may not be products.
 */
export function findTemplateLines(
	lines: readonly CsvLine[],
	fieldColumns: FieldColumns,
	headers: RepeatedHeader,
): { template: ReadonlyMap<number, string>; among: ReadonlySet<number> } {
	const template = new Map<number, string>();
	const among = new Set<number>();
	const textOf = (cells: readonly string[], field: 'product_name' | 'product_id') =>
		(cells[fieldColumns.get(field)?.place ?? -1] ?? '').trim();
	const first = lines.slice(0, ROWS_EXAMINED).map(({ number, cells }) => {
		const [name, texts] = [textOf(cells, 'product_name'), textsIn(cells)];
		const saying = texts.filter((text) => REQUIREMENT.test(text) || DESCRIPTION.test(text));
		const hasId = /^\d{5,}$/.test(textOf(cells, 'product_id'));
		const isDescribed = !hasId && REQUIREMENT.test(name) && saying.length * 2 > texts.length;
		return { number, cells, name, start: texts[0] ?? '', hasId, isDescribed };
	});
	const last = first.findLastIndex(({ isDescribed }) => isDescribed);
	for (const [at, { number, cells, name, start, hasId, isDescribed }] of first.entries()) {
		if (at > last + 1 || last === -1) break;
		const isBelow = at > last;
		if (
			isDescribed ||
			headers.namesFields(cells) ||
			(isBelow ? DESCRIPTION.test(name) && !hasId : VERSION.test(start))
		)
			template.set(number, name === '' ? start : name);
		else if (!isBelow) among.add(number);
	}
	return { template, among };
}
