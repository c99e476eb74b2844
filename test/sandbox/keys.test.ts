import { benches, uuidOf } from '../support/sandbox/bench';

const start = benches();
const operations = [
	['GET', '/licences'],
	['GET', '/briefs'],
	['POST', '/briefs'],
	['GET', `/briefs/${uuidOf(1)}`],
	['GET', '/content-iq/hooks'],
] as const;

const body = (method: string) => (method === 'POST' ? { body: { product_name: 'A lamp' } } : {});

describe('keys', () => {
	it.each([
		['no key', null, 401, 'unauthorized'],
		['a revoked key', 'revoked', 401, 'unauthorized'],
		['a key without a Business licence', 'noLicence', 403, 'licence_required'],
	] as const)('every operation refuses %s', async (_, key, status, code) => {
		const bench = await start();
		for (const [method, path] of operations) {
			const reply = await bench.ask(method, path, { key, ...body(method) });
			expect([path, reply.status, reply.body.error.code]).toEqual([path, status, code]);
		}
	});

	it.each(['Bearer nobody', 'Basic sandbox-all-scopes', 'sandbox-all-scopes', 'Bearer '])(
		'"%s" is not a key',
		async (authorization) => {
			const bench = await start();
			const reply = await bench.get('/briefs', {
				key: null,
				headers: { Authorization: authorization },
			});
			expect(reply.status).toBe(401);
		},
	);

	it('the read-only key reads everything and creates nothing', async () => {
		const bench = await start();
		const statuses = [];
		for (const path of ['/licences', '/briefs', '/content-iq/hooks']) {
			statuses.push((await bench.get(path, { key: 'readOnly' })).status);
		}
		expect(statuses).toEqual([200, 200, 200]);
		const refused = await bench.create('A lamp', { key: 'readOnly' });
		expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_scope']);
		expect(bench.sandbox.createdCount()).toBe(0);
	});

	it('the key without products:read lists no licences, and works with briefs and hooks', async () => {
		const bench = await start();
		const key = 'noProducts';
		expect((await bench.get('/licences', { key })).body.error.code).toBe('insufficient_scope');
		expect((await bench.create('A lamp', { key })).status).toBe(202);
		expect((await bench.get('/briefs', { key })).status).toBe(200);
		expect((await bench.get('/content-iq/hooks', { key })).status).toBe(200);
	});

	it('a brief of one workspace does not exist in another', async () => {
		const bench = await start();
		const { body: brief } = await bench.create();
		expect((await bench.get(`/briefs/${brief.id}`, { key: 'colleague' })).status).toBe(200);
		const other = await bench.get(`/briefs/${brief.id}`, { key: 'otherWorkspace' });
		expect([other.status, other.body.error.code]).toEqual([404, 'not_found']);
		expect((await bench.get('/briefs', { key: 'otherWorkspace' })).body.data).toEqual([]);
	});

	it('a key can be revoked and restored while the sandbox runs', async () => {
		const bench = await start();
		bench.sandbox.revoke('allScopes');
		expect((await bench.get('/briefs')).status).toBe(401);
		bench.sandbox.restore('allScopes');
		expect((await bench.get('/briefs')).status).toBe(200);
	});

	it('a bad key is reported before a bad request', async () => {
		const bench = await start();
		expect((await bench.create({}, { key: null })).status).toBe(401);
		expect((await bench.create({}, { key: 'readOnly' })).status).toBe(403);
	});
});
