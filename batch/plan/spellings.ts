import { INPUT_FIELDS } from '../../service/input';
import type { BriefInput } from '../../service/resources';
import { spelling } from '../../service/spelling';
import { rowId, type Row } from '../csv/row';
import { isOrderedAs } from '../journal/content';
import type { BriefRecord, Records } from '../journal/records';

/*
 * Rows that differ in spelling only are one row (P10), so they have one ID: that of the order which the journal has, or
 * else the least one of theirs, so that their order in the CSV changes no key (P7). A row that was ordered with an ID of
 * its own keeps it.
 */

/** The rows, each with the ID that its content has in any spelling. */
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
	const orders = ordersByName(records, apart);
	const names = rows.map((row) => (isOpen(row) || isKnown(row) ? rowId(spelled(row.input)) : ''));
	const ids = allowDuplicates ? new Map<string, string>() : leastIds(rows, names, isKnown);
	return rows.map((row, at) => {
		if (!isOpen(row)) return row;
		const alike = orders.get(spelling(row.input.product_name)) ?? [];
		const order = alike.find(({ content }) => isOrderedAs(content, row.input));
		const id = order?.row ?? ids.get(names[at] ?? '') ?? row.id;
		return id === row.id ? row : { ...row, id };
	});
}

/** For each content one of the IDs that it has in the CSV, if possible one that the journal knows. */
function leastIds(
	rows: readonly Row[],
	names: readonly string[],
	isKnown: (row: Row) => boolean,
): Map<string, string> {
	const ids = new Map<string, string>();
	const ranked = rows.map((row, at) => ({
		id: row.id,
		name: names[at] ?? '',
		known: isKnown(row),
	}));
	ranked.sort((a, b) => Number(b.known) - Number(a.known) || (a.id < b.id ? -1 : 1));
	for (const { id, name } of ranked) if (name !== '' && !ids.has(name)) ids.set(name, id);
	return ids;
}

function spelled(input: BriefInput): BriefInput {
	const result: BriefInput = { ...input };
	for (const field of INPUT_FIELDS) {
		const value = input[field];
		if (field === 'reference_urls') result.reference_urls = input.reference_urls?.map(spelling);
		else if (typeof value === 'string') result[field] = spelling(value);
	}
	return result;
}

function ordersByName(
	records: Records,
	standing: ReadonlySet<string>,
): ReadonlyMap<string, BriefRecord[]> {
	const orders = new Map<string, BriefRecord[]>();
	for (const record of records.all()) {
		if (standing.has(record.row)) continue;
		const name = spelling(record.product_name);
		const alike = orders.get(name);
		if (alike === undefined) orders.set(name, [record]);
		else alike.push(record);
	}
	return orders;
}
