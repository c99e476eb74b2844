import { ServiceError, type ErrorKind } from '../../../core/api/errors';
import {
	countFailure,
	decideRetry,
	NO_FAILURES,
	nullIfNotFound,
	READ_LIMITS,
	withRetries,
	type RetryLimits,
} from '../../../core/api/retry';
import { failureOf } from '../../support/failure-of';
import { HOUR, MINUTE, SECOND } from '../../support/time';
import { VirtualClock } from '../../support/virtual-clock';

const NOW = 1e12;
const LIMITS: RetryLimits = { failures: 3, rateLimits: 5 };

function makeError(kind: ErrorKind, facts: { retryAt?: number } = {}): ServiceError {
	return new ServiceError({ kind, operation: 'get_brief', ...facts });
}

/** Requests that have failed, with and without a rate limit. */
interface Counts {
	readonly failures?: number;
	readonly rateLimits?: number;
	readonly since?: number;
}

function decide(error: ServiceError, counts: Counts = {}, limits = LIMITS): number | null {
	const { failures = 1, rateLimits = 1, since = NOW } = counts;
	const counted = {
		failures: { count: failures, since },
		rateLimits: { count: rateLimits, since },
	};
	return decideRetry(error, counted, limits, NOW);
}

describe('decideRetry', () => {
	test.each<ErrorKind>([
		...(['service_unavailable', 'unreadable_answer', 'unconfirmed', 'rate_limited'] as const),
		// An earlier request with the same key can still be at work.
		'conflict',
	])('repeats %s after two seconds', (kind) => {
		expect(decide(makeError(kind))).toBe(NOW + 2 * SECOND);
		expect(decide(makeError(kind, { retryAt: NOW - MINUTE }))).toBe(NOW + 2 * SECOND);
	});

	test.each<ErrorKind>([
		...(['invalid_input', 'key_refused', 'scope_missing', 'licence_missing'] as const),
		...(['not_found', 'allowance_used_up', 'list_unreadable', 'other_brief'] as const),
	])('never repeats %s', (kind) => {
		expect(decide(makeError(kind, { retryAt: NOW + SECOND }))).toBeNull();
	});

	test('doubles the wait from two seconds to a minute', () => {
		const limits = { ...LIMITS, failures: Infinity };
		const waits = [1, 2, 3, 4, 5, 6, 7, 5000].map(
			(failures) => (decide(makeError('unconfirmed'), { failures }, limits) ?? NaN) - NOW,
		);
		expect(waits.map((wait) => wait / SECOND)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
	});

	test('waits as long as the service asks, up to an hour, and otherwise gives up', () => {
		expect(decide(makeError('rate_limited', { retryAt: NOW + HOUR }))).toBe(NOW + HOUR);
		expect(decide(makeError('rate_limited', { retryAt: NOW + HOUR + 1 }))).toBeNull();
	});

	test.each<[ErrorKind, Counts, number | null]>([
		['service_unavailable', { failures: 2, rateLimits: 99 }, NOW + 4 * SECOND],
		['service_unavailable', { failures: 3 }, null],
		['rate_limited', { failures: 99, rateLimits: 4 }, NOW + 16 * SECOND],
		['rate_limited', { rateLimits: 5 }, null],
	])('after %s with the failures %j returns %p', (kind, failures, retryAt) => {
		expect(decide(makeError(kind), failures)).toBe(retryAt);
	});

	test.each([
		[MINUTE - 1, NOW + MINUTE],
		[MINUTE, null],
	])('%i ms into an outage of at most a minute returns %p', (elapsed, retryAt) => {
		const limits = { failures: Infinity, rateLimits: Infinity, outage: MINUTE };
		const failures = { since: NOW - elapsed, failures: 99 };
		expect(decide(makeError('unconfirmed'), failures, limits)).toBe(retryAt);
	});

	test.each<ErrorKind>(['rate_limited', 'service_unavailable', 'conflict'])(
		'repeats %s up to the deadline, and gives up if the retry would be later',
		(kind) => {
			const retryAt = NOW + 10 * SECOND;
			const decideBefore = (deadline: number) =>
				decide(makeError(kind, { retryAt }), {}, { ...LIMITS, deadline });
			expect(decideBefore(retryAt)).toBe(retryAt);
			expect(decideBefore(retryAt - 1)).toBeNull();
		},
	);
});

test('a rate limit in a row with others ends after an hour', () => {
	const limits = { failures: Infinity, rateLimits: Infinity, outage: MINUTE };
	const error = makeError('rate_limited', { retryAt: NOW + 10 * MINUTE });
	expect(decide(error, { since: NOW - 50 * MINUTE }, limits)).toBe(NOW + 10 * MINUTE);
	expect(decide(error, { since: NOW - 51 * MINUTE }, limits)).toBeNull();
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
	test('returns the first answer, after the waits that were decided', async () => {
		const clock = new VirtualClock(NOW);
		const sentAt: number[] = [];
		const answer = await withRetries(
			() => {
				sentAt.push((clock.now() - NOW) / SECOND);
				if (sentAt.length < 4) return Promise.reject(makeError('service_unavailable'));
				return Promise.resolve('answer');
			},
			{ clock, limits: READ_LIMITS },
		);
		expect([answer, sentAt]).toEqual(['answer', [0, 2, 6, 14]]);
	});

	test.each<[Error, number]>([
		[makeError('unreadable_answer'), 3],
		[new TypeError('bug'), 1],
	])('throws %p after %i requests', async (thrown, expected) => {
		let sent = 0;
		const send = () => ((sent += 1), Promise.reject(thrown));
		const error = await failureOf(withRetries(send, { clock: new VirtualClock(), limits: LIMITS }));
		expect([error, sent]).toEqual([thrown, expected]);
	});

	test('waits out an outage that begins at the end of a long rate limit', async () => {
		const clock = new VirtualClock(NOW);
		const errors = [
			makeError('rate_limited', { retryAt: NOW + 40 * MINUTE }),
			makeError('service_unavailable'),
		];
		const send = () => {
			const error = errors.shift();
			return error === undefined ? Promise.resolve('answer') : Promise.reject(error);
		};
		const limits = { failures: Infinity, rateLimits: Infinity, outage: 30 * MINUTE };
		expect(await withRetries(send, { clock, limits })).toBe('answer');
	});

	test('ends its wait when the signal is aborted', async () => {
		const clock = new VirtualClock(NOW);
		const stop = new AbortController();
		const send = () => Promise.reject(makeError('service_unavailable'));
		const failure = failureOf(withRetries(send, { clock, limits: LIMITS, signal: stop.signal }));
		await clock.pass(SECOND);
		stop.abort(new Error('stop'));
		expect((await failure).message).toBe('stop');
		expect(clock.sleeping).toBe(0);
	});
});

describe('nullIfNotFound', () => {
	test('returns null for a resource that the service does not know', async () => {
		expect(await nullIfNotFound(Promise.reject(makeError('not_found')))).toBeNull();
	});

	test('throws every other error', async () => {
		const error = makeError('service_unavailable');
		expect(await failureOf(nullIfNotFound(Promise.reject(error)))).toBe(error);
	});
});
