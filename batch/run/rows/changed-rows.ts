import { INPUT_FIELDS, type InputField } from '../../../service/input';
import type { BriefInput } from '../../../service/resources';
import { spelling } from '../../../service/spelling';
import { contentOf, isSameText, type OrderedContent } from '../../journal/content';
import type { BriefRecord } from '../../journal/records';

/*
 * Which rows are held back because their product was ordered already, with other content (P10). A forgotten --set, a
 * column more or an edited cell makes another row of it, with another key, and would be paid for again.
 */

/** A row of the CSV of which nothing was paid. */
export interface UnknownRow {
	/** As `rowKey` makes it. */
	key: string;
	number: number;
	product_name: string;
	product: Product;
	content: OrderedContent;
}

/** A row with the order that it was made from, as far as one can tell. */
export interface Change {
	row: UnknownRow;
	order: BriefRecord;
}

/** The changed rows of a CSV, by `rowKey`. */
export type Changes = ReadonlyMap<string, Change>;

/** What tells products apart. An empty ID is not known. */
export interface Product {
	name: string;
	id: string;
}

/** Tells rows of the same content apart as well. */
export function rowKey(id: string, ordinal: number): string {
	return `${id} ${ordinal}`;
}

/**
 * Whether an order may have a brief, and no later order of its row took its place. One that has failed holds nothing
 * back: an edited row is its cure.
 */
export function holdsBack({ state, status, replaced_by }: BriefRecord): boolean {
	if (replaced_by !== undefined || state === 'withdrawn') return false;
	return state !== 'done' || status === 'ready';
}

/**
 * Whether a row may be held back: nothing of it was ever paid, and nobody asked for it by name, as for a further
 * generation.
 */
export function isUnasked(record: BriefRecord | undefined): boolean {
	return record === undefined || (record.state === 'withdrawn' && record.generation === 1);
}

export function unknownRow(key: string, number: number, input: BriefInput): UnknownRow {
	const { product_name } = input;
	return { key, number, product_name, product: productOf(input), content: contentOf(input) };
}

export function productOf({ product_name, product_id = '' }: Partial<BriefInput>): Product {
	// Of a link, too, other capitals are no other product.
	return { name: spelling(product_name ?? '').toLowerCase(), id: product_id };
}

/** Finds the orders of the same product: with the same ID, or with the same name and no other ID. */
export class OrdersByProduct {
	private readonly byId = new Map<string, BriefRecord[]>();
	private readonly byName = new Map<string, Array<{ id: string; order: BriefRecord }>>();

	constructor(orders: readonly BriefRecord[]) {
		for (const order of orders) {
			const { name, id } = productOrdered(order);
			if (id !== '') add(this.byId, id, order);
			add(this.byName, name, { id, order });
		}
	}

	of({ name, id }: Product): BriefRecord[] {
		const sameId = id === '' ? [] : (this.byId.get(id) ?? []);
		const sameName = (this.byName.get(name) ?? [])
			.filter((one) => one.id === '' || id === '')
			.map(({ order }) => order);
		return [...sameId, ...sameName];
	}
}

/**
 * Pairs rows with the orders that they were made from. Each order holds back one row at most: first the pairs with the
 * fewest differing fields, then as the CSV has them.
 * @param rows in the order of the CSV
 */
export function pairChanged(rows: readonly UnknownRow[], orders: readonly BriefRecord[]): Changes {
	const known = new OrdersByProduct(orders);
	const free = new Set(orders);
	const changes = new Map<string, Change>();
	for (let differing = 0; differing <= INPUT_FIELDS.length && free.size > 0; differing += 1) {
		for (const row of rows) {
			if (changes.has(row.key)) continue;
			const order = known
				.of(row.product)
				.find((one) => free.has(one) && countDiffering(one, row) === differing);
			if (order === undefined) continue;
			free.delete(order);
			changes.set(row.key, { row, order });
		}
	}
	return changes;
}

/** The fields in which a row is not what was ordered; null if the order was parked before it was sent. */
export function differingFields({ order: { content }, row }: Change): InputField[] | null {
	if (content === undefined) return null;
	return INPUT_FIELDS.filter((field) => !isSameText(content[field], row.content[field]));
}

function countDiffering(order: BriefRecord, row: UnknownRow): number {
	return differingFields({ order, row })?.length ?? INPUT_FIELDS.length;
}

/** An ID is never so long that the journal shortens it. */
function productOrdered({ product_name, content }: BriefRecord): Product {
	const id = content?.product_id;
	return productOf({ product_name, product_id: typeof id === 'string' ? id : '' });
}

function add<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
	const list = lists.get(key);
	if (list === undefined) lists.set(key, [value]);
	else list.push(value);
}
