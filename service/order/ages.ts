import {
	CLOCK_DIFFERENCE_MS,
	KEY_TRUSTED_MS,
	KEY_TRUSTED_UNSEEN_MS,
	LIST_LAG_MS,
	SAME_TRY_MS,
} from '../assumptions';
import type { OrderState } from './states';

/** The last try may be younger than its record says by as long as tries count as one. */
const SURELY_LISTED_MS = LIST_LAG_MS + SAME_TRY_MS;

type Tried = Pick<OrderState, 'firstTried' | 'lastTried'>;
type Intent = Pick<OrderState, 'isIntended' | 'lastTried' | 'intents'>;

/** A key is as old as the first try, for the service may count from there how long it remembers it. */
export function keyTrust({ firstTried }: Tried, serviceNow: number): 'young' | 'trusted' | 'old' {
	const age = serviceNow - (firstTried ?? serviceNow);
	if (age <= KEY_TRUSTED_UNSEEN_MS) return 'young';
	return age < KEY_TRUSTED_MS ? 'trusted' : 'old';
}

/** Whether the list shows the brief of an order for certain, if there is one. It may be as young as the last try. */
export function isSurelyListed({ lastTried }: Tried, serviceNow: number): boolean {
	return serviceNow - (lastTried ?? -Infinity) > SURELY_LISTED_MS;
}

/**
 * How young a reading of the list must be for an order, by the service's clock: where the list shows its brief for
 * certain by now, one that was read before that time is of no use.
 */
export function readSince(order: Tried, serviceNow: number): number {
	if (!isSurelyListed(order, serviceNow) || order.lastTried === null) return -Infinity;
	return order.lastTried + SURELY_LISTED_MS + 1;
}

/** Whether a brief that was created at this instant of the service's clock can be of the order. */
export function isInTime({ firstTried, lastTried }: Tried, created: number): boolean {
	if (firstTried === null || lastTried === null) return false;
	const from = firstTried - CLOCK_DIFFERENCE_MS;
	return from <= created && created <= lastTried + SURELY_LISTED_MS + CLOCK_DIFFERENCE_MS;
}

/** Milliseconds until the list shows it for certain. A clock that was set back does not make that longer. */
export function untilListed({ lastTried }: Tried, serviceNow: number): number {
	const since = serviceNow - (lastTried ?? serviceNow);
	return Math.min(SURELY_LISTED_MS, SURELY_LISTED_MS - since) + 1;
}

/**
 * Whether the intent on record is so recent that the create may be sent. Where it took too long to write it is written
 * anew, and gets more time at each go, so that a slow disk holds nobody up for ever.
 */
export function isIntentFresh(order: Intent, serviceNow: number): boolean {
	const { isIntended, lastTried, intents } = order;
	const enough = Math.min(SAME_TRY_MS * 2 ** Math.max(0, intents - 1), LIST_LAG_MS / 2);
	return isIntended && Math.abs(serviceNow - (lastTried ?? Infinity)) < enough;
}
