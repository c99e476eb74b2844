/*
 * What can be concluded from when an order was tried, although each of two clocks may be wrong: this machine's, and the
 * service's, which its answers show. Of two ages always the one counts with which nothing is paid twice.
 *
 * An example. An order was sent ten minutes ago by this machine, and seventy minutes ago by the service:
 *   longestAge        70 minutes, so its key is old: the service may have forgotten it, and it is not sent again
 *   shortestAge       10 minutes, so it is not surely listed: its brief may exist and not be in the list yet
 *   untilListed       one minute and a moment. Until then the order waits; then the list decides
 */

import {
	CLOCK_DIFFERENCE_MS,
	CLOCKS_WRONG_MS,
	KEY_TRUSTED_MS,
	KEY_TRUSTED_UNSEEN_MS,
	LIST_DISORDER_MS,
	LIST_LAG_MS,
	SAME_TRY_MS,
} from '../assumptions';
import type { Now } from '../api/ports';

/** A moment in milliseconds by two clocks, of which either may be wrong: the service's, and this machine's. */
export interface Moment {
	readonly service: number;
	readonly machine: number;
}

/** A moment as it is on record: ISO 8601, by this machine's clock and by the service's. */
export interface MomentText {
	at: string;
	service_time: string;
}

export function momentText({ machine, service }: Moment): MomentText {
	return { at: new Date(machine).toISOString(), service_time: new Date(service).toISOString() };
}

export function momentIn({ at, service_time }: MomentText): Moment {
	return { service: Date.parse(service_time), machine: Date.parse(at) };
}

interface Clocks {
	service: Now;
	clock: Now;
}

export function momentNow({ service, clock }: Clocks): Moment {
	return { service: service.now(), machine: clock.now() };
}

/** Gives the moment that is this instant of the service's clock, as both clocks run now. */
export function momentAt(instant: number, { service, clock }: Clocks): Moment {
	return { service: instant, machine: clock.now() + (instant - service.now()) };
}

/**
 * Gives how long ago a moment is at most: the older of both clocks counts. A clock by which it is still to come was
 * set: then it may be of any age.
 */
export function longestAge(then: Moment, now: Moment): number {
	return Math.max(...agesOf(then, now).map((age) => (isAge(age) ? age : Infinity)));
}

/** Gives how long ago it surely is: the younger of both clocks counts, but none that says it is still to come. */
function shortestAge(then: Moment, now: Moment): number {
	const ages = agesOf(then, now).filter(isAge);
	return ages.length === 0 ? 0 : Math.min(...ages);
}

/** Gives now in the place of a moment that is still to come by both clocks. */
export function notAhead(then: Moment, now: Moment): Moment {
	return agesOf(then, now).some(isAge) ? then : now;
}

function agesOf(then: Moment, now: Moment): [number, number] {
	return [now.service - then.service, now.machine - then.machine];
}

/** Checks that a moment is not still to come. Clocks that are right differ by a little. */
function isAge(age: number): boolean {
	return age >= -CLOCK_DIFFERENCE_MS;
}

/** Tries close together count as one, so the last try may be that much younger than its record. */
const SURELY_LISTED_MS = LIST_LAG_MS + SAME_TRY_MS;

/** An order, by when its key was first and last about to be sent. */
export interface TryTimes {
	firstTried: Moment | null;
	lastTried: Moment | null;
}

interface Intent {
	lastTried: Moment | null;
	isIntended: boolean;
}

/** Judges a key by its first try, from which the service may count how long it remembers it. */
export function keyTrust({ firstTried }: TryTimes, now: Moment): 'young' | 'trusted' | 'old' {
	const age = longestAge(firstTried ?? now, now);
	if (age <= KEY_TRUSTED_UNSEEN_MS) return 'young';
	return age < KEY_TRUSTED_MS ? 'trusted' : 'old';
}

/**
 * Checks whether the list must show the brief of an order, if there is one. The brief may be as young as the last try.
 */
export function isSurelyListed({ lastTried }: TryTimes, now: Moment): boolean {
	return lastTried === null || shortestAge(lastTried, now) > SURELY_LISTED_MS;
}

/**
 * Gives how young a reading of the list must be for an order, by the service's clock. Once the list must show the
 * brief, a reading from before that time is useless; and so is each from before the last try once the order was given
 * up.
 */
export function readSince(order: TryTimes & { isGivenUp: boolean }, now: Moment): number {
	const { lastTried, isGivenUp } = order;
	if (isGivenUp) return now.service;
	if (lastTried === null || !isSurelyListed(order, now)) return -Infinity;
	return now.service - shortestAge(lastTried, now) + SURELY_LISTED_MS + 1;
}

/** Gives the milliseconds until the list must show the brief. A clock that was set back does not extend it. */
export function untilListed({ lastTried }: TryTimes, now: Moment): number {
	const since = lastTried === null ? 0 : shortestAge(lastTried, now);
	return Math.min(SURELY_LISTED_MS, SURELY_LISTED_MS - since) + 1;
}

/** Gives how far down the list is to be read for an order: to its first try by the earlier clock. */
export function listedSince({ firstTried }: TryTimes, now: Moment): number {
	const { service, machine } = firstTried ?? now;
	return Math.min(service, machine, now.service) - LIST_DISORDER_MS;
}

/** Checks whether its time speaks for a brief: it was created when the order was tried, by one of the clocks. */
export function isInTime({ firstTried, lastTried }: TryTimes, time: number | null): boolean {
	if (time === null || firstTried === null || lastTried === null) return false;
	return (['service', 'machine'] as const).some((clock) => {
		const from = firstTried[clock] - CLOCK_DIFFERENCE_MS;
		const to = lastTried[clock] + SURELY_LISTED_MS + CLOCK_DIFFERENCE_MS;
		return from <= time && time <= to;
	});
}

/**
 * Checks whether a brief was there before an order, however wrong the clocks are: whoever writes `created_at` may use
 * another one than the Date header, and may leave out the zone.
 */
export function isSurelyBefore(time: number | null, { service, machine }: Moment): boolean {
	return time !== null && time < Math.min(service, machine) - CLOCKS_WRONG_MS;
}

/** Checks whether a brief came after an order, however wrong the clocks are. */
export function isSurelyAfter(time: number | null, { service, machine }: Moment): boolean {
	return time !== null && time > Math.max(service, machine) + SURELY_LISTED_MS + CLOCKS_WRONG_MS;
}

/** Checks whether the intent on record is recent enough for the create to be sent: the computer may have slept since. */
export function isIntentFresh({ isIntended, lastTried }: Intent, now: Moment): boolean {
	if (!isIntended || lastTried === null) return false;
	return agesOf(lastTried, now).every((age) => Math.abs(age) < SAME_TRY_MS);
}
