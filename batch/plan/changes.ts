import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import type { BriefInput } from '../../service/api/resources';
import { spelling } from '../../service/input/spelling';
import { contentOf, isSameText, type OrderedContent } from '../folder/journal/content';
import type { Row } from '../csv/table';
import { groupBy } from '../group-by';
import type { BriefRecord, Records } from '../folder/journal/records';
import { numbered, type NumberedRow } from './try';

/*
 * Which rows are held back because their product was ordered already, with other content (P10). After a forgotten --set,
 * a new column or an edited cell the row has another key, and would be paid for again.
 */

/** A row whose product was ordered with other content. */
export interface ChangedRow {
	row: Row;
	/** The order that it was probably made from. */
	change: BriefRecord;
}

/** The orders that the changed rows of a CSV were made from, by `rowKey`. */
export type Changes = ReadonlyMap<string, BriefRecord>;

/** What distinguishes products. An empty ID is not known. */
interface Product {
	name: string;
	id: string;
}

/** Distinguishes rows of the same content too. */
export function rowKey(id: string, ordinal: number): string {
	return `${id} ${ordinal}`;
}

/**
 * Whether an order holds an edited row back: it may have a brief, or has failed, which only `retry` orders again. Not if a
 * later order took its place.
 */
export function holdsBack({ state, replaced_by }: BriefRecord): boolean {
	return replaced_by === undefined && state !== 'withdrawn';
}

/**
 * Whether a row may be held back: nothing of it was ever paid, and a person has not asked for it by name, as for another
 * try.
 */
export function isUnasked(record: BriefRecord | undefined): boolean {
	return record === undefined || (record.state === 'withdrawn' && record.generation === 1);
}

/** What is known besides the rows. */
interface ChangesSource {
	/** All rows of the batch, if the CSV holds a part of them. */
	whole?: readonly Row[] | undefined;
	records: Records;
	options: { allowDuplicates: boolean };
}

/**
 * Finds the changed rows of a CSV. An order whose row is in it, or elsewhere in its batch, holds no other row back.
 */
export function changesIn(
	rows: readonly NumberedRow[],
	{ whole = [], records, options: { allowDuplicates } }: ChangesSource,
): Changes {
	const recordOf = ({ row, ordinal }: NumberedRow) => records.of(row.id, ordinal);
	const standing = new Set([...rows, ...numbered(whole)].map(recordOf));
	const gone = records.newest().filter((record) => holdsBack(record) && !standing.has(record));
	if (gone.length === 0) return new Map();
	const isOpen = (one: NumberedRow) =>
		one.row.problems.length === 0 &&
		(one.first === undefined || allowDuplicates) &&
		isUnasked(recordOf(one));
	return pairChanged(rows.filter(isOpen), gone);
}

export function productOf({ product_name, product_id = '' }: Partial<BriefInput>): Product {
	// Of a link, too, other capitals are no other product.
	return { name: spelling(product_name ?? '').toLowerCase(), id: product_id };
}

/** Finds the orders of the same product: with the same ID, or with the same name and no other ID. */
export class OrdersByProduct {
	private readonly byId: ReadonlyMap<string, BriefRecord[]>;
	private readonly byName: ReadonlyMap<string, BriefRecord[]>;

	constructor(orders: readonly BriefRecord[]) {
		this.byId = groupBy(orders, idOrdered);
		this.byName = groupBy(orders, (order) => productOf(order).name);
	}

	of({ name, id }: Product): BriefRecord[] {
		const sameId = id === '' ? [] : (this.byId.get(id) ?? []);
		const sameName = (this.byName.get(name) ?? []).filter(
			(order) => id === '' || idOrdered(order) === '',
		);
		return [...sameId, ...sameName];
	}
}

/**
 * Pairs rows with the orders that they were made from. Each order holds back one row at most: first the pairs with the
 * fewest differing fields, then as the CSV has them.
 * @param rows in the order of the CSV
 */
export function pairChanged(
	rows: ReadonlyArray<Pick<NumberedRow, 'row' | 'ordinal'>>,
	orders: readonly BriefRecord[],
): Changes {
	const known = new OrdersByProduct(orders);
	const unknown = rows.flatMap(({ row, ordinal }) => {
		const alike = known.of(productOf(row.input));
		if (alike.length === 0) return [];
		const content = contentOf(row.input);
		return [{ key: rowKey(row.id, ordinal), content, alike }];
	});
	const free = new Set(orders);
	const changes = new Map<string, BriefRecord>();
	for (let differing = 0; differing <= INPUT_FIELDS.length && free.size > 0; differing += 1) {
		for (const { key, content, alike } of unknown) {
			if (changes.has(key)) continue;
			const order = alike.find(
				(one) => free.has(one) && countDiffering(one, content) === differing,
			);
			if (order === undefined) continue;
			free.delete(order);
			changes.set(key, order);
		}
	}
	return changes;
}

/** The fields in which a row is not what was ordered; null if the order was parked before it was sent. */
export function differingFields({ row, change }: ChangedRow): InputField[] | null {
	return change.content === undefined ? null : differing(change.content, contentOf(row.input));
}

function differing(ordered: OrderedContent, now: OrderedContent): InputField[] {
	return INPUT_FIELDS.filter((field) => !isSameText(ordered[field], now[field]));
}

function countDiffering({ content }: BriefRecord, now: OrderedContent): number {
	return content === undefined ? INPUT_FIELDS.length : differing(content, now).length;
}

/** The journal never shortens an ID: it is too short for that. */
function idOrdered({ content }: BriefRecord): string {
	const id = content?.product_id;
	return typeof id === 'string' ? id : '';
}
