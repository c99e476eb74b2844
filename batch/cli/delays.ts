import { LONGEST_RATE_WAIT_MS } from '../../service/assumptions';
import { isTransient, type ServiceError } from '../../service/errors';
import { explain } from '../../service/explain';
import type { OperationId } from '../../service/operations';
import { duration } from './format';

/** Delays that are shorter than this are nobody's business. */
const REPORT_AFTER_MS = 60_000;
/** A delay that goes on is told again after so long. */
const REPORT_AGAIN_AFTER_MS = 600_000;

/** One cause of delay, from its first sign to the answer that ends it. Times in milliseconds of our clock. */
class Delay {
	private since: number | undefined;
	private reportedUntil = -Infinity;

	/** @returns whether to tell of it now. `until` is the time before which nothing can change, if that is known. */
	continues(now: number, until = now): boolean {
		this.since ??= now;
		const isLong = Math.max(now, until) - this.since >= REPORT_AFTER_MS;
		if (!isLong || now < this.reportedUntil) return false;
		this.reportedUntil = Math.max(until, now + REPORT_AGAIN_AFTER_MS);
		return true;
	}

	/** @returns whether it had been told of */
	ends(): boolean {
		const wasReported = this.reportedUntil > -Infinity;
		this.since = undefined;
		this.reportedUntil = -Infinity;
		return wasReported;
	}
}

/**
 * What is worth telling of requests that come to nothing: a program that is silent for half an hour seems to hang.
 * It hears how each request ended, and says nothing where a second try helps.
 */
export class Delays {
	private readonly outage = new Delay();
	private readonly refusal = new Delay();

	/**
	 * @param error null where the request brought what it asked for
	 * @returns a notice for a person, or null
	 */
	observe(operation: OperationId, error: ServiceError | null, now: number): string | null {
		if (error?.kind === 'slots_busy') {
			return this.refusal.continues(now)
				? 'The service refuses another brief although its list shows a free slot. Trying again, about once a minute.'
				: null;
		}
		if (error !== null && isTransient(error.kind)) {
			const until = error.retryAt ?? now;
			const wait = until - now;
			// What is not waited out ends the command, which says so itself.
			if (wait > LONGEST_RATE_WAIT_MS || !this.outage.continues(now, until)) return null;
			const { what } = explain(error, now);
			return wait >= REPORT_AFTER_MS
				? `Held up for ${duration(wait)}, and nothing is lost by it. ${what}`
				: `Held up, and trying again; nothing is lost by it. ${what}`;
		}
		if (operation === 'create_brief') this.refusal.ends();
		return this.outage.ends() ? 'The service answers again.' : null;
	}
}
