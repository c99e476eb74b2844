import { LONGEST_RATE_WAIT_MS, type MaxTries } from './assumptions';
import { isTransient, type ErrorKind, type ServiceError } from './errors';
import { outcomeOf } from './outcome';
import type { Clock } from './ports';
import type { PollInterval } from './poll-interval';
import { sleepUntil } from './sleep';

/** The tries of one request that came to nothing, by how they ended. */
export interface FailedTries {
	failures: number;
	/** In a row, the newest included. */
	rateLimits: number;
	/** Answers 409 and the like about the key. */
	conflicts: number;
	/** Time of this machine's clock of the first of them. */
	since: number;
}

export interface RetryLimits extends MaxTries {
	/** For so long it is tried at the longest, in milliseconds. Without it, only the tries count. */
	outage?: number;
}

export type GiveUpReason =
	/** Waiting does not cure it. */
	| 'incurable'
	/** The service asks for more time than is worth waiting, and does not allow to come sooner. */
	| 'wait-too-long'
	| 'too-many-tries'
	| 'outage-too-long';

export type RetryDecision = { retryAt: number } | { giveUp: GiveUpReason };

/** Counts one more try that came to nothing at `now`; null where it is the first. */
export function withFailedTry(
	before: FailedTries | null,
	kind: ErrorKind,
	now: number,
): FailedTries {
	const tries = before ?? { failures: 0, rateLimits: 0, conflicts: 0, since: now };
	const counted = countedAs(kind);
	return { ...tries, rateLimits: 0, [counted]: tries[counted] + 1 };
}

/**
 * Whether to send a request again that came to nothing, and when; the first rung that holds decides. It sleeps nowhere
 * and sends nothing. Times are of this machine's clock.
 * @param tries those that came to nothing, the one that ended in `error` included
 */
export function decideRetry(
	error: ServiceError,
	tries: FailedTries,
	{ limits, interval }: { limits: RetryLimits; interval: PollInterval },
	now: number,
): RetryDecision {
	const counted = countedAs(error.kind);
	const at = retryAt(error, tries[counted], now, interval);
	if (!isCurable(error)) return { giveUp: 'incurable' };
	if (at - now > LONGEST_RATE_WAIT_MS) return { giveUp: 'wait-too-long' };
	if (tries[counted] >= limits[counted]) return { giveUp: 'too-many-tries' };
	if (now - tries.since >= (limits.outage ?? Infinity)) return { giveUp: 'outage-too-long' };
	return { retryAt: at };
}

/** Where the service says 409, the first request with the same key may still be at work. */
function isCurable({ kind, status }: ServiceError): boolean {
	return isTransient(kind) || (kind === 'conflict' && status === 409);
}

function countedAs(kind: ErrorKind): 'failures' | 'rateLimits' | 'conflicts' {
	if (kind === 'rate_limited') return 'rateLimits';
	return kind === 'conflict' ? 'conflicts' : 'failures';
}

/**
 * When to send the same request again, as a time of this machine's clock: waits that double from 2 seconds to a minute,
 * and never before the time that the service named. They are a part of the poll interval, so that they shrink with it
 * in faster time. `failures` counts those in a row, the newest included.
 */
export function retryAt(
	error: ServiceError,
	failures: number,
	now: number,
	{ shortest }: PollInterval,
): number {
	const backoff = Math.min(4, (2 / 15) * 2 ** (failures - 1)) * shortest;
	return Math.max(error.retryAt ?? 0, now + backoff);
}

/** How a request is sent again. */
export interface Retrying {
	clock: Clock;
	interval: PollInterval;
	/** May differ from error to error. */
	limits: RetryLimits | ((error: ServiceError) => RetryLimits);
	signal?: AbortSignal;
}

/**
 * Sends a request, and again for as long as `decideRetry` says.
 * @throws {ServiceError} the last one
 */
export async function withRetries<T>(
	send: () => Promise<T>,
	{ clock, interval, limits, signal }: Retrying,
): Promise<T> {
	for (let tries: FailedTries | null = null; ;) {
		const outcome = await outcomeOf(send());
		if ('value' in outcome) return outcome.value;
		const { error } = outcome;
		const now = clock.now();
		tries = withFailedTry(tries, error.kind, now);
		const allowed = typeof limits === 'function' ? limits(error) : limits;
		const decision = decideRetry(error, tries, { limits: allowed, interval }, now);
		if ('giveUp' in decision) throw error;
		await sleepUntil(clock, decision.retryAt, signal);
	}
}
