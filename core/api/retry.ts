import { isTransient, ServiceError, type ErrorKind } from './errors';
import type { Clock } from './ports';
import { sleepUntil } from './sleep';
import { REQUEST_TIMEOUT_MS } from './transport';

/**
 * Retries of one request. `decideRetry` is pure; `withRetries` sends and waits:
 *
 *     GET   connection reset          failed once: again in 2 s
 *     GET   503                       failed twice: again in 4 s
 *     GET   429, Retry-After: 30      rate limit reached once: again in 30 s
 *     GET   200
 */

/** Limits for the retries of one request. */
export interface RetryLimits {
	/** The number of requests that can fail. */
	readonly failures: number;
	/** The number of requests in a row that can reach a rate limit. */
	readonly rateLimits: number;
	/** How long a request can fail for other reasons, in milliseconds. Without it, only the number of requests counts. */
	readonly outage?: number;
	/** No retry is later, by this machine's clock. In n8n, the timeout of the node. */
	readonly deadline?: number;
}

/** For a GET. The waits add up to two minutes, longer than the restart of a server. */
export const READ_LIMITS: RetryLimits = { failures: 7, rateLimits: 7 };

/** The waits of four requests that fail at once. */
const FIRST_READ_MS = 14_000;

/**
 * Before the first answer, a wrong address is more likely than an outage, so retries end early. The timeout of one request is
 * longer: after two such requests, there is no third.
 */
export const FIRST_READ_LIMITS: RetryLimits = {
	failures: 4,
	rateLimits: 4,
	outage: FIRST_READ_MS,
};

/** The longest wait within these limits: the last request can take until its timeout. */
export const MAX_FIRST_READ_MS = FIRST_READ_MS + REQUEST_TIMEOUT_MS;

/** Returns the limits for a GET: narrower until the service has answered. */
export function chooseReadLimits(limits: RetryLimits, hasAnswered: boolean): RetryLimits {
	return hasAnswered ? limits : { ...limits, ...FIRST_READ_LIMITS };
}

/** brief-batch runs unattended, so it waits out an outage of the network. */
export const MAX_OUTAGE_MS = 30 * 60_000;

/** A longer rate limit is reported instead of waited out, whether one answer declares it or several in a row. */
export const MAX_RATE_LIMIT_WAIT_MS = 60 * 60_000;

/** The wait before the first retry. It doubles with each further failure. */
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 60_000;

/** The failed requests of one operation. A rate limit is no outage, so both are counted on their own. */
export interface Failures {
	readonly failures: FailureCount;
	/** In a row, up to the newest request. */
	readonly rateLimits: FailureCount;
}

export interface FailureCount {
	readonly count: number;
	/** When the first of these requests failed, by this machine's clock. */
	readonly since: number;
}

export const NONE_FAILED: FailureCount = { count: 0, since: 0 };
export const NO_FAILURES: Failures = { failures: NONE_FAILED, rateLimits: NONE_FAILED };

/** Counts one more failed request. */
export function countFailure(before: Failures, kind: ErrorKind, now: number): Failures {
	const { failures, rateLimits } = before;
	return kind === 'rate_limited'
		? { failures, rateLimits: addOne(rateLimits, now) }
		: { failures: addOne(failures, now), rateLimits: NONE_FAILED };
}

export function addOne({ count, since }: FailureCount, now: number): FailureCount {
	return { count: count + 1, since: count === 0 ? now : since };
}

/**
 * Returns when to send a failed request again, by this machine's clock, or null to give up.
 * @param failed the failed requests, including the request that ended with `error`
 */
export function decideRetry(
	error: ServiceError,
	failed: Failures,
	limits: RetryLimits,
	now: number,
): number | null {
	const kind = error.kind === 'rate_limited' ? 'rateLimits' : 'failures';
	const { count, since } = failed[kind];
	const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - 1));
	const retryAt = Math.max(error.retryAt ?? 0, now + wait);
	const isTooLate =
		kind === 'rateLimits'
			? retryAt - since > MAX_RATE_LIMIT_WAIT_MS
			: retryAt - now > MAX_RATE_LIMIT_WAIT_MS || now - since >= (limits.outage ?? Infinity);
	const isAfterDeadline = retryAt > (limits.deadline ?? Infinity);
	return !canPass(error) || count >= limits[kind] || isTooLate || isAfterDeadline ? null : retryAt;
}

/** True if waiting can help. After a conflict, an earlier request with the same key can still be at work. */
function canPass({ kind }: ServiceError): boolean {
	return isTransient(kind) || kind === 'conflict';
}

interface RetryOptions {
	readonly clock: Clock;
	/** Read after each failure. */
	readonly getLimits: () => RetryLimits;
	readonly signal?: AbortSignal;
}

/**
 * Sends a request, and sends it again while `decideRetry` returns a time.
 * @throws {ServiceError} the last error
 */
export async function withRetries<T>(
	send: () => Promise<T>,
	{ clock, getLimits, signal }: RetryOptions,
): Promise<T> {
	for (let failed = NO_FAILURES; ;) {
		const result = await toResult(send());
		if ('value' in result) return result.value;
		const now = clock.now();
		failed = countFailure(failed, result.error.kind, now);
		const retryAt = decideRetry(result.error, failed, getLimits(), now);
		if (retryAt === null) throw result.error;
		await sleepUntil(clock, retryAt, signal);
	}
}

/** The result of a request as a value. */
export type Result<T> = { value: T } | { error: ServiceError };

/** Returns the result of a request. Errors other than the service's are still thrown. */
export function toResult<T>(request: Promise<T>): Promise<Result<T>> {
	return request.then(
		(value) => ({ value }),
		(error: unknown) => {
			if (error instanceof ServiceError) return { error };
			throw error;
		},
	);
}

/** Returns the result of a GET, or null if the service does not know the resource. */
export async function nullIfNotFound<T>(request: Promise<T>): Promise<T | null> {
	const result = await toResult(request);
	if ('value' in result) return result.value;
	if (result.error.kind === 'not_found') return null;
	throw result.error;
}
