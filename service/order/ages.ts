import {
	CLOCK_DIFFERENCE_MS,
	KEY_TRUSTED_MS,
	KEY_TRUSTED_UNSEEN_MS,
	LIST_LAG_MS,
	SAME_TRY_MS,
} from '../assumptions';
import type { OrderState } from './states';

/** Tries close together count as one, so the last try may be that much younger than its record. */
const SURELY_LISTED_MS = LIST_LAG_MS + SAME_TRY_MS;

type Tried = Pick<OrderState, 'firstTried' | 'lastTried'>;
type Intent = Pick<OrderState, 'isIntended' | 'lastTried' | 'intents'>;

/** A key is as old as its first try, from which the service may count how long it remembers it. */
export function keyTrust({ firstTried }: Tried, serviceNow: number): 'young' | 'trusted' | 'old' {
	const age = serviceNow - (firstTried ?? serviceNow);
	if (age <= KEY_TRUSTED_UNSEEN_MS) return 'young';
	return age < KEY_TRUSTED_MS ? 'trusted' : 'old';
}

/** Whether the list must show the brief of an order, if there is one. The brief may be as young as the last try. */
export function isSurelyListed({ lastTried }: Tried, serviceNow: number): boolean {
	return serviceNow - (lastTried ?? -Infinity) > SURELY_LISTED_MS;
}

/**
 * How young a reading of the list must be for an order, by the service's clock. Once the list must show the brief, a
 * reading from before that time is useless.
 */
export function readSince(order: Tried, serviceNow: number): number {
	if (!isSurelyListed(order, serviceNow) || order.lastTried === null) return -Infinity;
	return order.lastTried + SURELY_LISTED_MS + 1;
}

/** Whether a brief created at this instant of the service's clock can be the order's. */
export function isInTime({ firstTried, lastTried }: Tried, created: number): boolean {
	if (firstTried === null || lastTried === null) return false;
	const from = firstTried - CLOCK_DIFFERENCE_MS;
	return from <= created && created <= lastTried + SURELY_LISTED_MS + CLOCK_DIFFERENCE_MS;
}

/** Milliseconds until the list must show the brief. A clock that was set back does not extend it. */
export function untilListed({ lastTried }: Tried, serviceNow: number): number {
	const since = serviceNow - (lastTried ?? serviceNow);
	return Math.min(SURELY_LISTED_MS, SURELY_LISTED_MS - since) + 1;
}

/**
 * Whether the intent on record is recent enough for the create to be sent. If writing it took too long, it is written
 * again and gets more time with each try, so that a slow disk does not block forever.
 */
export function isIntentFresh(order: Intent, serviceNow: number): boolean {
	const { isIntended, lastTried, intents } = order;
	const enough = Math.min(SAME_TRY_MS * 2 ** Math.max(0, intents - 1), LIST_LAG_MS / 2);
	return isIntended && Math.abs(serviceNow - (lastTried ?? Infinity)) < enough;
}
