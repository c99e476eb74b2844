import { LONGEST_RATE_WAIT_MS, RETRY_BACK_OFF, type BackOff, type MaxTries } from './assumptions';
import { isTransient, type ErrorKind, type ServiceError } from './errors';
import { toResult } from './result';
import type { Clock } from './ports';
import { sleepUntil } from './sleep';

/** Failed tries of one request, by how they ended. */
export interface Failures {
	failures: number;
	/** The rate limits in a row, the newest included. */
	rateLimits: number;
	/** The time at which the first of them failed, by this machine's clock. */
	since: number;
}

export interface RetryLimits extends MaxTries {
	/** The time to keep trying, in milliseconds. Without it, only the number of tries counts. */
	outage?: number;
}

/** Counts one more failed try at `now`; null before the first. */
export function countFailure(before: Failures | null, kind: ErrorKind, now: number): Failures {
	const tries = before ?? { failures: 0, rateLimits: 0, since: now };
	const tally = countedAs(kind);
	return { ...tries, rateLimits: 0, [tally]: tries[tally] + 1 };
}

/**
 * Gives when to send a failed request again, by this machine's clock; null if not at all. Pure: it neither sleeps nor
 * sends.
 * @param tries the failed tries, including the one that ended in `error`
 */
export function decideRetry(
	error: ServiceError,
	tries: Failures,
	limits: RetryLimits,
	now: number,
): number | null {
	const tally = countedAs(error.kind);
	const at = retryAt(error, RETRY_BACK_OFF, tries[tally], now);
	const isGivenUp =
		!isCurable(error) ||
		at - now > LONGEST_RATE_WAIT_MS ||
		tries[tally] >= limits[tally] ||
		now - tries.since >= (limits.outage ?? Infinity);
	return isGivenUp ? null : at;
}

/** Checks whether waiting may cure it. After a conflict the first request with the same key may still be at work. */
function isCurable({ kind }: ServiceError): boolean {
	return isTransient(kind) || kind === 'conflict';
}

/**
 * Checks whether it may be an outage of the service. Before the service has ever answered, another page than one of 5xx
 * or 429 rather comes from a wrong address, a firewall or a sign-in, which do not pass by themselves.
 */
export function isLikeOutage({ status, kind, page }: ServiceError): boolean {
	if (status === null) return false;
	return page !== 'first' || status >= 500 || kind === 'rate_limited';
}

function countedAs(kind: ErrorKind): 'failures' | 'rateLimits' {
	return kind === 'rate_limited' ? 'rateLimits' : 'failures';
}

/**
 * Gives when to send the same request again, by this machine's clock: never before the time that the service named.
 * @param failures those in a row, including the newest
 */
export function retryAt(
	error: ServiceError,
	{ first, longest }: BackOff,
	failures: number,
	now: number,
): number {
	const wait = Math.min(longest, first * 2 ** (failures - 1));
	return Math.max(error.retryAt ?? 0, now + wait);
}

export interface RetryOptions {
	clock: Clock;
	/** The limits may differ from error to error. */
	limits: RetryLimits | ((error: ServiceError) => RetryLimits);
	signal?: AbortSignal;
}

/**
 * Sends a request, and again as long as `decideRetry` says so.
 * @throws {ServiceError} the last one
 */
export async function withRetries<T>(
	send: () => Promise<T>,
	{ clock, limits, signal }: RetryOptions,
): Promise<T> {
	for (let tries: Failures | null = null; ;) {
		const outcome = await toResult(send());
		if ('value' in outcome) return outcome.value;
		const { error } = outcome;
		const now = clock.now();
		tries = countFailure(tries, error.kind, now);
		const allowed = typeof limits === 'function' ? limits(error) : limits;
		const again = decideRetry(error, tries, allowed, now);
		if (again === null) throw error;
		await sleepUntil(clock, again, signal);
	}
}
