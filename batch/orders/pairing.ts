import type { ComparableFields } from './comparable-fields';
import type { Row } from '../csv/types';
import type { StoredOrder } from './order';

/** Rows with the same content: they were edited together. */
export interface EditedRows {
	readonly rows: readonly Row[];
	readonly fields: ComparableFields;
}

/** An order that has fewer rows than before, with its own input or that of a row that was edited earlier. */
export interface Candidate {
	readonly order: StoredOrder;
	readonly fields: ComparableFields;
}

/** Pairs edited rows with candidates. A row gets one order, an order gets as many rows as it has lost. */
export class Pairing {
	private readonly orders = new Map<EditedRows, StoredOrder>();
	private readonly free: Map<StoredOrder, number>;

	/** @param lostRows how many rows each order has lost */
	constructor(lostRows: ReadonlyMap<StoredOrder, number>) {
		this.free = new Map(lostRows);
	}

	isPaired(edited: EditedRows): boolean {
		return this.orders.has(edited);
	}

	isFree(order: StoredOrder): boolean {
		return (this.free.get(order) ?? 0) > 0;
	}

	pair(edited: EditedRows, order: StoredOrder): void {
		this.orders.set(edited, order);
		this.free.set(order, (this.free.get(order) ?? 0) - edited.rows.length);
	}

	get pairs(): ReadonlyMap<EditedRows, StoredOrder> {
		return this.orders;
	}
}
