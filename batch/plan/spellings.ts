import { INPUT_FIELDS } from '../../service/input';
import { canonical } from '../../service/key';
import type { BriefInput } from '../../service/resources';
import { spelling } from '../../service/spelling';
import type { Row } from '../csv/row';
import { isOrderedAs } from '../journal/content';
import type { BriefRecord, Records } from '../journal/records';

/*
 * Rows that differ in spelling only are one row (P10), so they have one ID: that of the order in the journal, or else
 * the least of theirs, so that their order in the CSV changes no key (P7). A row that was ordered with its own ID keeps
 * it.
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
	const names = rows.map(({ input, problems }) =>
		problems.length > 0 ? '' : spelling(input.product_name),
	);
	const ids = allowDuplicates ? new Map<Row, string>() : leastIds(rows, names, isKnown);
	return rows.map((row, at) => {
		if (!isOpen(row)) return row;
		const alike = orders.get(names[at] ?? '') ?? [];
		const order = alike.find(({ content }) => isOrderedAs(content, row.input));
		const id = order?.row ?? ids.get(row) ?? row.id;
		return id === row.id ? row : { ...row, id };
	});
}

/**
 * For each row one of the IDs that its content has in the CSV, if possible one that the journal knows. Rows whose product
 * no other row names are left out.
 */
function leastIds(
	rows: readonly Row[],
	names: readonly string[],
	isKnown: (row: Row) => boolean,
): ReadonlyMap<Row, string> {
	const times = new Map<string, number>();
	for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
	const groups = new Map<string, Row[]>();
	rows.forEach((row, at) => {
		if (row.problems.length > 0 || times.get(names[at] ?? '') === 1) return;
		const content = canonical(spelled(row.input));
		const group = groups.get(content);
		if (group === undefined) groups.set(content, [row]);
		else group.push(row);
	});
	const ids = new Map<Row, string>();
	for (const group of groups.values()) {
		const known = group.filter(isKnown);
		const [least = ''] = (known.length > 0 ? known : group).map(({ id }) => id).sort();
		for (const row of group) ids.set(row, least);
	}
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
