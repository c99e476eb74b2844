import fc from 'fast-check';
import { readRetryAt } from '../../../core/api/rate-limit-headers';

const NOW = Date.UTC(2026, 10, 20, 12);
const wait = (headers: Record<string, string>, now = NOW, status = 429) => {
	const retryAt = readRetryAt({ status, headers }, now);
	return retryAt === null ? null : (retryAt - now) / 1000;
};
const rfc1123 = (time: number) => new Date(time).toUTCString();

describe('Retry-After', () => {
	test.each<[string, number | null]>([
		['0', 0],
		['120', 120],
		[' 120 ', 120],
		['1.5', 1.5],
		['-5', null],
		['1e3', null],
		['0x10', null],
		['soon', null],
		['', null],
		['NaN', null],
		['Infinity', null],
		['1000000000', 1_000_000_000],
		['9'.repeat(400), null],
		['Fri, 99 Foo 2026 99:99:99 GMT', null],
		['2026-13-20T12:01:00Z', null],
	])('of %p is a wait of %p seconds', (value, seconds) => {
		expect(wait({ 'retry-after': value })).toBe(seconds);
	});

	test.each([
		['RFC 1123', 'Fri, 20 Nov 2026 12:01:00 GMT'],
		['RFC 850', 'Friday, 20-Nov-26 12:01:00 GMT'],
		['asctime', 'Fri Nov 20 12:01:00 2026'],
		['ISO 8601', '2026-11-20T12:01:00Z'],
	])('with a date in the form of %s counts from the Date header', (_form, date) => {
		const headers = { 'retry-after': date, date: rfc1123(NOW) };
		expect(wait(headers, NOW)).toBe(60);
		expect(wait(headers, NOW - 86_400_000 * 365)).toBe(60);
		expect(wait(headers, NOW + 86_400_000 * 365)).toBe(60);
		expect(wait({ ...headers, date: ` ${headers.date} ` }, NOW + 9e9)).toBe(60);
		expect(wait({ 'retry-after': date })).toBe(60);
		expect(wait({ 'retry-after': date, date: 'nonsense' })).toBe(60);
	});

	test('with a date in the past means now', () => {
		expect(wait({ 'retry-after': rfc1123(NOW - 5000), date: rfc1123(NOW) })).toBe(0);
	});

	test('with a large number is a time since 1970', () => {
		const headers = { 'retry-after': String((NOW + 30_000) / 1000), date: rfc1123(NOW) };
		expect(wait(headers)).toBe(30);
		expect(wait(headers, NOW + 9e9)).toBe(30);
	});

	test('takes precedence over RateLimit-Reset', () => {
		expect(wait({ 'retry-after': '5', 'ratelimit-reset': '50' })).toBe(5);
		expect(wait({ 'retry-after': 'soon', 'ratelimit-reset': '50' })).toBe(50);
	});
});

describe('RateLimit-Reset', () => {
	test.each<[Record<string, string>, number | null]>([
		[{ 'ratelimit-reset': '30' }, 30],
		[{ 'ratelimit-reset': ' 30 ' }, 30],
		[{ 'ratelimit-reset': '-30' }, null],
		[{ 'ratelimit-reset': '30;w=60' }, null],
	])('in %j is a wait of %p seconds', (headers, seconds) => {
		expect(wait(headers)).toBe(seconds);
	});

	test('is ignored in other answers than a 429, because a service can send it with every answer', () => {
		expect(wait({ 'ratelimit-reset': '3000' }, NOW, 503)).toBeNull();
		expect(wait({ 'ratelimit-reset': '3000', 'retry-after': '5' }, NOW, 503)).toBe(5);
	});

	test('since 1970, in seconds or milliseconds, counts from the Date header', () => {
		const date = rfc1123(NOW);
		expect(wait({ date, 'ratelimit-reset': String((NOW + 30_000) / 1000) }, NOW - 1e9)).toBe(30);
		expect(wait({ date, 'ratelimit-reset': String(NOW + 30_000) }, NOW + 1e9)).toBe(30);
		expect(wait({ date, 'ratelimit-reset': String((NOW - 30_000) / 1000) })).toBe(0);
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
	const headers = fc.record(Object.fromEntries(names.map((name) => [name, value])), {
		requiredKeys: [],
	});
	let found = 0;
	fc.assert(
		fc.property(headers, fc.integer({ min: 0, max: 4e12 }), (given, now) => {
			const retryAt = readRetryAt({ status: 429, headers: given as Record<string, string> }, now);
			found += Number(retryAt !== null);
			expect(retryAt ?? now).toBeGreaterThanOrEqual(now);
			expect(retryAt).not.toBe(Infinity);
		}),
		{ numRuns: 3000 },
	);
	expect(found).toBeGreaterThan(300);
});
