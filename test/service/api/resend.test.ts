import { READ_TRIES } from '../../../service/assumptions';
import { ServiceError, type ErrorKind } from '../../../service/api/errors';
import {
	decideRetry,
	withFailedTry,
	withRetries,
	type FailedTries,
	type RetryLimits,
} from '../../../service/api/resend';
import { VirtualClock } from '../../support/virtual-clock';
import { failureOf } from '../../support/failure-of';
import { anError } from '../../support/builders';
import { HOUR, MINUTE, SECOND } from '../../support/time';

const NOW = 1e12;
const LIMITS = { failures: 3, rateLimits: 5 };

const error = (kind: ErrorKind, facts: Partial<ServiceError> = {}) =>
	anError(kind, { operation: 'get_brief', status: 503, ...facts });

const tries = (given: Partial<FailedTries> = {}): FailedTries => ({
	failures: 1,
	rateLimits: 1,
	since: NOW,
	...given,
});

const decided = (of: ServiceError, given: Partial<FailedTries> = {}, limits?: RetryLimits) =>
	decideRetry(of, tries(given), limits ?? LIMITS, NOW);

describe('whether a request is sent again, and when', () => {
	test.each<ErrorKind>([
		...(['service_unavailable', 'unreadable_answer', 'in_doubt', 'rate_limited'] as const),
		// The first request with the same key may still be at work.
		'conflict',
	])('after two seconds, if waiting may cure it: %s', (kind) => {
		expect(decided(error(kind))).toBe(NOW + 2 * SECOND);
		expect(decided(error(kind, { retryAt: NOW - 90 * SECOND }))).toBe(NOW + 2 * SECOND);
	});

	test('after waits that double from two seconds to a minute', () => {
		const waits = [1, 2, 3, 4, 5, 6, 7, 5000].map((failures) => {
			const limits = { ...LIMITS, failures: Infinity };
			return (decided(error('service_unavailable'), { failures }, limits) ?? NaN) - NOW;
		});
		expect(waits.map((wait) => wait / SECOND)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
	});

	test.each<ErrorKind>([
		...(['invalid_input', 'key_refused', 'scope_missing', 'licence_missing'] as const),
		...(['not_found', 'allowance_used_up'] as const),
	])('not at all, if waiting does not cure it: %s', (kind) => {
		expect(decided(error(kind, { retryAt: NOW + SECOND }))).toBeNull();
	});

	test('as late as the service says, up to an hour; a longer wait is neither waited nor cut short', () => {
		for (const kind of ['rate_limited', 'service_unavailable'] as const) {
			const asked = (ms: number) => decided(error(kind, { retryAt: NOW + ms }));
			expect([asked(HOUR), asked(HOUR + 1)]).toEqual([NOW + HOUR, null]);
		}
	});

	test('counts failures and rate limits in a row apart', () => {
		const given = { failures: 2, rateLimits: 4 };
		expect(decided(error('service_unavailable'), given)).toBe(NOW + 4 * SECOND);
		expect(decided(error('rate_limited'), given)).toBe(NOW + 16 * SECOND);
		const more = { failures: 3, rateLimits: 5 };
		expect(decided(error('unreadable_answer'), more)).toBeNull();
		expect(decided(error('rate_limited'), more)).toBeNull();
	});

	test('ends with an outage that lasts too long, however few the tries', () => {
		const limits = { failures: Infinity, rateLimits: Infinity, outage: MINUTE };
		const after = (ms: number) =>
			decided(error('service_unavailable'), { since: NOW - ms, failures: 99 }, limits);
		expect(after(MINUTE - 1)).toBe(NOW + MINUTE);
		expect(after(MINUTE)).toBeNull();
	});
});

test('the tries of a request are counted by how they ended, and rate limits in a row', () => {
	const after = (...kinds: ErrorKind[]) =>
		kinds.reduce<FailedTries | null>(
			(counted, kind, place) => withFailedTry(counted, kind, NOW + place),
			null,
		);
	const limited = after('rate_limited', 'rate_limited');
	expect(limited).toEqual(tries({ failures: 0, rateLimits: 2 }));
	const last = after('rate_limited', 'rate_limited', 'in_doubt', 'conflict');
	expect(last).toEqual(tries({ failures: 2, rateLimits: 0 }));
});

describe('sending a request again', () => {
	const clock = () => new VirtualClock(NOW);

	test('brings the answer once there is one, after the waits that were decided', async () => {
		const all = { clock: clock(), limits: READ_TRIES };
		const at: number[] = [];
		const answer = await withRetries(() => {
			at.push((all.clock.now() - NOW) / SECOND);
			if (at.length < 4) return Promise.reject(error('service_unavailable'));
			return Promise.resolve('answer');
		}, all);
		expect([answer, at]).toEqual(['answer', [0, 2, 6, 14]]);
	});

	test('throws the last error if it is given up, and what is no error of the service at once', async () => {
		const all = { clock: clock(), limits: LIMITS };
		let sent = 0;
		const failing = (thrown: Error) =>
			failureOf(withRetries(() => ((sent += 1), Promise.reject(thrown)), all));
		const last = error('unreadable_answer');
		expect([await failing(last), sent]).toEqual([last, 3]);
		const bug = new TypeError('bug');
		expect([await failing(bug), sent]).toEqual([bug, 4]);
	});

	test('takes limits that depend on the error, and ends with its signal', async () => {
		const all = { clock: clock() };
		let sent = 0;
		const fail = () => (
			(sent += 1),
			Promise.reject(error('service_unavailable', { status: null }))
		);
		const limits = ({ status }: ServiceError) =>
			status === null ? { ...LIMITS, failures: 1 } : LIMITS;
		await failureOf(withRetries(fail, { ...all, limits }));
		expect(sent).toBe(1);
		const stop = new AbortController();
		const going = failureOf(withRetries(fail, { ...all, limits: LIMITS, signal: stop.signal }));
		await all.clock.pass(SECOND);
		stop.abort(new Error('stop'));
		expect((await going).message).toBe('stop');
		expect([sent, all.clock.sleeping]).toEqual([2, 0]);
	});
});
