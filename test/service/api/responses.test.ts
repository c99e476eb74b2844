import fc from 'fast-check';
import {
	NotOfTheService,
	readBrief,
	readBriefOf,
	readBriefPage,
	readHookList,
	readLicences,
} from '../../../service/api/responses';

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

describe('what is read from an answer', () => {
	test('a whole brief comes through as it is, with fields that are new', () => {
		expect(readBrief({ ...full, mood: 'fine' })).toEqual({ ...full, mood: 'fine' });
	});

	test('fields that are missing or of another kind become empty, and nothing is made up', () => {
		const nothing = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
		const kept = { id: 'b1', status: 'queued' };
		const texts = { product_name: '', url: '', created_at: '', updated_at: '' };
		const parts = { input: {}, sources: [], warnings: [], revision: 0 };
		const read = readBrief({ ...kept, input: [], document: 'x', sources: {} });
		expect(read).toEqual({ ...nothing, ...kept, ...texts, ...parts });
	});

	test.each([
		...['.', '..', '.x', '../licences', '..%2Flicences', 'a/b', 'a\\b', 'a?b', 'a#b', 'a b', 'a\n'],
	])('an ID that could lead elsewhere is refused: %j', (id) => {
		const why = 'has an ID that no brief can have';
		expect(() => readBrief({ id, status: 'ready' })).toThrow(why);
		expect(() => readBriefPage({ data: [{ id, status: 'ready' }] })).toThrow(why);
	});

	test('an ID that is a number is read as text', () => {
		const { data } = readBriefPage({ data: [{ ...brief, id: 4711 }] });
		expect(data).toMatchObject([{ id: '4711' }]);
		expect(readBriefOf('4711', { ...brief, id: 4711 }).id).toBe('4711');
	});

	test('an empty finished_at is no end', () => {
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
	])('a brief cannot be read from %j, because %s', (body, why) => {
		expect(() => readBrief(body)).toThrow(why);
	});

	test('the brief that was asked for is taken, however its ID is written, and no other', () => {
		expect(readBriefOf('b1', brief)).toMatchObject({ id: 'b1' });
		expect(() => readBriefOf('b2', brief)).toThrow('it is brief b1, not b2');
	});

	test.each([readBriefPage, readHookList, readLicences])(
		'a list cannot be read from an answer that is none: %p',
		(read) => {
			expect(() => read([])).toThrow(new NotOfTheService('it is not an object'));
			expect(() => read({})).toThrow(new NotOfTheService('it has no list “data”'));
		},
	);

	test('a page of briefs, and its cursor', () => {
		const page = (next_cursor?: unknown) => readBriefPage({ data: [brief], next_cursor });
		expect(page('c1')).toEqual({ data: [brief], next_cursor: 'c1' });
		for (const none of [null, undefined, '', 7]) expect(page(none).next_cursor).toBeNull();
		expect(() => readBriefPage({ data: {} })).toThrow('it has no list “data”');
		const third = (item: unknown) => () => readBriefPage({ data: [brief, brief, item] });
		expect(third(7)).toThrow('item 3 of the list of briefs is not an object');
		expect(third({ status: 'ready' })).toThrow('item 3 of the list of briefs has no ID');
		expect(third({ id: 'b1' })).toThrow('item 3 of the list of briefs has no status');
	});

	test('licences', () => {
		const licence = {
			product: 'creator-briefs',
			name: 'Creator Briefs',
			channels: ['web', 'api'],
			monthly_allowance: 50,
			used_this_month: 3,
			renews_or_ends_at: '2027-01-01',
		};
		expect(readLicences({ data: [{ ...licence, seats: 4 }] })).toEqual([{ ...licence, seats: 4 }]);
		const little = { product: 'receipts', monthly_allowance: 0 };
		const unknown = { channels: [], used_this_month: 0, renews_or_ends_at: null };
		expect(readLicences({ data: [little] })).toEqual([{ ...little, name: 'receipts', ...unknown }]);
		// The last is a number that is too large to be one.
		for (const shown of ['"unlimited"', 'null', '1e999']) {
			const body = JSON.parse(`{"data":[{"product":"x","monthly_allowance":${shown}}]}`) as unknown;
			expect(readLicences(body)).toMatchObject([{ product: 'x', monthly_allowance: null }]);
		}
		expect(readLicences({ data: [{ product: 'x' }] })).toMatchObject([{ monthly_allowance: null }]);
	});

	test('hooks', () => {
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

	test('of anything at all: a value or an Error with a sentence, nothing else', () => {
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
