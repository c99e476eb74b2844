import fc from 'fast-check';
import {
	readBrief,
	readBriefWithId,
	readBriefPage,
	readHookList,
	readLicences,
	UnexpectedBody,
} from '../../../core/api/responses';

const brief = {
	id: 'b1',
	status: 'ready',
	product_name: 'Lamp',
	title: 'A lamp',
	url: 'https://a.example',
	created_at: '2026-11-20',
	updated_at: 1763640000,
	finished_at: '2026-11-20',
};
const full = {
	...brief,
	input: { a: 1 },
	markdown: '# x',
	document: { b: 2 },
	sources: [1],
	warnings: ['w'],
	error_code: null,
	revision: 3,
};

describe('the reader of a response', () => {
	test('keeps a full brief, with unknown fields', () => {
		expect(readBrief({ ...full, mood: 'fine' })).toEqual({ ...full, mood: 'fine' });
	});

	test('reads missing fields, and fields of another type, as empty', () => {
		const nothing = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
		const kept = { id: 'b1', status: 'queued' };
		const texts = { product_name: '', url: '', created_at: '', updated_at: '' };
		const others = { input: {}, sources: [], warnings: [], revision: 0 };
		const read = readBrief({ ...kept, input: [], document: 'x', sources: {} });
		expect(read).toEqual({ ...nothing, ...kept, ...texts, ...others });
	});

	test.each([
		...['.', '..', '.x', '../licences', '..%2Flicences', 'a/b', 'a\\b', 'a?b', 'a#b', 'a b', 'a\n'],
	])('refuses the ID %j, which could lead elsewhere', (id) => {
		const reason = 'has an ID that no brief can have';
		expect(() => readBrief({ id, status: 'ready' })).toThrow(reason);
		expect(() => readBriefPage({ data: [{ id, status: 'ready' }] })).toThrow(reason);
	});

	test('reads a number as ID', () => {
		const { data } = readBriefPage({ data: [{ ...brief, id: 4711 }] });
		expect(data).toMatchObject([{ id: '4711' }]);
		expect(readBriefWithId('4711', { ...brief, id: 4711 }).id).toBe('4711');
	});

	test('reads an empty finished_at as null', () => {
		expect(readBrief({ id: 'b1', status: 'new', finished_at: '' }).finished_at).toBeNull();
	});

	test.each([
		[{}, 'it has no ID'],
		[{ id: '', status: 'ready' }, 'it has no ID'],
		[{ id: 2 ** 53, status: 'ready' }, 'it has no ID'],
		[{ id: 'b1' }, 'it has no status'],
		[[], 'it is not an object'],
		[null, 'it is not an object'],
		['ready', 'it is not an object'],
	])('reads no brief from %j, because %s', (body, reason) => {
		expect(() => readBrief(body)).toThrow(reason);
	});

	test('refuses a brief with another ID', () => {
		expect(readBriefWithId('b1', brief)).toMatchObject({ id: 'b1' });
		expect(() => readBriefWithId('b2', brief)).toThrow('it is brief b1, not b2');
	});

	test.each([readBriefPage, readHookList, readLicences])(
		'refuses a body without a list: %p',
		(read) => {
			expect(() => read([])).toThrow(new UnexpectedBody('it is not an object'));
			expect(() => read({})).toThrow(new UnexpectedBody('it has no list “data”'));
		},
	);

	test('reads a page of briefs and its cursor', () => {
		const page = (next_cursor?: unknown) => readBriefPage({ data: [brief], next_cursor });
		expect(page('c1')).toEqual({ data: [brief], next_cursor: 'c1' });
		for (const none of [null, undefined, '', 7]) expect(page(none).next_cursor).toBeNull();
		expect(() => readBriefPage({ data: {} })).toThrow('it has no list “data”');
		const third = (item: unknown) => () => readBriefPage({ data: [brief, brief, item] });
		expect(third(7)).toThrow('item 3 of the list of briefs is not an object');
		expect(third({ status: 'ready' })).toThrow('item 3 of the list of briefs has no ID');
		expect(third({ id: 'b1' })).toThrow('item 3 of the list of briefs has no status');
	});

	test('reads licences, and licences with missing fields', () => {
		const licence = {
			product: 'creator-briefs',
			name: 'Creator Briefs',
			channels: ['web', 'api'],
			monthly_allowance: 50,
			used_this_month: 3,
			renews_or_ends_at: '2027-01-01',
		};
		expect(readLicences({ data: [{ ...licence, seats: 4 }] })).toEqual([{ ...licence, seats: 4 }]);
		const incomplete = { product: 'receipts', monthly_allowance: 0 };
		const unknown = { channels: [], used_this_month: 0, renews_or_ends_at: null };
		expect(readLicences({ data: [incomplete] })).toEqual([
			{ ...incomplete, name: 'receipts', ...unknown },
		]);
		// 1e999 is parsed as Infinity.
		for (const shown of ['"unlimited"', 'null', '1e999']) {
			const body = JSON.parse(`{"data":[{"product":"x","monthly_allowance":${shown}}]}`) as unknown;
			expect(readLicences(body)).toMatchObject([{ product: 'x', monthly_allowance: null }]);
		}
		expect(readLicences({ data: [{ product: 'x' }] })).toMatchObject([{ monthly_allowance: null }]);
	});

	test('reads hooks, and hooks with missing fields', () => {
		const hook = {
			id: 'h1',
			category: 'Fashion',
			video_id: 'v1',
			video_url: null,
			hook: 'Look!',
			angle: 'a',
			why_it_works: 'w',
			evidence: 'e',
			views: 1,
			units_sold: 2.5,
			gmv_usd: 3,
			metric_window_days: 7,
			is_ad: false,
			observed_at: '2026-11-20',
		};
		const list = { data: [hook], refreshed_at: '2026-11-20' };
		expect(readHookList(list)).toEqual(list);
		const nothing = Object.fromEntries(Object.keys(hook).map((name) => [name, null]));
		const texts = { id: 'h2', category: '', video_id: '', hook: '' };
		expect(readHookList({ data: [{ id: 'h2', views: 'many', is_ad: 'no' }] })).toEqual({
			data: [{ ...nothing, ...texts }],
			refreshed_at: null,
		});
	});

	test('returns a value or throws an error with a reason for any JSON', () => {
		const readers = [readBrief, readBriefPage, readHookList, readLicences];
		fc.assert(
			fc.property(fc.constantFrom(...readers), fc.jsonValue(), (read, body) => {
				try {
					read(body);
				} catch (error) {
					expect((error as Error).message).toMatch(/has no |not an object/);
				}
			}),
		);
	});
});
