import { CLOCK_DIFFERENCE_MS } from '../assumptions';
import type { Now } from '../api/ports';

/** A moment in milliseconds by two clocks, of which either may be wrong: the service's, and this machine's. */
export interface Moment {
	readonly service: number;
	readonly own: number;
}

interface Clocks {
	service: Now;
	clock: Now;
}

export function momentNow({ service, clock }: Clocks): Moment {
	return { service: service.now(), own: clock.now() };
}

/** The moment that is this instant of the service's clock, as both clocks run now. */
export function momentAt(instant: number, { service, clock }: Clocks): Moment {
	return { service: instant, own: clock.now() + (instant - service.now()) };
}

/** How long ago a moment is at least: the older of both clocks counts. One that says it is still to come was set. */
export function longestAge(then: Moment, now: Moment): number {
	return Math.max(...agesOf(then, now).map((age) => (isAge(age) ? age : Infinity)));
}

/** How long ago it surely is: the younger of both clocks counts, but none that says it is still to come. */
export function shortestAge(then: Moment, now: Moment): number {
	const ages = agesOf(then, now).filter(isAge);
	return ages.length === 0 ? 0 : Math.min(...ages);
}

/** A moment that is still to come by both clocks is now. */
export function notAhead(then: Moment, now: Moment): Moment {
	return agesOf(then, now).some(isAge) ? then : now;
}

function agesOf(then: Moment, now: Moment): [number, number] {
	return [now.service - then.service, now.own - then.own];
}

/** Clocks that are right differ by a little. */
function isAge(age: number): boolean {
	return age >= -CLOCK_DIFFERENCE_MS;
}
