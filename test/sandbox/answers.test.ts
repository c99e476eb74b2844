import { benches, MINUTE, START } from '../support/sandbox/bench';

const start = benches();

describe('an error', () => {
	it('has the shape of the specification, with a request_id of its own', async () => {
		const bench = await start();
		const one = await bench.get('/briefs/x');
		const two = await bench.get('/briefs/x');
		expect(Object.keys(one.body)).toEqual(['error']);
		expect(Object.keys(one.body.error)).toEqual(['code', 'message', 'details', 'request_id']);
		expect(one.body.error.request_id).toMatch(/^req_[0-9a-f]{12}$/);
		expect(one.body.error.request_id).not.toBe(two.body.error.request_id);
	});

	it.each([
		[
			'list',
			[{ in: 'query', field: 'limit', code: 'too_small', message: 'limit must be at least 1' }],
		],
		['object', { limit: ['limit must be at least 1'] }],
		['string', 'limit must be at least 1'],
		['none', undefined],
	] as const)('gives details as %s', async (detailsShape, details) => {
		const bench = await start({ detailsShape });
		const { body } = await bench.get('/briefs?limit=0');
		expect(body.error.details).toEqual(details);
	});

	it.each([
		['GET', '/brief'],
		['GET', '/briefs/'],
		['DELETE', '/briefs'],
		['PUT', '/licences'],
		['GET', '/../v2/briefs'],
		['GET', '/briefs/%zz'],
	])('is an error of the client for %s %s, which does not exist', async (method, path) => {
		const bench = await start();
		const { status, body } = await bench.ask(method, path);
		expect([400, 404]).toContain(status);
		expect(body.error.request_id).toBeTruthy();
	});
});

describe('timestamps', () => {
	it.each([
		['iso', '2026-01-12T10:00:00.000Z'],
		['iso-offset', '2026-01-12T02:00:00.000-08:00'],
		['epoch-seconds', START / 1000],
		['epoch-ms-string', String(START)],
		['rfc1123', 'Mon, 12 Jan 2026 10:00:00 GMT'],
	] as const)('are written as %s', async (timestamps, expected) => {
		const bench = await start({ timestamps });
		const { body } = await bench.create('One', { unchecked: true });
		expect(body.created_at).toBe(expected);
		bench.pass(6 * MINUTE);
		const listed = await bench.get('/briefs', { unchecked: true });
		expect(listed.body.data[0]?.['created_at']).toBe(expected);
		expect(typeof listed.body.data[0]?.['finished_at']).toBe(typeof expected);
		const hooks = await bench.get('/content-iq/hooks', { unchecked: true });
		expect(typeof hooks.body.refreshed_at).toBe(typeof expected);
	});
});

describe('unknown fields', () => {
	it('come with every answer when an option says so', async () => {
		const bench = await start({ unknownFields: true });
		const created = await bench.create('One', { unchecked: true });
		const listed = await bench.get('/briefs', { unchecked: true });
		const licences = await bench.get('/licences', { unchecked: true });
		const hooks = await bench.get('/content-iq/hooks', { unchecked: true });
		const error = await bench.get('/nowhere', { unchecked: true });
		for (const part of [
			created.body,
			listed.body,
			listed.body.data[0],
			licences.body.data[0],
			hooks.body.data[0],
			error.body,
			error.body.error,
		]) {
			expect(part).toHaveProperty('x_experiment');
		}
	});
});

describe('the request log', () => {
	it('tells what came, from whom and what it was about', async () => {
		const bench = await start();
		const { body } = await bench.create('One', {
			key: 'colleague',
			headers: { 'Idempotency-Key': '00000000-0000-4000-8000-000000000001' },
		});
		await bench.get(`/briefs/${body.id}`);
		await bench.get('/briefs?limit=5&status=ready', { key: null });
		const shared = { host: bench.sandbox.url.slice(7, -3), sandboxAt: START, fault: null };
		expect(bench.sandbox.requests).toMatchObject([
			{
				...shared,
				method: 'POST',
				path: '/v1/briefs',
				operation: 'create_brief',
				status: 202,
				key: 'colleague',
				idempotencyKey: '00000000-0000-4000-8000-000000000001',
				briefId: body.id,
				authorised: true,
			},
			{ ...shared, operation: 'get_brief', status: 200, key: 'allScopes', briefId: body.id },
			{
				...shared,
				operation: 'list_briefs',
				query: { limit: '5', status: 'ready' },
				status: 401,
				key: null,
				authorised: false,
				briefId: null,
			},
		]);
		expect(Math.abs((bench.sandbox.requests[0]?.at ?? 0) - Date.now())).toBeLessThan(5000);
	});
});

describe('briefs of others', () => {
	it('appear as running, ready or failed', async () => {
		const bench = await start();
		bench.sandbox.addBrief({ product_name: 'Running' });
		bench.sandbox.addBrief({ product_name: 'Ready', status: 'ready' });
		bench.sandbox.addBrief({ product_name: 'Failed', status: 'failed', errorCode: 'timeout' });
		const { body } = await bench.get('/briefs');
		expect(body.data.map(({ product_name: name, status }) => [name, status])).toEqual([
			['Running', 'queued'],
			['Failed', 'failed'],
			['Ready', 'ready'],
		]);
		const failed = await bench.get(`/briefs/${String(body.data[1]?.['id'])}`);
		expect(failed.body.error_code).toBe('timeout');
		expect(bench.sandbox.createdCount()).toBe(0);
	});
});
