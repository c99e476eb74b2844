import { markets } from '../../sandbox/writing/markets';
import {
	describeReply,
	makeUuid,
	START,
	startTestApi,
	type TestApi,
} from '../support/sandbox/test-api';

describe('list_licences', () => {
	test('returns the four tools, with channels and allowance', async () => {
		const api = await startTestApi({ allowance: 40 });
		const { body } = await api.get('/licences');
		const products = ['creator-briefs', 'seller-advisor', 'content-iq', 'receipts'];
		expect(body.data.map(({ product }) => product)).toEqual(products);
		expect(body.data[0]).toMatchObject({
			channels: ['web', 'api', 'mcp'],
			monthly_allowance: 40,
			used_this_month: 0,
			renews_or_ends_at: '2027-01-01T00:00:00.000Z',
		});
	});

	test.each([
		['true-count', 1],
		['zero', 0],
	] as const)('shows the use of the month with usedThisMonth: %s', async (usedThisMonth, used) => {
		const api = await startTestApi({ usedThisMonth });
		api.sandbox.addBrief({ status: 'ready', createdAt: Date.UTC(2025, 11, 31) });
		await api.create();
		const { body } = await api.get('/licences');
		expect(body.data[0]).toMatchObject({ used_this_month: used });
	});
});

describe('list_hooks', () => {
	const path = '/content-iq/hooks?limit=80';
	const getHooks = async (api: TestApi, query = '') => (await api.get(`${path}${query}`)).body.data;

	test('returns 30 hooks, and up to 80, one entry for each video', async () => {
		const api = await startTestApi();
		expect((await api.get('/content-iq/hooks')).body.data).toHaveLength(30);
		const hooks = await getHooks(api);
		expect(hooks).toHaveLength(80);
		for (const field of ['video_id', 'hook']) {
			expect(new Set(hooks.map((hook) => hook[field])).size).toBe(80);
		}
		expect(JSON.stringify(hooks)).not.toMatch(/\{\w+\}/);
	});

	test('filters by category', async () => {
		const api = await startTestApi();
		for (const { category } of markets) {
			const hooks = await getHooks(api, `&category=${encodeURIComponent(category)}`);
			expect(hooks.length).toBeGreaterThan(25);
			expect(new Set(hooks.map((hook) => hook['category']))).toEqual(new Set([category]));
		}
	});

	test.each([
		['views', 'views', Number],
		['units_sold', 'units_sold', Number],
		['newest', 'observed_at', (time: unknown) => Date.parse(String(time))],
	])('sorts by %s, strongest first, and by score without sort', async (sort, field, toNumber) => {
		const api = await startTestApi();
		const sorted = await getHooks(api, `&sort=${sort}`);
		const values = sorted.map((hook) => toNumber(hook[field] ?? -1));
		expect(values).toEqual([...values].sort((one, other) => other - one));
		expect(await getHooks(api)).toEqual(await getHooks(api, '&sort=score'));
		expect(await getHooks(api)).not.toEqual(sorted);
	});

	test('finds words in hook and angle', async () => {
		const api = await startTestApi();
		const hooks = await getHooks(api, '&q=CONFESSION+grown');
		expect(hooks.length).toBeGreaterThan(0);
		for (const { hook, angle } of hooks) {
			expect([hook, angle].join(' ')).toMatch(/grown.*confession/i);
		}
		expect(await getHooks(api, '&q=zebra')).toEqual([]);
	});

	test('changes once a day at six: some videos are replaced, and the others have higher numbers', async () => {
		const api = await startTestApi();
		const before = (await api.get(path)).body;
		expect(before.refreshed_at).toBe('2026-01-12T06:00:00.000Z');
		api.setTime(Date.UTC(2026, 0, 13, 6) - 1);
		expect((await api.get(path)).body).toEqual(before);
		api.pass(1);
		const after = (await api.get(path)).body;
		expect(after.refreshed_at).toBe('2026-01-13T06:00:00.000Z');
		const views = new Map(before.data.map((hook) => [hook['id'], Number(hook['views'])]));
		const kept = after.data.filter((hook) => views.has(hook['id']));
		expect(kept.length).toBeGreaterThan(55);
		expect(kept.length).toBeLessThan(80);
		const grown = kept.filter((hook) => Number(hook['views']) > views.get(hook['id'])!);
		expect(grown.length).toBeGreaterThan(50);
	});
});

test.each([
	...['briefs?limit=0', 'briefs?limit=101', 'briefs?limit=x', 'briefs?limit=', 'briefs?limit=1.5'],
	...['briefs?status=done', 'briefs?status=ready&status=failed', 'briefs?page=2'],
	...[`briefs?cursor=${'a'.repeat(201)}`, 'briefs?cursor=a', 'licences?limit=1'],
	...['content-iq/hooks?limit=0', 'content-iq/hooks?limit=81', 'content-iq/hooks?cursor=a'],
	...['content-iq/hooks?sort=best', 'content-iq/hooks?category=Toys'],
	`content-iq/hooks?q=${'a'.repeat(81)}`,
])('a list refuses %s', async (path) => {
	const api = await startTestApi();
	const reply = await api.get(`/${path}`);
	expect(describeReply(reply)).toBe('400 invalid_request');
	const [, field] = /\?(\w+)/.exec(path)!;
	expect(reply.body.error.details).toContainEqual(expect.objectContaining({ in: 'query', field }));
});

describe('a key', () => {
	const requests = [
		['GET', '/licences'],
		['GET', '/briefs'],
		['POST', '/briefs'],
		['GET', `/briefs/${makeUuid(1)}`],
		['GET', '/content-iq/hooks'],
	] as const;
	const [scope, missing] = ['403 insufficient_scope', '404 not_found'];

	test.each([
		[null, Array(5).fill('401 unauthorized')],
		['revoked', Array(5).fill('401 unauthorized')],
		['noLicence', Array(5).fill('403 licence_required')],
		['readOnly', ['200', '200', scope, missing, '200']],
		['noProducts', [scope, '200', '202', missing, '200']],
	] as const)('decides what is answered: %s', async (key, expected) => {
		const api = await startTestApi();
		const codes: string[] = [];
		for (const [method, path] of requests) {
			const body = method === 'POST' ? '{"product_name":"Lamp"}' : undefined;
			codes.push(describeReply(await api.send(method, path, { key, body })));
		}
		expect(codes).toEqual(expected);
		expect(api.sandbox.createdCount()).toBe(codes.filter((code) => code === '202').length);
	});

	test.each(['Bearer unknown', 'Basic sandbox-all-scopes', 'sandbox-all-scopes', 'Bearer '])(
		'is missing in the header "%s"',
		async (Authorization) => {
			const api = await startTestApi();
			const reply = await api.get('/briefs', { key: null, headers: { Authorization } });
			expect(reply.status).toBe(401);
		},
	);

	test('gets 401 after it was revoked', async () => {
		const api = await startTestApi();
		api.sandbox.revoke('allScopes');
		expect(describeReply(await api.get('/briefs'))).toBe('401 unauthorized');
	});
});

test('an error has the form of docs/api.md section 7, with a new request ID', async () => {
	const api = await startTestApi();
	const [one, two] = [await api.get('/briefs/x'), await api.get('/briefs/x')];
	expect(Object.keys(one.body)).toEqual(['error']);
	expect(Object.keys(one.body.error)).toEqual(['code', 'message', 'details', 'request_id']);
	expect(one.body.error.request_id).toMatch(/^req_[0-9a-f]{12}$/);
	expect(one.body.error.request_id).not.toBe(two.body.error.request_id);
});

test('an address without an operation gets 404', async () => {
	const { sandbox } = await startTestApi();
	const headers = { Authorization: `Bearer ${sandbox.keys.allScopes}` };
	for (const path of ['/nothing', '/briefs/']) {
		expect((await fetch(sandbox.url + path, { headers })).status).toBe(404);
	}
});

test('the request log has each request with its key and its brief', async () => {
	const api = await startTestApi();
	const { id } = (await api.create()).body;
	await api.get(`/briefs/${id}`);
	await api.get('/briefs?limit=5&status=ready', { key: null });
	const shared = { sandboxAt: START, fault: null, key: 'allScopes' };
	const create = { method: 'POST', path: '/v1/briefs', operation: 'create_brief', status: 202 };
	const query = { limit: '5', status: 'ready' };
	expect(api.sandbox.requests).toMatchObject([
		{ ...shared, ...create, briefId: id },
		{ ...shared, operation: 'get_brief', status: 200, briefId: id },
		{ operation: 'list_briefs', query, status: 401, key: null, briefId: null },
	]);
});
