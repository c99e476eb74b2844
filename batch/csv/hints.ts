import { INPUT_FIELDS } from '../../service/input/input';
import { spelling } from '../../service/input/spelling';
import { quote } from '../../service/shortened-text';
import { groupBy } from '../group-by';
import { list } from '../text';
import { columnsOf } from './column-names';
import type { Row } from './row';
import { suggestions } from './suggestions';
import type { Table } from './table';

/**
 * Gives what a person may want to change before rows are paid for. All of it is probable, none of it certain, so the
 * rows are ordered as they are.
 * @param toOrder the rows that a run would order
 * @param isFiltered whether a --where chooses the rows already
 */
export function hints(table: Table, toOrder: readonly Row[], isFiltered: boolean): string[] {
	if (toOrder.length === 0) return [];
	return [
		...unsentColumns(table),
		...(isFiltered ? [] : stateNotices(table)),
		...productsWithSeveralNames(toOrder),
	];
}

/** Enough rows to judge what a column holds. */
const ROWS_JUDGED = 50;

/** Gives the columns that may have been meant for the briefs, each with the --map to type. */
function unsentColumns({ columns, rows, headers, set }: Table): string[] {
	const cells = rows.slice(0, ROWS_JUDGED).map((row) => row.cells);
	const servedFields = INPUT_FIELDS.filter(
		(field) => headers[field] !== undefined || set[field] !== undefined,
	);
	return suggestions(columnsOf(columns), cells, new Set(servedFields)).map(
		({ name, field }) =>
			`${quote(name)} is not sent. If it holds the ${field}, map it before you order (later, every row would count as changed): --map "${name}=${field}".`,
	);
}

/** Values by which systems say whether a product is sold. */
const STATES = new Set(
	'active inactive archived draft published unpublished unlisted enabled disabled discontinued available unavailable hidden visible live aktiv inaktiv archiviert entwurf actif inactif archivé brouillon activo inactivo archivado borrador'.split(
		' ',
	),
);

/** A shop's sizes and colours, which are rows of their own below their product. */
const VARIATION = /^variation(,|$)/;

/** A column of more values does not speak of a state. */
const MOST_VALUES = 6;

/** Names the columns that say which rows are on sale, or are products, for a person to choose by. */
function stateNotices({ columns, rows }: Table): string[] {
	return columnsOf(columns).flatMap(({ header, name, place }) => {
		// A --where cannot name it.
		if (header.trim() === '') return [];
		const counts = new Map<string, number>();
		const spellings = new Map<string, string>();
		for (const { cells } of rows) {
			const cell = (cells[place] ?? '').trim();
			const value = cell.toLowerCase();
			counts.set(value, (counts.get(value) ?? 0) + 1);
			if (!spellings.has(value)) spellings.set(value, cell);
			if (counts.size > MOST_VALUES) return [];
		}
		const values = [...counts].filter(([value]) => value !== '');
		const [most] = values.sort(([, a], [, b]) => b - a);
		if (most === undefined || counts.size < 2) return [];
		const spelt = (value: string) => spellings.get(value) ?? value;
		const variations = values.filter(([value]) => VARIATION.test(value));
		const wheres = values.some(([value]) => STATES.has(value))
			? [`${name}=${spelt(most[0])}`]
			: variations.map(([value]) => `${name}!=${spelt(value)}`);
		if (wheres.length === 0) return [];
		const text = values.map(([value, n]) => `${n} ${spelt(value)}`).join(', ');
		const options = wheres.map((where) => `--where "${where}"`).join(' ');
		return [`${name}: ${text}. To leave some out: ${options}`];
	});
}

/** Names products with several names, which may be right, or come from a wrong ID beside one of them. */
function productsWithSeveralNames(rows: readonly Row[]): string[] {
	const withId = rows.filter(({ input }) => input.product_id !== undefined);
	const several = [...groupBy(withId, ({ input }) => input.product_id ?? '')].flatMap(
		([id, its]) => {
			if (its.length === 1) return [];
			const byName = groupBy(its, ({ input }) => spelling(input.product_name));
			const firsts = [...byName.values()].flatMap((rows) => rows.slice(0, 1));
			return firsts.length > 1 ? [{ id, firsts }] : [];
		},
	);
	const [example] = several;
	if (example === undefined) return [];
	const { id, firsts } = example;
	const numbers = list(firsts.map(({ number }) => String(number)));
	const names = list(firsts.map(({ input }) => quote(input.product_name)));
	const others = several.length - 1;
	const more = others === 0 ? '' : `, and so ${others === 1 ? 'is' : 'are'} ${others} more`;
	return [
		`Product ID ${id} is in rows ${numbers} under different names, ${names}${more}. Check the IDs: each of these rows is ordered.`,
	];
}
