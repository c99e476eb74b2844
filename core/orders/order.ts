import type { BriefInput, BriefSummary } from '../api/types';
import { CLOCK_ERROR_MS, KEY_RESEND_WINDOW_MS, LIST_LAG_MS } from '../assumptions';
import { makeIdempotencyKey, toBody } from '../input/idempotency-key';

/**
 * What is kept of an order. An order is one wanted brief, and its key is a hash of the body and of what the order
 * supersedes. Two processes that want the same brief send the same key, so the service creates it once:
 *
 *     draft ──> unconfirmed ──> has_brief      the brief came back, or the list showed it
 *       │            ├────────> rejected       the service does not accept the order: nothing was created
 *       │            └────────> draft          nothing was created: the order counts as never begun
 *       └─────────────────────> has_brief      a brief that existed is used: nothing is sent
 *
 * A draft is not stored. Times are by the service's clock.
 */
export type Order = OrderToSend | SettledOrder;

export type OrderToSend = Draft | UnconfirmedOrder;

/** The fields of every order, whatever its state. */
export interface OrderBase {
	/** The exact body, without the key: a resend sends it again, even if the row was edited. */
	readonly input: BriefInput;
	readonly contentId: string;
	readonly key: string;
	readonly supersedes: Superseded;
	/**
	 * The briefs of the product that the list showed when it was decided to send the order, without those that orders of
	 * other content have paid for, and the superseded brief. None of them is the order's own, whatever its times and its
	 * input say.
	 */
	readonly shown: readonly string[];
}

/** What an order supersedes is part of its key, so that the key differs from the key of the earlier order. */
export type Superseded =
	| { readonly kind: 'nothing' }
	| { readonly kind: 'brief'; readonly id: string }
	| { readonly kind: 'rejected_order'; readonly key: string };

const DRAFT_STATE = { kind: 'draft' } as const;

/** An order that is decided and was not sent. Most drafts of a large plan are never sent, so `key` is computed when it is read. */
export class Draft implements OrderBase {
	readonly state = DRAFT_STATE;

	constructor(
		readonly input: BriefInput,
		readonly contentId: string,
		readonly supersedes: Superseded,
		readonly shown: readonly string[],
	) {}

	get key(): string {
		return makeIdempotencyKey(this.input, getSupersededText(this.supersedes));
	}
}

/** The brief might have been created. */
export interface UnconfirmedOrder extends OrderBase {
	readonly state: SentTimes & {
		readonly kind: 'unconfirmed';
		/** The service refuses the order now, so the order is not sent again. */
		readonly isRefused: boolean;
	};
}

export interface SettledOrder extends OrderBase {
	readonly state: HasBrief | { readonly kind: 'rejected' };
}

export interface HasBrief {
	readonly kind: 'has_brief';
	/** With the last status that is known. */
	readonly brief: BriefSummary;
	readonly source: BriefSource;
}

/** When a key was first and last sent, whichever order sent it. */
export interface SentTimes {
	readonly firstSentAt: number;
	readonly lastSentAt: number;
}

/** How an order came to its brief. An order has paid for its own brief, and for no other. */
export type BriefSource =
	/** The brief came back under the key, or was found as the order's own. */
	| 'own'
	/** Found by its name alone, or named by the user: paid for, and still a candidate for other orders. */
	| 'own_unproven'
	/** The brief came back under the key, but existed before: another process has sent this key, and has paid. */
	| 'own_of_another'
	/** The brief existed before anything was sent. */
	| 'reused'
	/** The user gave it to the row. */
	| 'given';

export const NOTHING: Superseded = { kind: 'nothing' };

/** What is wanted: an input, and its content. */
export interface Content {
	readonly input: BriefInput;
	readonly contentId: string;
}

export function makeDraft(
	{ input, contentId }: Content,
	supersedes: Superseded,
	shown: readonly string[],
): Draft {
	const isMissing = supersedes.kind === 'brief' && !shown.includes(supersedes.id);
	const allShown = isMissing ? [...shown, supersedes.id] : shown;
	return new Draft(toBody(input), contentId, supersedes, allShown);
}

/** Returns an order with another state. A copy of a draft by spread syntax has no key. */
export function changeState<State>(order: OrderBase, state: State): OrderBase & { state: State } {
	const { input, contentId, key, supersedes, shown } = order;
	return { input, contentId, key, supersedes, shown, state };
}

/** Returns the text that stands for the superseded brief or order in the key. */
export function getSupersededText(supersedes: Superseded): string {
	switch (supersedes.kind) {
		case 'nothing':
			return '';
		case 'brief':
			return supersedes.id;
		case 'rejected_order':
			return supersedes.key;
	}
}

export function isDraft(order: Order): order is Draft {
	return order.state.kind === 'draft';
}

export function isUnconfirmed(order: Order | null): order is UnconfirmedOrder {
	return order?.state.kind === 'unconfirmed';
}

/** Returns the brief of an order; null if it has none. */
export function getCurrentBrief(order: Order | null): BriefSummary | null {
	return order?.state.kind === 'has_brief' ? order.state.brief : null;
}

/** True if an order with this source has paid for its brief: for failures in a row, the allowance and “ordered”. */
export function hasPaid(source: BriefSource): boolean {
	return source === 'own' || source === 'own_unproven';
}

/** True if a brief was ordered with the body of an order with this source, whatever its input shows. */
export function isOwn(source: BriefSource): boolean {
	return source === 'own' || source === 'own_of_another';
}

/** Returns how an order came to a brief that was returned for its key. */
export function findSource({ shown }: Order, briefId: string): BriefSource {
	return shown.includes(briefId) ? 'own_of_another' : 'own';
}

export type KeySafety =
	/** The service returns the brief that the key has created. */
	| 'remembered'
	/** The service might have forgotten the key, but the list must show the brief by now. */
	| 'search_list'
	/** The service might have forgotten the key, and the list might not show the brief yet. */
	| 'wait';

/** @param readAt when the list was requested. Both ages are measured between requests of this program */
export function getKeySafety({ firstSentAt, lastSentAt }: SentTimes, readAt: number): KeySafety {
	const age = readAt - firstSentAt;
	// A negative age means that a clock was set, so nothing is known about the key.
	if (age > -CLOCK_ERROR_MS && age < KEY_RESEND_WINDOW_MS) return 'remembered';
	return isListBehind(lastSentAt, readAt) ? 'wait' : 'search_list';
}

/** True if the list might not show the brief of this request yet. */
export function isListBehind(lastSentAt: number, readAt: number): boolean {
	return readAt - lastSentAt < LIST_LAG_MS;
}

/** Returns the times of a request that a set clock has put into the future as if it were sent now. */
export function correctFutureTimes<T extends SentTimes>(times: T, now: number): T {
	return times.lastSentAt > now ? { ...times, lastSentAt: now } : times;
}
