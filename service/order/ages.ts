import {
	CLOCK_DIFFERENCE_MS,
	CLOCKS_WRONG_MS,
	KEY_TRUSTED_MS,
	KEY_TRUSTED_UNSEEN_MS,
	LIST_DISORDER_MS,
	LIST_LAG_MS,
	SAME_TRY_MS,
} from '../assumptions';
import { longestAge, shortestAge, type Moment } from './moment';
import type { OrderState } from './states';

/** Tries close together count as one, so the last try may be that much younger than its record. */
const SURELY_LISTED_MS = LIST_LAG_MS + SAME_TRY_MS;

export type Tried = Pick<OrderState, 'firstTried' | 'lastTried'>;
type Intent = Pick<OrderState, 'isIntended' | 'lastTried' | 'intents'>;

/** A key is as old as its first try, from which the service may count how long it remembers it. */
export function keyTrust({ firstTried }: Tried, now: Moment): 'young' | 'trusted' | 'old' {
	const age = longestAge(firstTried ?? now, now);
	if (age <= KEY_TRUSTED_UNSEEN_MS) return 'young';
	return age < KEY_TRUSTED_MS ? 'trusted' : 'old';
}

/** Whether the list must show the brief of an order, if there is one. The brief may be as young as the last try. */
export function isSurelyListed({ lastTried }: Tried, now: Moment): boolean {
	return lastTried === null || shortestAge(lastTried, now) > SURELY_LISTED_MS;
}

/**
 * How young a reading of the list must be for an order, by the service's clock. Once the list must show the brief, a
 * reading from before that time is useless; and so is each from before the last try once the order was given up.
 */
export function readSince(order: Tried & Pick<OrderState, 'isGivenUp'>, now: Moment): number {
	const { lastTried, isGivenUp } = order;
	if (isGivenUp) return now.service;
	if (lastTried === null || !isSurelyListed(order, now)) return -Infinity;
	return now.service - shortestAge(lastTried, now) + SURELY_LISTED_MS + 1;
}

/** Milliseconds until the list must show the brief. A clock that was set back does not extend it. */
export function untilListed({ lastTried }: Tried, now: Moment): number {
	const since = lastTried === null ? 0 : shortestAge(lastTried, now);
	return Math.min(SURELY_LISTED_MS, SURELY_LISTED_MS - since) + 1;
}

/** How far down the list is to be read for an order: to its first try by the earlier clock. */
export function listedSince({ firstTried }: Tried, now: Moment): number {
	const { service, own } = firstTried ?? now;
	return Math.min(service, own, now.service) - LIST_DISORDER_MS;
}

/** Whether its time speaks for a brief: it was created when the order was tried, by one of the clocks. */
export function isInTime({ firstTried, lastTried }: Tried, created: number | null): boolean {
	if (created === null || firstTried === null || lastTried === null) return false;
	return (['service', 'own'] as const).some((clock) => {
		const from = firstTried[clock] - CLOCK_DIFFERENCE_MS;
		const to = lastTried[clock] + SURELY_LISTED_MS + CLOCK_DIFFERENCE_MS;
		return from <= created && created <= to;
	});
}

/**
 * Whether a brief was there before an order, however wrong the clocks are: whoever writes `created` may use another one
 * than the Date header, and may leave out the zone.
 */
export function isSurelyBefore(created: number | null, { service, own }: Moment): boolean {
	return created !== null && created < Math.min(service, own) - CLOCKS_WRONG_MS;
}

/** The same for a brief that came after an order. */
export function isSurelyAfter(created: number | null, { service, own }: Moment): boolean {
	return created !== null && created > Math.max(service, own) + SURELY_LISTED_MS + CLOCKS_WRONG_MS;
}

/**
 * Whether the intent on record is recent enough for the create to be sent. If writing it took too long, it is written
 * again and gets more time with each try, so that a slow disk does not block forever.
 */
export function isIntentFresh(order: Intent, now: Moment): boolean {
	const { isIntended, lastTried, intents } = order;
	if (!isIntended || lastTried === null) return false;
	const enough = Math.min(SAME_TRY_MS * 2 ** Math.max(0, intents - 1), LIST_LAG_MS / 2);
	const { service, own } = lastTried;
	return Math.max(Math.abs(now.service - service), Math.abs(now.own - own)) < enough;
}
