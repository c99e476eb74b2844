import { INPUT_FIELDS } from '../../service/input/input';
import { spelling } from '../../service/input/spelling';
import { quoted } from '../../service/text';
import { groupBy } from '../group-by';
import { list } from '../text';
import { columnName } from './column-names';
import type { Row } from './row';
import { stateNotices } from './states';
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
	const served = INPUT_FIELDS.filter(
		(field) => headers[field] !== undefined || (set[field] ?? '').trim() !== '',
	);
	return suggestions(columns, cells, new Set(served)).map(({ index, field }) => {
		const name = columnName(columns[index] ?? '', index);
		return `${quoted(name)} is not sent. If it holds the ${field}, decide now, because later it changes every row: --map "${name}=${field}".`;
	});
}

/** Names products with several names, which may be right, or come from a wrong ID beside one of them. */
function productsWithSeveralNames(rows: readonly Row[]): string[] {
	const several = [...groupBy(sharingAnId(rows), ({ input }) => input.product_id ?? '')].flatMap(
		([id, its]) => {
			const byName = groupBy(its, ({ input }) => spelling(input.product_name));
			const firsts = [...byName.values()].flatMap((named) => named.slice(0, 1));
			return firsts.length > 1 ? [{ id, firsts }] : [];
		},
	);
	const [example] = several;
	if (example === undefined) return [];
	const { id, firsts } = example;
	const numbers = list(firsts.map(({ number }) => String(number)));
	const names = list(firsts.map(({ input }) => quoted(input.product_name)));
	const others = several.length - 1;
	const more = others === 0 ? '' : `, and so ${others === 1 ? 'is' : 'are'} ${others} more`;
	return [
		`Product ID ${id} is in rows ${numbers} under different names, ${names}${more}. Check the IDs: each of these rows is ordered.`,
	];
}

/** Gives the rows whose product ID is in another row too: few of many, so that not each row makes a group. */
function sharingAnId(rows: readonly Row[]): Row[] {
	const once = new Set<string>();
	const again = new Set<string>();
	for (const { input } of rows) {
		const { product_id: id = '' } = input;
		if (once.has(id)) again.add(id);
		else if (id !== '') once.add(id);
	}
	return rows.filter(({ input }) => again.has(input.product_id ?? ''));
}
