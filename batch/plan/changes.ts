import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import type { BriefInput } from '../../service/api/resources';
import { spelling } from '../../service/input/spelling';
import { contentOf, isSameText, type OrderedContent } from '../folder/journal/content';
import type { Row } from '../csv/table';
import { groupBy } from '../group-by';
import type { BriefRecord, Records } from '../folder/journal/records';

/*
 * Rows are held back if their product was ordered already, with other content (P10). After a forgotten --set, a new
 * column or an edited cell the row has another key, and would be paid for again.
 */

/** A row whose product was ordered with other content. */
export interface ChangedRow {
	row: Row;
	/** The order that it was probably made from. */
	change: BriefRecord;
}

/** The orders that the changed rows of a CSV were made from, by the ID of the row. */
export type Changes = ReadonlyMap<string, BriefRecord>;

/** The name and the ID that distinguish products. An empty ID is not known. */
interface Product {
	name: string;
	id: string;
}

/**
 * Says whether an order holds an edited row back: it may have a brief, or has failed, which only `retry` orders again.
 * Not if a later order took its place.
 */
export function holdsBack({ state, replaced_by }: BriefRecord): boolean {
	return replaced_by === undefined && state !== 'withdrawn';
}

/**
 * Says whether a row may be held back: nothing of it was ever paid, and a person has not asked for it by name, as for
 * another try.
 */
export function isUnasked(record: BriefRecord | undefined): boolean {
	return record === undefined || (record.state === 'withdrawn' && record.generation === 1);
}

/** A line of results.csv as it was when the command began: it has the cells of rows that have left the CSV since. */
interface EarlierRow {
	/** With its own number, and its content as this run reads it. */
	row: Row;
	briefId: string;
	/** Its cells, but those that name the product; undefined if other rows may have the same. */
	others: string | undefined;
}

export interface Earlier {
	lines: readonly EarlierRow[];
	/** The same cells of the rows of the CSV, by the number of the row. */
	others: ReadonlyMap<number, string>;
}

/** The journal and results.csv, as far as they tell of changed rows. */
interface ChangesSource {
	/** All rows of the batch, if the CSV holds a part of them. */
	whole?: readonly Row[] | undefined;
	records: Records;
	earlier?: Earlier | undefined;
}

/**
 * Finds the changed rows of a CSV. An order whose row is in it, or elsewhere in its batch, holds no other row back.
 */
export function changesIn(rows: readonly Row[], source: ChangesSource): Changes {
	const { whole = [], records, earlier } = source;
	const held = heldOrders(rows, whole, records);
	if (held.gone.length === 0 && held.ofOthers.length === 0) return new Map();
	const isOpen = (row: Row) => row.problems.length === 0 && isUnasked(records.of(row.id));
	const shown = earlier === undefined ? [] : ordersOf(earlier.lines, records);
	const isGone = new Set(held.gone);
	const lines = shown.filter(({ order }) => isGone.has(order));
	const surer = [onRecord(records, isGone), sameNumber(held, shown), sameCells(lines, earlier)];
	return pairChanged(rows.filter(isOpen), held.gone, surer);
}

/**
 * Says whether the journal has orders whose row is not in the CSV, so that results.csv may say what became of the row.
 */
export function areOrdersGone(rows: readonly Row[], records: Records): boolean {
	return heldOrders(rows, [], records).gone.length > 0;
}

/**
 * Gives the changed rows that only results.csv shows, and not the journal.
 * @param rows of the whole CSV
 */
export function shownByResults(
	rows: readonly Row[],
	source: ChangesSource,
): Array<{ key: string; row: string }> {
	if (source.earlier === undefined) return [];
	const known = changesIn(rows, { ...source, earlier: undefined });
	const shown = changesIn(rows, source);
	return [...shown].flatMap(([row, order]) =>
		order === known.get(row) ? [] : [{ key: order.key, row }],
	);
}

/** The orders that may hold a row back. */
interface HeldOrders {
	/** Their row has left the batch. */
	gone: BriefRecord[];
	/** Their content is now that of a row with another number. */
	ofOthers: BriefRecord[];
}

function heldOrders(rows: readonly Row[], whole: readonly Row[], records: Records): HeldOrders {
	const numbers = new Set(rows.flatMap(({ ownId }) => numberOf(ownId) ?? []));
	// With the number of a row that is here it is that row, as it was.
	const isElsewhere = ({ ownId }: Row) => !numbers.has(numberOf(ownId) ?? '');
	const standing = new Set<BriefRecord>();
	const own = new Set<BriefRecord>();
	for (const row of [...rows, ...whole.filter(isElsewhere)]) {
		const record = records.of(row.id);
		if (record === undefined) continue;
		standing.add(record);
		const [here, ordered] = [numberOf(row.ownId), numberOf(record.id)];
		if (here === undefined || ordered === undefined || here === ordered) own.add(record);
	}
	const open = records.newest().filter((record) => holdsBack(record) && !own.has(record));
	return {
		gone: open.filter((record) => !standing.has(record)),
		ofOthers: open.filter((record) => standing.has(record)),
	};
}

/** Gives a row's own number as it is compared. */
function numberOf(ownId: string | undefined): string | undefined {
	return ownId === undefined ? undefined : spelling(ownId);
}

/** A line of results.csv with the order that it is about. */
type KnownLine = EarlierRow & { order: BriefRecord };

/**
 * Gives the lines of rows that were ordered. The brief says more than the content, which this run may read otherwise.
 */
export function ordersOf(lines: readonly EarlierRow[], records: Records): KnownLine[] {
	const byBrief = new Map(records.all().map((record) => [record.brief_id ?? '', record]));
	byBrief.delete('');
	return lines.flatMap((line) => {
		const order = byBrief.get(line.briefId) ?? records.of(line.row.id);
		return order === undefined ? [] : [{ ...line, order }];
	});
}

/** Finds the orders that a row may have been made from. */
type Way = (row: Row) => readonly BriefRecord[];

/** Finds the order that an earlier run has recognised. */
function onRecord(records: Records, isGone: ReadonlySet<BriefRecord>): Way {
	return (row) => {
		const order = records.madeFrom(row.id);
		return order !== undefined && isGone.has(order) ? [order] : [];
	};
}

/** Finds the orders with the number of the row. It may be given later: then results.csv has it, and not the journal. */
function sameNumber({ gone, ofOthers }: HeldOrders, shown: readonly KnownLine[]): Way {
	const later = new Map(shown.map(({ row, order }) => [order, row.ownId]));
	const numbers = groupBy([...gone, ...ofOthers], (order) =>
		numberOf(order.id ?? later.get(order)),
	);
	return ({ ownId }) => (ownId === undefined ? [] : (numbers.get(numberOf(ownId)) ?? []));
}

/** Finds the orders of rows that have left the CSV with the same cells, but those that name the product. */
function sameCells(lines: readonly KnownLine[], earlier: Earlier | undefined): Way {
	const alike = groupBy(lines, ({ others }) => others);
	return ({ number, input }) => {
		const others = earlier?.others.get(number);
		if (others === undefined) return [];
		const { name, id } = productOf(input);
		const isRenamed = (line: EarlierRow) => {
			const was = productOf(line.row.input);
			return was.name !== name || was.id !== id;
		};
		return (alike.get(others) ?? []).filter(isRenamed).map(({ order }) => order);
	};
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
 * Pairs rows with the orders that they were made from: those that the surest way shows before those of the same product.
 * @param rows in the order of the CSV
 */
export function pairChanged(
	rows: readonly Row[],
	orders: readonly BriefRecord[],
	surer: readonly Way[] = [],
): Changes {
	const known = new OrdersByProduct(orders);
	const sameProduct: Way = ({ input }) => known.of(productOf(input));
	const changes = new Map<string, BriefRecord>();
	for (const way of [...surer, sameProduct]) pairClosest(rows, way, changes);
	return changes;
}

/**
 * Pairs the rows that have no order yet. Each order holds back one row at most: first the pairs with the fewest
 * differing fields, then as the CSV has them.
 */
function pairClosest(rows: readonly Row[], ordersOf: Way, changes: Map<string, BriefRecord>): void {
	const taken = new Set(changes.values());
	const unknown = rows.flatMap((row) => {
		const alike = changes.has(row.id) ? [] : ordersOf(row);
		if (alike.length === 0) return [];
		return [{ key: row.id, content: contentOf(row.input), alike }];
	});
	for (let differing = 0; differing <= INPUT_FIELDS.length; differing += 1) {
		for (const { key, content, alike } of unknown) {
			if (changes.has(key)) continue;
			const order = alike.find(
				(one) => !taken.has(one) && countDiffering(one, content) === differing,
			);
			if (order === undefined) continue;
			taken.add(order);
			changes.set(key, order);
		}
	}
}

/** Gives the fields in which a row is not what was ordered; null if the order was parked before it was sent. */
export function differingFields({ row, change }: ChangedRow): InputField[] | null {
	return change.content === undefined ? null : differing(change.content, contentOf(row.input));
}

function differing(ordered: OrderedContent, now: OrderedContent): InputField[] {
	return INPUT_FIELDS.filter((field) => !isSameText(ordered[field], now[field]));
}

function countDiffering({ content }: BriefRecord, now: OrderedContent): number {
	return content === undefined ? INPUT_FIELDS.length : differing(content, now).length;
}

/** Gives the ID that was ordered. The journal never shortens it: it is too short for that. */
function idOrdered({ content }: BriefRecord): string {
	const id = content?.product_id;
	return typeof id === 'string' ? id : '';
}
