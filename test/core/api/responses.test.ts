import fc from 'fast-check';
import {
	readBrief,
	readBriefWithId,
	readBriefPage,
	readHookList,
	readLicences,
	UnexpectedBody,
} from '../../../core/api/responses';

const BRIEF = {
	id: 'b1',
	status: 'ready',
	product_name: 'Lamp',
	title: 'A lamp',
	url: 'https://a.example',
	created_at: '2026-11-20',
	updated_at: 1763640000,
	finished_at: '2026-11-20',
	input: { a: 1 },
	markdown: '# x',
	document: { b: 2 },
	sources: [1],
	warnings: ['w'],
	error_code: null,
	revision: 3,
};
const LICENCE = {
	product: 'creator-briefs',
	name: 'Creator Briefs',
	channels: ['web', 'api'],
	monthly_allowance: 50,
	used_this_month: 3,
	renews_or_ends_at: '2027-01-01',
};
const HOOK = {
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

function readLicence(item: unknown) {
	return readLicences({ data: [item] })[0];
}

function readHook(item: unknown) {
	return readHookList({ data: [item] }).data[0];
}

/** Returns the resource with null in all fields but the given. */
function withNulls(resource: object, fields: object): object {
	return { ...Object.fromEntries(Object.keys(resource).map((name) => [name, null])), ...fields };
}

test.each([
	['brief', readBrief, BRIEF],
	['licence', readLicence, LICENCE],
	['hook', readHook, HOOK],
])('keeps every field of a %s, and unknown fields', (_, read, item) => {
	expect(read({ ...item, mood: 'fine' })).toEqual({ ...item, mood: 'fine' });
});

const TEXTS = { product_name: '', url: '', created_at: '', updated_at: '' };
const LISTS = { input: {}, sources: [], warnings: [], revision: 0 };
test.each<[string, (item: unknown) => unknown, object, object, object]>([
	['brief', readBrief, { id: 'b1', status: 'new' }, BRIEF, { ...TEXTS, ...LISTS }],
	[
		'licence',
		readLicence,
		{ product: 'receipts' },
		LICENCE,
		{ name: 'receipts', channels: [], used_this_month: 0 },
	],
	['hook', readHook, { id: 'h2' }, HOOK, { category: '', video_id: '', hook: '' }],
])('reads missing fields of a %s as empty', (_, read, item, resource, empty) => {
	expect(read(item)).toEqual(withNulls(resource, { ...item, ...empty }));
});

test.each([
	...[{ input: [] }, { document: 'x' }, { sources: {} }, { title: 7 }, { finished_at: '' }],
	...[{ markdown: {} }, { revision: '1' }, { url: null }],
])('reads a field of another type as empty: %j', (field) => {
	const kept = { id: 'b1', status: 'new' };
	expect(readBrief({ ...kept, ...field })).toEqual(readBrief(kept));
});

test.each([
	// 1e999 is parsed as Infinity.
	...['{"monthly_allowance":"unlimited"}', '{"monthly_allowance":1e999}', '{}'],
])('reads the allowance of %s as unknown', (fields) => {
	const licence = { product: 'x', ...(JSON.parse(fields) as object) };
	expect(readLicence(licence)).toMatchObject({ monthly_allowance: null });
});

test('reads fields of another type in hooks as null', () => {
	expect(readHook({ id: 'h2', views: 'many', is_ad: 'no' })).toMatchObject({
		views: null,
		is_ad: null,
	});
});

test.each([
	...['.', '..', '.x', '../licences', '..%2Flicences', 'a/b', 'a\\b', 'a?b', 'a#b', 'a b', 'a\n'],
])('refuses the ID %j, which could lead elsewhere', (id) => {
	const reason = 'has an ID that no brief can have';
	expect(() => readBrief({ id, status: 'ready' })).toThrow(reason);
	expect(() => readBriefPage({ data: [{ id, status: 'ready' }] })).toThrow(reason);
});

test('reads a number as ID', () => {
	expect(readBriefWithId('4711', { ...BRIEF, id: 4711 }).id).toBe('4711');
});

test.each([
	[{}, 'it has no ID'],
	[{ id: '', status: 'ready' }, 'it has no ID'],
	[{ id: 2 ** 53, status: 'ready' }, 'it has no ID'],
	[{ id: 'b1' }, 'it has no status'],
	[{ ...BRIEF, id: 'b2' }, 'it is brief b2, not b1'],
	[[], 'it is not an object'],
	[null, 'it is not an object'],
	['ready', 'it is not an object'],
])('reads no brief b1 from %j, because %s', (body, reason) => {
	expect(() => readBriefWithId('b1', body)).toThrow(reason);
});

test.each([readBriefPage, readHookList, readLicences])(
	'refuses a body without a list: %p',
	(read) => {
		expect(() => read([])).toThrow(new UnexpectedBody('it is not an object'));
		for (const body of [{}, { data: {} }])
			expect(() => read(body)).toThrow(new UnexpectedBody('it has no list “data”'));
	},
);

test.each([
	[7, 'is not an object'],
	[{ status: 'ready' }, 'has no ID'],
	[{ id: 'b1' }, 'has no status'],
])('names the item of a list that cannot be read: %j %s', (item, reason) => {
	expect(() => readBriefPage({ data: [BRIEF, BRIEF, item] })).toThrow(
		`item 3 of the list of briefs ${reason}`,
	);
});

test('reads the cursor of a page and the time of a refresh', () => {
	expect(readBriefPage({ data: [], next_cursor: 'c1' }).next_cursor).toBe('c1');
	for (const next_cursor of [null, undefined, '', 7])
		expect(readBriefPage({ data: [], next_cursor }).next_cursor).toBeNull();
	expect(readHookList({ data: [], refreshed_at: '2026-11-20' }).refreshed_at).toBe('2026-11-20');
	expect(readHookList({ data: [] }).refreshed_at).toBeNull();
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
