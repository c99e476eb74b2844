import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Exchange } from '../../../batch/doctor/exchanges';
import { formOfTime, formOfValue } from '../../../batch/doctor/forms';
import { waysOf } from '../../../batch/doctor/ways';

const INSTANT = Date.UTC(2026, 10, 20, 9, 30);

const exchange = (operation: Exchange['operation'], facts: Partial<Exchange> = {}): Exchange => ({
	operation,
	query: {},
	status: 200,
	headers: {},
	body: {},
	took_ms: 5,
	failure: null,
	...facts,
});
const ways = (...exchanges: Exchange[]) => {
	const found = waysOf(exchanges, 7).map(({ open, seen }) => [open, seen] as const);
	return Object.fromEntries(found);
};

describe('the form of a time', () => {
	test.each([
		['2026-11-20T09:30:00.000Z', 'ISO 8601, with 3 decimals, in UTC'],
		['2026-11-20T09:30:00Z', 'ISO 8601, to the second, in UTC'],
		['2026-11-20 09:30:00.123456+01:00', 'ISO 8601, with 6 decimals, with the offset +01:00'],
		['2026-11-20T09:30:00', 'ISO 8601, to the second, without a zone'],
		['2026-11-20', 'ISO 8601, a date alone'],
		['Fri, 20 Nov 2026 09:30:00 GMT', 'RFC 1123'],
		['20 Nov 2026', 'a date in words'],
		[INSTANT / 1000, 'a number: seconds since 1970'],
		[INSTANT, 'a number: milliseconds since 1970'],
		[INSTANT * 1000, 'a number: micro- or nanoseconds since 1970'],
		[0, 'a number: no time'],
		[String(INSTANT), 'digits: milliseconds since 1970'],
		['tomorrow', 'nothing that can be read as a time'],
		[true, 'nothing that can be read as a time'],
		[null, 'null'],
		[undefined, 'missing'],
	])('%j is %s', (value, form) => {
		expect(formOfTime(value)).toBe(form);
	});
});

describe('the form of a value', () => {
	test.each([
		[['a', 'b'], 'a list of text'],
		[[{ url: 'x' }, 'b'], 'a list of an object with url or text'],
		[[], 'an empty list'],
		[{}, 'an empty object'],
		[{ mission: 'Secret', shots: [] }, 'an object with mission, shots'],
		[null, 'null'],
		[undefined, 'null'],
		[1, 'number'],
	])('%j is %s', (value, form) => {
		expect(formOfValue(value)).toBe(form);
	});

	test('names as many fields as fit, and none that is as long as a text', () => {
		const many = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`k${i}`, 1]));
		expect(formOfValue(many)).toMatch(/k19 and more$/);
		expect(formOfValue({ ['x'.repeat(99)]: 1 })).toHaveLength('an object with '.length + 40);
	});
});

describe('how the service does what its specification leaves open', () => {
	test('is told under the names of docs/service.md section 10', () => {
		const section = readFileSync(resolve(__dirname, '../../../docs/service.md'), 'utf8')
			.split('## 10. ')
			.at(1);
		const names = waysOf([], null).map(({ open }) => open);
		expect(names.filter((open) => section?.includes(`\n| ${open} |`) !== true)).toEqual([]);
	});

	test('is not known as long as nothing was answered', () => {
		const unanswered = exchange('list_licences', { status: null, body: undefined });
		expect(Object.values(ways(unanswered)).filter((seen) => seen !== null)).toEqual([]);
	});

	test('is read from headers: rate limits, dates, request IDs, the end of a version', () => {
		const headers = {
			date: 'Fri, 20 Nov 2026 09:30:00 GMT',
			'x-request-id': 'r',
			sunset: 'soon',
			'ratelimit-policy': '"default";q=100;w=60',
			'retry-after': '30',
		};
		const found = ways(exchange('list_licences', { headers }), exchange('list_briefs'));
		expect(found).toMatchObject({
			'The form of `RateLimit-*`': 'ratelimit-policy: "default";q=100;w=60',
			'The form of `Retry-After`': 'retry-after: 30',
			'Whether answers carry a Date header': '1 of 2 do',
			"Where the request's ID is": 'in a header',
			'How the end of a version is announced': 'sunset: soon',
		});
	});

	test('is read from the licence: its end, and what it says is used', () => {
		const body = {
			data: [
				{
					product: 'creator-briefs',
					used_this_month: 0,
					renews_or_ends_at: '2026-12-31',
					seats: 5,
				},
			],
		};
		const found = ways(exchange('list_licences', { body }));
		expect(found).toMatchObject({
			'`used_this_month` of Creator Briefs': '0, and the list shows 7 of this month',
			'The form of `renews_or_ends_at`': 'ISO 8601, a date alone',
			'Fields beyond those listed': 'a licence: seats',
			'Fields that are missing': 'a licence: name, channels, monthly_allowance',
		});
	});

	test('is read from the list: times, statuses, cursors and a wrong cursor', () => {
		const brief = { id: 'b', status: 'polishing', created_at: INSTANT, finished_at: null };
		const first = { body: { data: [brief], next_cursor: 'c'.repeat(24) } };
		const wrong = { query: { cursor: 'not-a-cursor' } };
		const refused = { status: 400, body: { error: { code: 'invalid_cursor', details: 'no' } } };
		const found = ways(
			exchange('list_briefs', first),
			exchange('list_briefs', { ...wrong, ...refused }),
		);
		expect(found).toMatchObject({
			'The form of times':
				'created_at: a number: milliseconds since 1970; updated_at: missing; finished_at: null',
			'A status beyond the six': 'polishing',
			'A cursor that is stale or not valid':
				'its own have 24 characters; a wrong one gives status 400',
			'Error codes, and their statuses': '400 invalid_cursor',
			'The form of `details`': 'text',
		});
		const empty = exchange('list_briefs', { ...wrong, body: { data: [] } });
		expect(ways(empty)['A cursor that is stale or not valid']).toBe(
			'a wrong one gives an empty page',
		);
		const again = exchange('list_briefs', { ...wrong, ...first });
		expect(ways(again)['A cursor that is stale or not valid']).toContain('a page with briefs');
	});

	test('is read from whole briefs, without a word of what they say', () => {
		const secret = 'Glow Serum';
		const ready = {
			status: 'ready',
			product_name: secret,
			title: secret,
			markdown: secret,
			input: { product_name: secret },
			document: { mission: secret },
			warnings: [],
			sources: [{ url: secret }],
		};
		const failed = {
			status: 'failed',
			input: { brief: { product_name: secret } },
			error_code: 'x',
		};
		const found = ways(
			exchange('get_brief', { body: ready }),
			exchange('get_brief', { body: failed }),
			exchange('get_brief', { status: 404, body: { error: 'unknown' } }),
		);
		expect(found).toMatchObject({
			'How `input` is arranged': 'as ordered: product_name; an object with brief',
			'The keys of `document`': 'an object with mission',
			'Items of `sources`': 'a list of an object with url',
			'Items of `warnings`': 'an empty list',
			'Values of `error_code`': 'x',
			'Error codes, and their statuses': '404 without a code',
		});
		expect(JSON.stringify(found)).not.toContain(secret);
	});
});
