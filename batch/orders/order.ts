import type { BriefInput, BriefSummary } from '../../core/api/types';
import {
	hasPaid,
	type BriefSource,
	type Order,
	type OrderBase,
	type SentTimes,
	type UnconfirmedOrder,
} from '../../core/orders/order';

/**
 * An order as the folder stores it (see core/orders/order.ts), with the rows that had it. An order pays for a content, so
 * rows are not stored: each plan matches the rows of the CSV with the orders (match-rows.ts). The journal has an order's
 * changes, and the last value of a field wins:
 *
 *     {"order":1,"contentId":"52ce…","input":{"product_name":"Mug"},"key":"34b5…",…,"state":{"kind":"unconfirmed",…}}
 *     {"order":1,"state":{"kind":"accepted","brief":{"id":"d031…","status":"queued"},"source":"own","review":null}}
 *     {"order":1,"state":{"kind":"ready","brief":{"id":"d031…","status":"ready"},"source":"own","file":"mug-d031a274"}}
 *
 *     unconfirmed ──> accepted ──> ready, failed      nothing is written for an order before it is sent
 *          └──> dropped, rejected                     a brief that is reused begins as accepted
 */
export interface StoredOrder extends OrderBase {
	readonly id: number;
	/** The row IDs of all rows that had this order, the newest last. A row with one of them is never new. */
	readonly rowIds: readonly OrderRowId[];
	/** The order that this order replaced for its row; null if it is the row's first, or other rows still share that order. */
	readonly previousOrderId: number | null;
	/** Contents of edited rows that the user accepted for the brief (--accept-edits). */
	readonly acceptedContentIds: readonly string[];
	/** True if a row had this order in the last run, with the ordered content or edited. */
	readonly hasRows: boolean;
	/** Number of rows in the last run in which the order had any. */
	readonly rowCount: number;
	/** The inputs of its edited rows in the last run, so that a second edit is recognized. */
	readonly editedInputs: readonly BriefInput[];
	readonly state: OrderState;
}

export interface OrderRowId {
	/** Value of the --id column. */
	readonly rowId: string;
	/** The run in which the row got this order. Of several orders, the row had the order with the highest number last. */
	readonly run: number;
}

export type OrderState =
	UnconfirmedState | AcceptedState | ReadyState | FailedState | RejectedState | DroppedState;

/** Sent, or about to be sent, without a usable answer: the brief might have been created. Times are the service's. */
export interface UnconfirmedState extends SentTimes {
	readonly kind: 'unconfirmed';
	readonly runsWithoutAnswer: number;
	/** The last answer, which the service did not send; empty if the process ended before an answer. */
	readonly error: string;
	/** Null while the program can settle the order by itself. */
	readonly review: UnconfirmedReview | null;
}

/** Why the user has to settle an order. Briefs that might be the order's are a review of its content. */
export type UnconfirmedReview =
	/** Three runs got no usable answer, or the service refuses the order now. */
	| { readonly code: 'no_answer' | 'refused' }
	/** The service answered with the brief of another order. */
	| { readonly code: 'other_brief'; readonly briefId: string };

/** The brief exists and is not saved yet. */
export interface AcceptedState {
	readonly kind: 'accepted';
	readonly brief: BriefSummary;
	readonly source: BriefSource;
	/** `late`: not finished a day after it was created. `not_found`: the service does not know the brief. */
	readonly review: 'late' | 'not_found' | null;
}

interface ReadyState {
	readonly kind: 'ready';
	readonly brief: BriefSummary;
	readonly source: BriefSource;
	/** Base name of the saved files. */
	readonly file: string;
	/** What the service warns about, as texts. */
	readonly warnings: readonly string[];
}

/** The service could not write the brief. */
export interface FailedState {
	readonly kind: 'failed';
	readonly brief: BriefSummary;
	readonly source: BriefSource;
	/** The service's code; empty without one. */
	readonly errorCode: string;
}

/** The service does not accept the order: nothing was created. */
export interface RejectedState {
	readonly kind: 'rejected';
	readonly message: string;
	/** True if the same content would be rejected again. */
	readonly isAboutRow: boolean;
}

/** Nothing was created under the key. The order counts as if it had never begun. */
interface DroppedState {
	readonly kind: 'dropped';
}

/** An order that counts. */
export type LiveOrder = StoredOrder & { readonly state: Exclude<OrderState, DroppedState> };

export function isLive(order: StoredOrder): order is LiveOrder {
	return order.state.kind !== 'dropped';
}

/** The first line of an order has all fields, later lines only those that changed. */
export type OrderChange = { readonly order: number } & Partial<Omit<StoredOrder, 'id'>>;

/** The rows that get an order. */
export type OrderRows = Pick<StoredOrder, 'rowIds' | 'previousOrderId' | 'hasRows' | 'rowCount'>;

/** Returns the change that begins an order. */
export function makeFirstLine(
	id: number,
	{ contentId, input, key, supersedes, shown }: OrderBase,
	rows: OrderRows,
	state: OrderState,
): OrderChange {
	const fields = { contentId, input, key, supersedes, shown, ...rows };
	return { order: id, ...fields, acceptedContentIds: [], editedInputs: [], state };
}

/** Returns the order as core/orders decides about it. */
export function toCoreOrder({ state, ...order }: LiveOrder): Order {
	switch (state.kind) {
		case 'unconfirmed': {
			const isRefused = state.review?.code === 'refused';
			return { ...order, state: { ...state, isRefused } };
		}
		case 'accepted':
		case 'ready':
		case 'failed': {
			const { brief, source } = state;
			return { ...order, state: { kind: 'has_brief', brief, source } };
		}
		case 'rejected':
			return { ...order, state: { kind: 'rejected' } };
	}
}

/** Returns an unconfirmed order as it is sent again. A refused order is sent again only if the user decides so. */
export function toOrderToSend({ state, ...order }: UnconfirmedStoredOrder): UnconfirmedOrder {
	return { ...order, state: { ...state, isRefused: false } };
}

/** True if the order is sent after all others: without an answer in an earlier run, it might delay them. */
export function isSentLast({ state }: UnconfirmedStoredOrder): boolean {
	return state.runsWithoutAnswer > 0;
}

/** Returns the state of an order whose brief exists. */
export function toAcceptedState(brief: BriefSummary, source: BriefSource): AcceptedState {
	return { kind: 'accepted', brief, source, review: null };
}

/** Returns the brief of an order; null if it has none. */
export function getOrderBrief({ state }: Pick<StoredOrder, 'state'>): BriefSummary | null {
	return 'brief' in state ? state.brief : null;
}

/** True if the order has paid for its brief. */
export function hasOrderPaid({ state }: Pick<StoredOrder, 'state'>): boolean {
	return 'source' in state && hasPaid(state.source);
}

/** True if the brief exists and can be waited for. A brief in review is polled as well: it might still be finished. */
export function isAccepted(order: StoredOrder): order is StoredOrder & { state: AcceptedState } {
	return order.state.kind === 'accepted';
}

/** True if the brief is finished, and its files are missing or were not saved yet. The next run saves them. */
export function isNotSaved({ state }: Pick<StoredOrder, 'state'>): boolean {
	return state.kind === 'accepted' && state.review === null && state.brief.status === 'ready';
}

export type UnconfirmedStoredOrder = StoredOrder & { readonly state: UnconfirmedState };

export function isUnconfirmedOrder(order: StoredOrder): order is UnconfirmedStoredOrder {
	return order.state.kind === 'unconfirmed';
}
