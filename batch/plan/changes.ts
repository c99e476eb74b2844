import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import type { BriefInput } from '../../service/api/resources';
import { spelling } from '../../service/input/spelling';
import { orderedContent, isSameText } from '../folder/journal/content';
import type { Row } from '../csv/table';
import { groupBy } from '../group-by';
import { hasArrived, isHeldUnsent, type Order, type Records } from '../folder/records';

/*
 * A row is its number (--id), else its product ID, else its name. With other content than it was ordered with it is
 * changed, and held back (P10): after a new --set, a new column or an edited cell it has another key, and would be paid
 * for again.
 */

/**
 * Says whether a row may be held back: nothing of it was ever paid, and a person has not asked for it by name, as for
 * another try.
 */
export function mayBeHeldBack(record: Order | undefined): boolean {
	if (record === undefined || isHeldUnsent(record) || record.passed_to !== undefined) return true;
	return record.state.stage === 'to_order' && record.try === 1;
}

/**
 * Finds the changed rows: those whose content was not ordered, as long as an order of theirs has no row any more.
 * @param csv all rows of the CSV: a row that is left out is not gone
 * @returns the keys of the orders that hold them back, by the ID of the row
 */
export function changesIn(
	rows: readonly Row[],
	csv: readonly Row[],
	records: Records,
): ReadonlyMap<string, string> {
	const orders = new Orders(ordersWithoutRow(csv, records));
	const changes = new Map<string, string>();
	if (orders.isNone) return changes;
	const shownOrders = new Set<Order>();
	for (const row of rows) {
		const { contentId: id, problems } = row;
		if (problems.length > 0 || changes.has(id) || !mayBeHeldBack(records.of(id))) continue;
		const ordersOfRow = orders.of(row);
		// Each order is shown by a row, as far as there are rows.
		const change = ordersOfRow.find((order) => !shownOrders.has(order)) ?? ordersOfRow[0];
		if (change === undefined) continue;
		shownOrders.add(change);
		changes.set(id, change.key);
	}
	return changes;
}

/**
 * Gives the orders that hold an edited row back and whose content no row has, or only one with another number: such an
 * order may have a brief, or has failed, which only `retry` orders again.
 */
function ordersWithoutRow(csv: readonly Row[], records: Records): Order[] {
	const orders = records
		.all()
		.filter((record) => hasArrived(record) && !records.isReplaced(record));
	if (orders.length === 0) return orders;
	const contentIdsOfRows = new Set<string>();
	for (const { contentId, ownNumber } of csv) {
		const [ofRow, ofOrder] = [ownNumber, records.of(contentId)?.own_number].map(comparableNumber);
		if (ofRow === undefined || ofOrder === undefined || ofRow === ofOrder)
			contentIdsOfRows.add(contentId);
	}
	return orders.filter(({ content_id }) => !contentIdsOfRows.has(content_id));
}

/** Gives the order that holds a row back now, or has its brief by now. A try that never arrived hides none before it. */
export function holderNow(key: string | undefined, records: Records): Order | undefined {
	const onRecord = records.withKey(key);
	const order = onRecord && (records.keeperOf(onRecord) ?? onRecord);
	if (order === undefined || hasArrived(order)) return order;
	return holderNow(records.tryBefore(order)?.key, records);
}

/** Gives a row's own number as orders are found by it: a spreadsheet makes 471 of 00471. */
export function comparableNumber(ownNumber: string | undefined): string | undefined {
	return ownNumber === undefined ? undefined : spelling(ownNumber).replace(/^0+(?=\d+$)/, '');
}

/** Gives the name and the ID that distinguish products. An empty ID is not known. */
export function productOf({ product_name, product_id = '' }: Partial<BriefInput>) {
	// Of a link, too, other capitals are no other product.
	return { name: spelling(product_name ?? '').toLowerCase(), id: product_id };
}

/** Finds the orders of a row: with its number, or if one of the two has none, of its product. */
export class Orders {
	private readonly byNumber: ReadonlyMap<string | undefined, Order[]>;
	private readonly byId: ReadonlyMap<string, Order[]>;
	private readonly byName: ReadonlyMap<string, Order[]>;
	readonly isNone: boolean;

	constructor(orders: readonly Order[]) {
		this.isNone = orders.length === 0;
		this.byNumber = groupBy(orders, ({ own_number }) => comparableNumber(own_number));
		this.byId = groupBy(orders, idOrdered);
		this.byName = groupBy(orders, (order) => productOf(order).name);
	}

	of({ input, ownNumber }: Row): Order[] {
		const ofProduct = this.ofProduct(input);
		if (ownNumber === undefined) return ofProduct;
		const ofNumber = this.byNumber.get(comparableNumber(ownNumber)) ?? [];
		return [...ofNumber, ...ofProduct.filter(({ own_number }) => own_number === undefined)];
	}

	/** Finds those with the same product ID, or with the same name and no other ID. */
	private ofProduct(input: BriefInput): Order[] {
		const { name, id } = productOf(input);
		const sameId = id === '' ? [] : (this.byId.get(id) ?? []);
		const sameName = (this.byName.get(name) ?? []).filter(
			(order) => id === '' || idOrdered(order) === '',
		);
		return [...sameId, ...sameName];
	}
}

/** Gives the fields in which a row is not what was ordered. */
export function differingFields(row: Row, { content }: Order): InputField[] {
	const now = orderedContent(row.input);
	return INPUT_FIELDS.filter((field) => !isSameText(content[field], now[field]));
}

/** Gives the ID that was ordered. The journal never shortens it: it is too short for that. */
function idOrdered({ content }: Order): string {
	const id = content.product_id;
	return typeof id === 'string' ? id : '';
}
