import { BATCH_OUTAGE_MS, LONGEST_RATE_WAIT_MS } from '../../service/assumptions';
import { isTransient, type ServiceError } from '../../service/api/errors';
import { explain } from '../../service/api/explain';
import { isLikeOutage } from '../../service/api/resend';
import { minuteOf } from '../text';
import { duration } from './format';

/** A shorter delay is too short to report. */
const REPORT_AFTER_MS = 60_000;
/** A delay that goes on is reported again after this time. */
const REPORT_AGAIN_AFTER_MS = 600_000;

/**
 * Reports requests that keep failing: a program that prints nothing for half an hour seems to hang. A failure that the
 * next try cures is not reported. Times are milliseconds of the local clock.
 */
export class Delays {
	/** From the first failure to the response that ends it. */
	private since: number | undefined;
	private reportedUntil = -Infinity;
	private isAnswered = false;

	/** @param isSaidAtOnce true if a delay before the first answer is reported at once: nothing else is on the screen */
	constructor(private readonly isSaidAtOnce = false) {}

	/**
	 * @param error null if the request succeeded
	 * @returns a notice for a person, or null
	 */
	observe(error: ServiceError | null, now: number): string | null {
		// A wait for a slot is an event of the run.
		if (error?.kind === 'slots_busy') return null;
		if (error === null || !isTransient(error.kind)) return this.end();
		const until = error.retryAt ?? now;
		const wait = until - now;
		// A longer rate limit ends the command, and the error at its end says so.
		if (wait > LONGEST_RATE_WAIT_MS) return null;
		const since = (this.since ??= now);
		const isFirst = this.isSaidAtOnce && !this.isAnswered && isLikeOutage(error);
		const isLong = isFirst || Math.max(now, until) - since >= REPORT_AFTER_MS;
		if (!isLong || now < this.reportedUntil) return null;
		this.reportedUntil = Math.max(until, now + REPORT_AGAIN_AFTER_MS);
		const { what } = explain(error, now);
		return wait >= REPORT_AFTER_MS
			? `${what} Waiting ${duration(wait)}, until ${at(until)}; nothing is lost.`
			: `${what} Retrying since ${at(since)}; nothing is lost, and the run ends if this lasts until ${at(since + BATCH_OUTAGE_MS)}.`;
	}

	private end(): string | null {
		this.isAnswered = true;
		const wasReported = this.reportedUntil > -Infinity;
		this.since = undefined;
		this.reportedUntil = -Infinity;
		return wasReported ? 'The service answers again.' : null;
	}
}

function at(time: number): string {
	return minuteOf(new Date(time).toISOString());
}
