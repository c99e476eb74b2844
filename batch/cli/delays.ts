import { BATCH_OUTAGE_MS, LONGEST_RATE_WAIT_MS } from '../../service/assumptions';
import { isTransient, type ServiceError } from '../../service/errors';
import { explain } from '../../service/explain';
import { minuteOf } from '../run/order/slot-wait';
import { duration } from './format';

/** A shorter delay is too short to report. */
const REPORT_AFTER_MS = 60_000;
/** A delay that goes on is reported again after this time. */
const REPORT_AGAIN_AFTER_MS = 600_000;

/**
 * One cause of delay, from its first failure to the response that ends it. Times are milliseconds of the local clock.
 */
class Delay {
	since: number | undefined;
	private reportedUntil = -Infinity;

	/** @returns whether to report it now. Before `until` nothing can change, if that is known. */
	continues(now: number, until = now): boolean {
		this.since ??= now;
		const isLong = Math.max(now, until) - this.since >= REPORT_AFTER_MS;
		if (!isLong || now < this.reportedUntil) return false;
		this.reportedUntil = Math.max(until, now + REPORT_AGAIN_AFTER_MS);
		return true;
	}

	/** @returns whether it had been reported */
	ends(): boolean {
		const wasReported = this.reportedUntil > -Infinity;
		this.since = undefined;
		this.reportedUntil = -Infinity;
		return wasReported;
	}
}

/**
 * Reports requests that keep failing: a program that prints nothing for half an hour seems to hang. A failure that the
 * next try cures is not reported.
 */
export class Delays {
	private readonly outage = new Delay();

	/**
	 * @param error null if the request succeeded
	 * @returns a notice for a person, or null
	 */
	observe(error: ServiceError | null, now: number): string | null {
		// A wait for a slot is an event of the run.
		if (error?.kind === 'slots_busy') return null;
		if (error !== null && isTransient(error.kind)) {
			const until = error.retryAt ?? now;
			const wait = until - now;
			// A longer rate limit ends the command, and the error at its end says so.
			if (wait > LONGEST_RATE_WAIT_MS || !this.outage.continues(now, until)) return null;
			const { what } = explain(error, now);
			const since = this.outage.since ?? now;
			return wait >= REPORT_AFTER_MS
				? `${what} Waiting ${duration(wait)}, until ${at(until)}; nothing is lost.`
				: `${what} Retrying since ${at(since)}; nothing is lost, and the run ends if this lasts until ${at(since + BATCH_OUTAGE_MS)}.`;
		}
		return this.outage.ends() ? 'The service answers again.' : null;
	}
}

function at(time: number): string {
	return minuteOf(new Date(time).toISOString());
}
