import { toSummary, type BriefInput, type BriefSummary } from '../../core/api/types';
import type { SentTimes, UnconfirmedCause } from '../../core/orders/create-brief';
import { getCreationTime } from '../../core/workspace/brief-time';
import { makeIdempotencyKey, toBody } from '../../core/input/idempotency-key';

/**
 * An order is one wanted brief. An order pays for a content, so rows have no memory of their own: whenever a plan is made,
 * rows are matched with orders (match-rows.ts). The journal has an order's changes, and the last value of a field wins:
 *
 *     {"order":1,"contentId":"52ce…","input":{"product_name":"Mug"},"key":"34b5…",…,"state":{"kind":"unconfirmed",…}}
 *     {"order":1,"state":{"kind":"accepted","brief":{"id":"d031…","status":"queued"},"isPaid":true,"review":null}}
 *     {"order":1,"state":{"kind":"ready","brief":{"id":"d031…","status":"ready"},"isPaid":true,"file":"mug-d031a274"}}
 *
 *     unconfirmed ──> accepted ──> ready       nothing is written for an order before it is sent,
 *          │             └───────> failed      except that it is undecided: a row that needs review
 *          └──> dropped, failed                a brief that is reused begins as accepted
 */
export interface Order {
	readonly id: number;
	readonly contentId: string;
	/** The exact body, without the key: a resend sends it again, even if the row was edited. */
	readonly input: BriefInput;
	readonly key: string;
	/**
	 * Part of the key: the ID of the brief that this order supersedes, or the key of a rejected order with the same body that
	 * --reorder supersedes; empty for neither.
	 */
	readonly supersedes: string;
	/** 1 for the first paid order for this content, 2 after a retry. --reorder starts again at 1. */
	readonly attempt: number;
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
	/** The row's input in the last run if it was edited, so that a second edit is recognized; null if it was not. */
	readonly editedInput: BriefInput | null;
	readonly state: OrderState;
}

export interface OrderRowId {
	/** Value of the --id column. */
	readonly rowId: string;
	/** The run in which the row got this order. Of several orders, the row had the order with the highest number last. */
	readonly run: number;
}

export type OrderState =
	| UnconfirmedState
	| AcceptedState
	| {
			readonly kind: 'ready';
			readonly brief: BriefSummary;
			readonly isPaid: boolean;
			readonly file: string;
	  }
	| FailedState
	/** Never sent: the workspace has briefs for the product that do not show their input. */
	| { readonly kind: 'undecided'; readonly briefIds: readonly string[] }
	/** Nothing was created under the key. The order counts as if it had never begun. */
	| { readonly kind: 'dropped' };

/** Sent, or about to be sent, without a usable answer: the brief might have been created. Times are the service's. */
export interface UnconfirmedState extends SentTimes {
	readonly kind: 'unconfirmed';
	readonly runsWithoutAnswer: number;
	/** The last answer, which the service did not send; empty if the process ended before an answer. */
	readonly error: string;
	/** Null while the program can settle the order by itself. */
	readonly review: UnconfirmedReview | null;
}

/** Why the user has to settle an order. */
export type UnconfirmedReview =
	/** Three runs got no usable answer, or the service refuses the order now. */
	| { readonly code: Extract<UnconfirmedCause, 'no_answer' | 'refused'> }
	/** The service answered with the brief of another order. */
	| { readonly code: Extract<UnconfirmedCause, 'other_brief'>; readonly briefId: string }
	/** One of these briefs might be the order's: the service does not show their input. */
	| { readonly code: 'hidden_input'; readonly briefIds: readonly string[] };

/** The brief exists and is not saved yet. */
export interface AcceptedState {
	readonly kind: 'accepted';
	readonly brief: BriefSummary;
	readonly isPaid: boolean;
	/** `late`: not finished a day after it was created. `not_found`: the service does not know the brief. */
	readonly review: 'late' | 'not_found' | null;
}

export interface FailedState {
	readonly kind: 'failed';
	/** Null if the service rejected the order. */
	readonly brief: BriefSummary | null;
	readonly isPaid: boolean;
	readonly reason: FailureReason;
}

export type FailureReason =
	| {
			readonly code: 'rejected';
			readonly message: string;
			/** True if the same content would be rejected again. */
			readonly isAboutRow: boolean;
	  }
	| { readonly code: 'generation_failed'; readonly errorCode: string };

/** An order that is about to begin, without the fields that it gets when its first line is written. */
export type OrderDraft = Omit<Order, 'id' | 'state' | 'acceptedContentIds' | 'editedInput'>;

/** The first line of an order has all fields, later lines only those that changed. */
export type OrderChange = { readonly order: number } & Partial<Omit<Order, 'id'>>;

/** The rows that get an order. */
export type OrderRows = Pick<Order, 'rowIds' | 'previousOrderId' | 'hasRows' | 'rowCount'>;

/** A row, and the differences between its order and the first order for its content. */
interface DraftOptions {
	readonly row: { readonly contentId: string; readonly input: BriefInput };
	readonly rows: OrderRows;
	readonly supersedes?: string;
	readonly attempt?: number;
}

export function makeDraft({
	row: { contentId, input },
	rows,
	supersedes = '',
	attempt = 1,
}: DraftOptions): OrderDraft {
	const body = toBody(input);
	const key = makeIdempotencyKey(body, supersedes);
	return { contentId, input: body, key, supersedes, attempt, ...rows };
}

/** Returns the draft of an order for the same row and content. */
export function makeSuccessor(order: Order): OrderDraft {
	return { ...toDraft(order), previousOrderId: order.id };
}

/** Returns the change that begins an order. */
export function makeFirstLine(id: number, draft: OrderDraft, state: OrderState): OrderChange {
	return { order: id, ...toDraft(draft), acceptedContentIds: [], editedInput: null, state };
}

/** Returns the fields of a draft alone: an order is a draft, too. */
function toDraft(draft: OrderDraft): OrderDraft {
	const { contentId, input, key, supersedes, attempt } = draft;
	const { rowIds, previousOrderId, hasRows, rowCount } = draft;
	const rows: OrderRows = { rowIds, previousOrderId, hasRows, rowCount };
	return { contentId, input, key, supersedes, attempt, ...rows };
}

/** Returns the state of an order that is about to be sent for the first time. */
export function beginSending(sent: SentTimes): UnconfirmedState {
	return { kind: 'unconfirmed', ...sent, runsWithoutAnswer: 0, error: '', review: null };
}

/** The service's clock and the creation times of briefs can be rounded to seconds, and its clocks can differ slightly. */
const CREATION_CLOCK_ERROR_MS = 3_000;

/**
 * Returns the state of an order whose own brief exists. The order has paid if the brief was created after its first request;
 * another process with the same key might have created it before.
 */
export function toOwnBriefState(brief: BriefSummary, { firstSentAt }: SentTimes): AcceptedState {
	const isPaid = getCreationTime(brief) >= firstSentAt - CREATION_CLOCK_ERROR_MS;
	return toAcceptedState(toSummary(brief), isPaid);
}

/** Returns the state of an order whose brief exists. */
export function toAcceptedState(brief: BriefSummary, isPaid: boolean): AcceptedState {
	return { kind: 'accepted', brief, isPaid, review: null };
}

/** Returns the brief of an order; null if it has none. */
export function getOrderBrief({ state }: Order): BriefSummary | null {
	return 'brief' in state ? state.brief : null;
}

/** True if the order has paid for a brief. */
export function hasPaid({ state }: Order): boolean {
	return 'isPaid' in state && state.isPaid;
}

/** True if the brief exists and can be waited for. A brief in review is polled as well: it might still be finished. */
export function isAccepted(order: Order): order is Order & { state: AcceptedState } {
	return order.state.kind === 'accepted';
}

export function isUnconfirmed(order: Order): order is Order & { state: UnconfirmedState } {
	return order.state.kind === 'unconfirmed';
}

/** True if the service rejected the order, so that nothing was created under its key. */
export function isRejected({ state }: Order): boolean {
	return state.kind === 'failed' && state.reason.code === 'rejected';
}
