import { ServiceError, type ErrorKind } from '../../../core/api/errors';
import {
	chooseReadLimits,
	countFailure,
	decideRetry,
	NO_FAILURES,
	nullIfNotFound,
	READ_LIMITS,
	withRetries,
	type RetryLimits,
} from '../../../core/api/retry';
import { catchError } from '../../support/catch-error';
import { HOUR, MINUTE, SECOND } from '../../support/time';
import { VirtualClock } from '../../support/virtual-clock';

const NOW = 1e12;
const LIMITS: RetryLimits = { failures: 3, rateLimits: 5 };
const NO_LIMITS: RetryLimits = { failures: Infinity, rateLimits: Infinity };

/** @param waitMs the Retry-After; none if missing */
function makeError(kind: ErrorKind, waitMs?: number): ServiceError {
	const retryAt = waitMs === undefined ? null : NOW + waitMs;
	return new ServiceError({ kind, operation: 'get_brief', retryAt });
}

interface Situation extends Partial<RetryLimits> {
	/** The requests that have failed; 1 if missing. */
	readonly failed?: number;
	/** The requests that have reached a rate limit; 1 if missing. */
	readonly limited?: number;
	/** How long they have been failing. */
	readonly elapsed?: number;
	/** The Retry-After of the last answer. */
	readonly wait?: number;
}

/** Returns the wait before the retry, or null. */
function decide(kind: ErrorKind, situation: Situation): number | null {
	const { failed = 1, limited = 1, elapsed = 0, wait, ...limits } = situation;
	const since = NOW - elapsed;
	const counted = { failures: { count: failed, since }, rateLimits: { count: limited, since } };
	const retryAt = decideRetry(makeError(kind, wait), counted, { ...LIMITS, ...limits }, NOW);
	return retryAt === null ? null : retryAt - NOW;
}

describe('decideRetry', () => {
	test.each<ErrorKind>([
		...(['service_unavailable', 'unreadable_answer', 'unconfirmed', 'rate_limited'] as const),
		// An earlier request with the same key can still be at work.
		'conflict',
	])('repeats %s after two seconds, and not after the deadline', (kind) => {
		expect(decide(kind, {})).toBe(2 * SECOND);
		expect(decide(kind, { wait: -MINUTE })).toBe(2 * SECOND);
		expect(decide(kind, { deadline: NOW + 2 * SECOND })).toBe(2 * SECOND);
		expect(decide(kind, { deadline: NOW + 2 * SECOND - 1 })).toBeNull();
	});

	test.each<ErrorKind>([
		...(['invalid_input', 'key_refused', 'scope_missing', 'licence_missing'] as const),
		...(['not_found', 'allowance_used_up', 'list_unreadable', 'credential_changed'] as const),
	])('never repeats %s', (kind) => {
		expect(decide(kind, { wait: SECOND })).toBeNull();
	});

	test('doubles the wait from two seconds to a minute', () => {
		const waits = [1, 2, 3, 4, 5, 6, 7, 5000].map((failed) =>
			decide('unconfirmed', { ...NO_LIMITS, failed }),
		);
		expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * SECOND));
	});

	const outage = { ...NO_LIMITS, outage: MINUTE };
	test.each<[ErrorKind, Situation, number | null]>([
		['service_unavailable', { failed: 2, limited: 99 }, 4 * SECOND],
		['service_unavailable', { failed: 3 }, null],
		['rate_limited', { failed: 99, limited: 4 }, 16 * SECOND],
		['rate_limited', { limited: 5 }, null],
		['unconfirmed', { ...outage, failed: 99, elapsed: MINUTE - 1 }, MINUTE],
		['unconfirmed', { ...outage, failed: 99, elapsed: MINUTE }, null],
		// Up to an hour, whether one answer asks for it or several in a row.
		['service_unavailable', { ...outage, wait: HOUR }, HOUR],
		['service_unavailable', { ...outage, wait: HOUR + 1 }, null],
		['rate_limited', { ...outage, wait: HOUR }, HOUR],
		['rate_limited', { ...outage, wait: HOUR + 1 }, null],
		['rate_limited', { ...outage, wait: 10 * MINUTE, elapsed: 50 * MINUTE }, 10 * MINUTE],
		['rate_limited', { ...outage, wait: 10 * MINUTE, elapsed: 50 * MINUTE + 1 }, null],
	])('for %s in the situation %j waits %p ms', (kind, situation, wait) => {
		expect(decide(kind, situation)).toBe(wait);
	});
});

test.each<[ErrorKind[], object, object]>([
	[['rate_limited', 'rate_limited'], { count: 0 }, { count: 2, since: NOW }],
	[['rate_limited', 'unconfirmed', 'conflict'], { count: 2, since: NOW + 1 }, { count: 0 }],
	[
		['unconfirmed', 'rate_limited', 'conflict', 'rate_limited'],
		{ count: 2, since: NOW },
		{ count: 1, since: NOW + 3 },
	],
])('counts %j as the failures %j and the rate limits %j', (kinds, failures, rateLimits) => {
	const counted = kinds.reduce(
		(before, kind, index) => countFailure(before, kind, NOW + index),
		NO_FAILURES,
	);
	expect(counted).toMatchObject({ failures, rateLimits });
});

describe('withRetries', () => {
	/** Sends requests that get these errors, then an answer. Returns when each request was sent. */
	async function send(errors: readonly Error[], limits: RetryLimits, requestMs = 0) {
		const clock = new VirtualClock(NOW);
		const sentAt: number[] = [];
		const request = async () => {
			const error = errors[sentAt.length];
			sentAt.push((clock.now() - NOW) / SECOND);
			await clock.pass(requestMs);
			if (error !== undefined) throw error;
			return 'answer';
		};
		const end = await withRetries(request, { clock, getLimits: () => limits }).catch(
			(error: unknown) => error,
		);
		return { end, sentAt };
	}
	const down = makeError('service_unavailable');
	const bug = new TypeError('bug');

	test.each<[string, Error[], RetryLimits, unknown, number[]]>([
		['returns the first answer', [down, down, down], READ_LIMITS, 'answer', [0, 2, 6, 14]],
		['throws the last error', [down, down, down], LIMITS, down, [0, 2, 6]],
		['does not repeat a bug', [bug], READ_LIMITS, bug, [0]],
		[
			'waits out an outage that begins at the end of a long rate limit',
			[makeError('rate_limited', 40 * MINUTE), down],
			{ ...NO_LIMITS, outage: 30 * MINUTE },
			'answer',
			[0, 2400, 2402],
		],
	])('%s', async (_, errors, limits, end, sentAt) => {
		expect(await send(errors, limits)).toEqual({ end, sentAt });
	});

	test.each([
		['that fail at once', 0, [0, 2, 6, 14]],
		['that get no answer until their timeout', 60_000, [0, 62]],
	])('sends few first requests %s', async (_what, requestMs, sentAt) => {
		const limits = chooseReadLimits(READ_LIMITS, false);
		const errors = Array<Error>(9).fill(down);
		expect(await send(errors, limits, requestMs)).toEqual({ end: down, sentAt });
	});

	test('ends its wait when the signal is aborted', async () => {
		const clock = new VirtualClock(NOW);
		const stop = new AbortController();
		const request = () => Promise.reject(down);
		const failure = catchError(
			withRetries(request, { clock, getLimits: () => LIMITS, signal: stop.signal }),
		);
		await clock.pass(SECOND);
		stop.abort(new Error('stop'));
		expect((await failure).message).toBe('stop');
		expect(clock.sleeping).toBe(0);
	});
});

test('nullIfNotFound returns null for an unknown resource, and throws every other error', async () => {
	expect(await nullIfNotFound(Promise.reject(makeError('not_found')))).toBeNull();
	const error = makeError('service_unavailable');
	expect(await catchError(nullIfNotFound(Promise.reject(error)))).toBe(error);
});
