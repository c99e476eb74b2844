import { ServiceError } from '../errors';
import type { PollInterval } from '../poll-interval';
import type { Clock } from '../ports';
import { decideRetry, withFailedTry, type FailedTries } from '../retry';

/** The looks that failed since the last one that did not. They are endured as long as waiting may cure it. */
export class FailedLooks {
	private tries: FailedTries | null = null;
	/** No look before this time of this machine's clock, because the last one failed. */
	notBefore = -Infinity;

	/** @param options.patience how long looks may fail, in milliseconds */
	constructor(
		private readonly clock: Clock,
		private readonly options: { interval: PollInterval; patience: number },
	) {}

	/** Takes in one more, and says whether there may be another look, after `notBefore`. */
	endure(error: Error): boolean {
		if (!(error instanceof ServiceError)) return false;
		const { patience, interval } = this.options;
		const now = this.clock.now();
		this.tries = withFailedTry(this.tries, error.kind, now);
		// What counts is how long it lasts, however often a look is tried.
		const limits = { failures: Infinity, rateLimits: Infinity, conflicts: 0, outage: patience };
		const decision = decideRetry(error, this.tries, { limits, interval }, now);
		if ('giveUp' in decision) return false;
		this.notBefore = Math.max(now + interval.shortest, decision.retryAt);
		return true;
	}

	/** A look did not fail, or nobody is left for whom it would be made. */
	forget(): void {
		this.tries = null;
	}
}
