import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { markets } from '../../sandbox/market/categories';
import { type Bench, codeOf, START, startBench as start, uuidOf } from '../support/sandbox/bench';
import { DAY, HOUR, MINUTE } from '../support/time';

/** So many ready briefs: their IDs, the newest first. */
function filled(bench: Bench, count: number): string[] {
	const ids = Array.from({ length: count }, (_, number) => {
		const createdAt = bench.now - DAY + number;
		return bench.sandbox.addBrief({ status: 'ready', createdAt }).id;
	});
	return ids.reverse();
}

async function everyPage(bench: Bench, query: string): Promise<string[]> {
	const ids: string[] = [];
	let cursor: string | null = null;
	do {
		const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
		const { body } = await bench.get(`/briefs?${query}${next}`);
		ids.push(...body.data.map(({ id }) => String(id)));
		cursor = body.next_cursor;
	} while (cursor !== null);
	return ids;
}

describe('list_briefs', () => {
	it('gives 20 a page, newest first, and all of them over the pages', async () => {
		const bench = await start();
		expect((await bench.get('/briefs')).body).toEqual({ data: [], next_cursor: null });
		const ids = filled(bench, 25);
		expect((await bench.get('/briefs')).body.data).toHaveLength(20);
		for (const limit of [1, 20, 24, 25]) {
			expect(await everyPage(bench, `limit=${limit}`)).toEqual(ids);
		}
		expect((await bench.get('/briefs?limit=25')).body.next_cursor).toBeNull();
	});

	it('gives no cursor for another filter or workspace, nor for ever', async () => {
		const bench = await start({ cursorMemoryMs: HOUR });
		filled(bench, 3);
		const cursor = String((await bench.get('/briefs?limit=1')).body.next_cursor);
		expect(cursor.length).toBeLessThanOrEqual(200);
		const statusWith = async (more = '', key: 'allScopes' | 'otherWorkspace' = 'allScopes') =>
			(await bench.get(`/briefs?cursor=${cursor}${more}`, { key })).status;
		expect([await statusWith('&status=ready'), await statusWith('', 'otherWorkspace')]).toEqual([
			400, 400,
		]);
		bench.pass(HOUR - 1);
		expect(await statusWith()).toBe(200);
		bench.pass(1);
		expect(await statusWith()).toBe(400);
	});

	it('shows a new brief later if it lags, while get_brief knows it at once', async () => {
		const bench = await start({ listLagMs: 5000 });
		const { body } = await bench.create('One');
		expect((await bench.get('/briefs')).body.data).toEqual([]);
		expect((await bench.get(`/briefs/${body.id}`)).status).toBe(200);
		bench.pass(5000);
		expect((await bench.get('/briefs')).body.data).toHaveLength(1);
	});
});

describe('list_licences', () => {
	it('lists the four tools, with channels and allowance', async () => {
		const bench = await start({ allowance: 40 });
		const { body } = await bench.get('/licences');
		const products = ['creator-briefs', 'seller-advisor', 'content-iq', 'receipts'];
		expect(body.data.map(({ product }) => product)).toEqual(products);
		expect(body.data[0]).toMatchObject({
			channels: ['web', 'api', 'mcp'],
			monthly_allowance: 40,
			used_this_month: 0,
			renews_or_ends_at: '2027-01-01T00:00:00.000Z',
		});
		expect((await bench.get('/licences?limit=1')).status).toBe(400);
	});

	it.each([
		[{ usedThisMonth: 'true-count' }, { used_this_month: 1 }],
		[{ usedThisMonth: 'zero' }, { used_this_month: 0 }],
		[{ shownAllowance: 'minus-one' }, { monthly_allowance: -1 }],
	] as const)('shows the licence for briefs as options say: %j', async (options, shown) => {
		const bench = await start(options);
		await bench.create();
		const { body } = await bench.get('/licences', { unchecked: true });
		expect(body.data[0]).toMatchObject(shown);
	});

	it.each([
		['no-api-channel', ['web']],
		['missing', undefined],
	] as const)('with the licence %s, briefs give 403 and hooks go on', async (licence, channels) => {
		const bench = await start({ licence });
		const { body } = await bench.get('/licences');
		const briefs = body.data.find(({ product }) => product === 'creator-briefs');
		expect(briefs?.['channels']).toEqual(channels);
		for (const reply of [await bench.create(), await bench.get('/briefs')]) {
			expect(codeOf(reply)).toBe('403 licence_required');
		}
		expect((await bench.get('/content-iq/hooks')).status).toBe(200);
	});

	it('counts the requests for hooks if they use ContentIQ’s allowance, up to a 429', async () => {
		const bench = await start({ contentIqAllowance: 1 });
		const hooks = async () => codeOf(await bench.get('/content-iq/hooks'));
		expect([await hooks(), await hooks()]).toEqual(['200', '429 allowance_exceeded']);
		const { data } = (await bench.get('/licences')).body;
		const used = { monthly_allowance: 1, used_this_month: 1 };
		expect(data.find(({ product }) => product === 'content-iq')).toMatchObject(used);
		bench.setTime(Date.UTC(2026, 1, 1));
		expect(await hooks()).toBe('200');
	});
});

describe('list_hooks', () => {
	const path = '/content-iq/hooks?limit=80';
	const hooksOf = async (bench: Bench, query = '') =>
		(await bench.get(`${path}${query}`)).body.data;

	it('gives 30, and up to 80, one entry per video', async () => {
		const bench = await start();
		expect((await bench.get('/content-iq/hooks')).body.data).toHaveLength(30);
		const videos = (await hooksOf(bench)).map((hook) => hook['video_id']);
		expect([videos.length, new Set(videos).size]).toEqual([80, 80]);
	});

	it('knows hooks of every category', async () => {
		const bench = await start();
		for (const { category } of markets) {
			const found = await hooksOf(bench, `&category=${encodeURIComponent(category)}`);
			expect(found.length).toBeGreaterThan(25);
			expect(new Set(found.map((hook) => hook['category']))).toEqual(new Set([category]));
		}
	});

	it.each([
		['views', 'views', Number],
		['units_sold', 'units_sold', Number],
		['newest', 'observed_at', (time: unknown) => Date.parse(String(time))],
	])('sorts by %s, strongest first', async (sort, field, toNumber) => {
		const bench = await start();
		const found = (await hooksOf(bench, `&sort=${sort}`)).map((hook) =>
			toNumber(hook[field] ?? -1),
		);
		expect(found).toEqual([...found].sort((one, other) => other - one));
		expect(await hooksOf(bench)).toEqual(await hooksOf(bench, '&sort=score'));
		expect(await hooksOf(bench)).not.toEqual(await hooksOf(bench, `&sort=${sort}`));
	});

	it('finds words in hook and angle', async () => {
		const bench = await start();
		const found = await hooksOf(bench, '&q=CONFESSION+grown');
		expect(found.length).toBeGreaterThan(0);
		for (const { hook, angle } of found) {
			expect(JSON.stringify([hook, angle])).toMatch(/confession/i);
		}
		expect(await hooksOf(bench, '&q=zebra')).toEqual([]);
	});

	it('is the same all day; at six there are new ones, and most stay with higher numbers', async () => {
		const bench = await start();
		const before = (await bench.get(path)).body;
		expect(before.refreshed_at).toBe('2026-01-12T06:00:00.000Z');
		bench.setTime(Date.UTC(2026, 0, 13, 6) - 1);
		expect((await bench.get(path)).body).toEqual(before);
		bench.pass(1);
		const after = (await bench.get(path)).body;
		expect(after.refreshed_at).toBe('2026-01-13T06:00:00.000Z');
		const views = new Map(before.data.map((hook) => [hook['id'], Number(hook['views'])]));
		const kept = after.data.filter((hook) => views.has(hook['id']));
		expect(kept.length).toBeGreaterThan(55);
		expect(kept.length).toBeLessThan(80);
		const grown = kept.filter((hook) => Number(hook['views']) > views.get(hook['id'])!);
		expect(grown.length).toBeGreaterThan(50);
	});
});

it.each([
	...['briefs?limit=0', 'briefs?limit=101', 'briefs?limit=x', 'briefs?limit=', 'briefs?limit=1.5'],
	...['briefs?status=done', 'briefs?status=ready&status=failed', 'briefs?page=2'],
	...[`briefs?cursor=${'a'.repeat(201)}`, 'content-iq/hooks?limit=81', 'content-iq/hooks?limit=0'],
	...['content-iq/hooks?sort=best', 'content-iq/hooks?category=Toys', 'content-iq/hooks?cursor=a'],
	`content-iq/hooks?q=${'a'.repeat(81)}`,
])('a list refuses %s', async (path) => {
	const bench = await start();
	const reply = await bench.get(`/${path}`);
	expect(codeOf(reply)).toBe('400 invalid_request');
	const [, field] = /\?(\w+)/.exec(path)!;
	expect(reply.body.error.details).toContainEqual(expect.objectContaining({ in: 'query', field }));
});

describe('keys', () => {
	const operations = [
		['GET', '/licences', {}],
		['GET', '/briefs', {}],
		['POST', '/briefs', { body: { product_name: 'A lamp' } }],
		['GET', `/briefs/${uuidOf(1)}`, {}],
		['GET', '/content-iq/hooks', {}],
	] as const;
	const all = (one: string) => Array(5).fill(one) as string[];
	const [scope, other] = ['403 insufficient_scope', '404 not_found'];

	it.each([
		[null, all('401 unauthorized')],
		['revoked', all('401 unauthorized')],
		['noLicence', all('403 licence_required')],
		['readOnly', ['200', '200', scope, other, '200']],
		['noProducts', [scope, '200', '202', other, '200']],
	] as const)('decide what is answered: %s', async (key, expected) => {
		const bench = await start();
		const answers: string[] = [];
		for (const [method, path, more] of operations) {
			answers.push(codeOf(await bench.ask(method, path, { key, ...more })));
		}
		expect(answers).toEqual(expected);
		const created = answers.filter((answer) => answer === '202');
		expect(bench.sandbox.createdCount()).toBe(created.length);
	});

	it.each(['Bearer nobody', 'Basic sandbox-all-scopes', 'sandbox-all-scopes', 'Bearer '])(
		'"%s" is none',
		async (Authorization) => {
			const bench = await start();
			const reply = await bench.get('/briefs', { key: null, headers: { Authorization } });
			expect(reply.status).toBe(401);
		},
	);

	it('of another workspace do not see a brief', async () => {
		const bench = await start();
		const { id } = (await bench.create()).body;
		expect((await bench.get(`/briefs/${id}`, { key: 'colleague' })).status).toBe(200);
		const key = 'otherWorkspace';
		expect(codeOf(await bench.get(`/briefs/${id}`, { key }))).toBe('404 not_found');
		expect((await bench.get('/briefs', { key })).body.data).toEqual([]);
	});
});

describe('an answer', () => {
	it('with an error has the shape of the specification, with a request_id of its own', async () => {
		const bench = await start();
		const [one, two] = [await bench.get('/briefs/x'), await bench.get('/briefs/x')];
		expect(Object.keys(one.body)).toEqual(['error']);
		expect(Object.keys(one.body.error)).toEqual(['code', 'message', 'details', 'request_id']);
		expect(one.body.error.request_id).toMatch(/^req_[0-9a-f]{12}$/);
		expect(one.body.error.request_id).not.toBe(two.body.error.request_id);
	});

	it.each([
		['iso', '2026-01-12T10:00:00.000Z'],
		['iso-offset', '2026-01-12T02:00:00.000-08:00'],
		['epoch-seconds', START / 1000],
		['epoch-ms-string', String(START)],
		['rfc1123', 'Mon, 12 Jan 2026 10:00:00 GMT'],
	] as const)('writes times as %s', async (timestamps, expected) => {
		const bench = await start({ timestamps });
		const { body } = await bench.create('One', { unchecked: true });
		expect(body.created_at).toBe(expected);
		bench.pass(6 * MINUTE);
		const listed = (await bench.get('/briefs', { unchecked: true })).body.data[0];
		expect(listed?.['created_at']).toBe(expected);
		const hooks = (await bench.get('/content-iq/hooks', { unchecked: true })).body;
		for (const time of [listed?.['finished_at'], hooks.refreshed_at]) {
			expect(typeof time).toBe(typeof expected);
		}
	});

	it('has unknown fields if an option says so', async () => {
		const bench = await start({ unknownFields: true });
		const created = (await bench.create('One', { unchecked: true })).body;
		const get = async (path: string) => (await bench.get(path, { unchecked: true })).body;
		const lists = [await get('/briefs'), await get('/licences'), await get('/content-iq/hooks')];
		const failed = await get('/nowhere');
		const parts = [created, ...lists, ...lists.map(({ data }) => data[0]), failed, failed.error];
		for (const part of parts) expect(part).toHaveProperty('x_experiment');
	});
});

it('the request log shows what came, from whom and what it was about', async () => {
	const bench = await start();
	const idempotencyKey = uuidOf(1);
	const headers = { 'Idempotency-Key': idempotencyKey };
	const { body } = await bench.create('One', { key: 'colleague', headers });
	await bench.get(`/briefs/${body.id}`);
	await bench.get('/briefs?limit=5&status=ready', { key: null });
	const shared = { host: bench.sandbox.url.slice(7, -3), sandboxAt: START, fault: null };
	const create = { method: 'POST', path: '/v1/briefs', operation: 'create_brief', status: 202 };
	const refused = { status: 401, key: null, authorised: false, briefId: null };
	expect(bench.sandbox.requests).toMatchObject([
		{ ...shared, ...create, key: 'colleague', idempotencyKey, briefId: body.id, authorised: true },
		{ ...shared, operation: 'get_brief', status: 200, key: 'allScopes', briefId: body.id },
		{ ...shared, operation: 'list_briefs', query: { limit: '5', status: 'ready' }, ...refused },
	]);
});

describe('the OpenAPI document', () => {
	it('passes the recommended rules of Redocly without an error or a warning', () => {
		// The linter is an ES module, which jest cannot load: Node runs it.
		const script = `
			const { createConfig, lint } = await import('@redocly/openapi-core');
			const config = await createConfig({ extends: ['recommended'] });
			const problems = await lint({ ref: process.argv[1], config });
			console.log(JSON.stringify(problems.map(({ ruleId, message }) => ruleId + ': ' + message)));`;
		const document = join(__dirname, '../../sandbox/openapi.yaml');
		const args = ['--input-type=module', '--eval', script, document];
		const output = execFileSync(process.execPath, args, { encoding: 'utf8', cwd: __dirname });
		expect(JSON.parse(output)).toEqual([]);
	}, 20_000);
});
