import fc from 'fast-check';
import { readRetryAt } from '../../../core/api/rate-limit-headers';
import { DAY } from '../../support/time';

const NOW = Date.UTC(2026, 10, 20, 12);
const DATE = new Date(NOW).toUTCString();

/** Returns the seconds to wait, by a machine whose clock is this far ahead of the service's clock. */
function getWait(headers: Record<string, string>, aheadMs = 0, status = 429): number | null {
	const retryAt = readRetryAt({ status, headers }, NOW + aheadMs);
	return retryAt === null ? null : (retryAt - NOW - aheadMs) / 1000;
}

describe('Retry-After', () => {
	test.each<[string, number | null]>([
		['0', 0],
		['120', 120],
		[' 120 ', 120],
		['1.5', 1.5],
		['-5', null],
		['1e3', null],
		['soon', null],
		['', null],
		['1000000000', 1_000_000_000],
		['9'.repeat(400), null],
		['2026-13-20T12:01:00Z', null],
		// Times.
		['Fri, 20 Nov 2026 12:01:00 GMT', 60],
		['2026-11-20T12:01:00Z', 60],
		['Fri, 20 Nov 2026 11:59:00 GMT', 0],
		[String(NOW / 1000 + 30), 30],
	])('of %p is a wait of %p seconds', (value, seconds) => {
		expect(getWait({ 'retry-after': value })).toBe(seconds);
		expect(getWait({ 'retry-after': value, date: 'nonsense' })).toBe(seconds);
		// A time counts from the Date header, because this machine's clock can be wrong.
		for (const ahead of [-365 * DAY, 365 * DAY])
			expect(getWait({ 'retry-after': value, date: ` ${DATE} ` }, ahead)).toBe(seconds);
	});

	test('takes precedence over RateLimit-Reset', () => {
		expect(getWait({ 'retry-after': '5', 'ratelimit-reset': '50' })).toBe(5);
		expect(getWait({ 'retry-after': 'soon', 'ratelimit-reset': '50' })).toBe(50);
	});
});

describe('RateLimit-Reset', () => {
	test.each([
		['30', 30],
		[' 30 ', 30],
		['-30', null],
		['30;w=60', null],
		[String(NOW / 1000 + 30), 30],
		[String(NOW + 30_000), 30],
		[String(NOW / 1000 - 30), 0],
	])('of %p is a wait of %p seconds', (value, seconds) => {
		for (const ahead of [-365 * DAY, 365 * DAY])
			expect(getWait({ 'ratelimit-reset': value, date: DATE }, ahead)).toBe(seconds);
	});

	test('is ignored in other answers than a 429, because a service can send it with every answer', () => {
		expect(getWait({ 'ratelimit-reset': '3000' }, 0, 503)).toBeNull();
		expect(getWait({ 'ratelimit-reset': '3000', 'retry-after': '5' }, 0, 503)).toBe(5);
	});
});

test('any headers result in a finite time that is not in the past, or null', () => {
	const value = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.string({ unit: fc.constantFrom(...Array.from('0123456789.,;=rt"- :GMTFriNov')) }),
		fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
		fc.double().map(String),
		fc.bigInt().map(String),
	);
	const names = ['retry-after', 'date', 'ratelimit-reset'];
	const headers = fc.dictionary(fc.constantFrom(...names), value, { noNullPrototype: true });
	let found = 0;
	fc.assert(
		fc.property(headers, fc.integer({ min: 0, max: 4e12 }), (given, now) => {
			const retryAt = readRetryAt({ status: 429, headers: given }, now);
			found += Number(retryAt !== null);
			expect(retryAt ?? now).toBeGreaterThanOrEqual(now);
			expect(retryAt).not.toBe(Infinity);
		}),
		{ numRuns: 1000 },
	);
	expect(found).toBeGreaterThan(50);
});
