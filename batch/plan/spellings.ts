import { contentOf } from '../../service/input/key';
import { spelling } from '../../service/input/spelling';
import type { Row } from '../csv/row';
import { groupBy } from '../group-by';
import { isOrderedAs } from '../folder/journal/content';
import type { Records } from '../folder/journal/records';

/*
 * Rows that differ in spelling only are one row (P10), so they have one ID: that of the order in the journal, or else
 * the least of theirs, so that their order in the CSV changes no key (P7). A row that was ordered with its own ID keeps
 * it.
 */

/** Gives the rows, each with the ID that its content has in any spelling. */
export function inOneSpelling(
	rows: readonly Row[],
	records: Records,
	{ allowDuplicates }: { allowDuplicates: boolean },
): readonly Row[] {
	const isKnown = ({ id }: Row) => records.of(id, 1) !== undefined;
	const isOpen = (row: Row) => row.problems.length === 0 && !isKnown(row);
	if (!rows.some(isOpen)) return rows;
	// With --allow-duplicates each row is ordered. Then the order of one row of the CSV is no other row's.
	const apart = new Set(allowDuplicates ? rows.map(({ id }) => id) : []);
	const standing = records.all().filter(({ row }) => !apart.has(row));
	const orders = groupBy(standing, ({ product_name }) => spelling(product_name));
	const ids = allowDuplicates ? new Map<Row, string>() : leastIds(rows, isKnown);
	return rows.map((row) => {
		if (!isOpen(row)) return row;
		const alike = orders.get(spelling(row.input.product_name)) ?? [];
		const order = alike.find(({ content }) => isOrderedAs(content, row.input));
		const id = order?.row ?? ids.get(row) ?? row.id;
		return id === row.id ? row : { ...row, id };
	});
}

/**
 * Gives for each row one of the IDs that its content has in the CSV, if possible one that the journal knows. Rows whose
 * product no other row names are left out.
 */
function leastIds(rows: readonly Row[], isKnown: (row: Row) => boolean): ReadonlyMap<Row, string> {
	const ids = new Map<Row, string>();
	const valid = rows.filter(({ problems }) => problems.length === 0);
	for (const named of groupBy(valid, ({ input }) => spelling(input.product_name)).values()) {
		if (named.length === 1) continue;
		for (const group of groupBy(named, ({ input }) => contentOf(input)).values()) {
			const known = group.filter(isKnown);
			const [least = ''] = (known.length > 0 ? known : group).map(({ id }) => id).sort();
			for (const row of group) ids.set(row, least);
		}
	}
	return ids;
}
