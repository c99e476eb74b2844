import { benches, MINUTE, START, uuidOf } from '../support/sandbox/bench';

const start = benches();
const REWRITTEN = 'In the words of the service';

function fields(details: unknown): string[] {
	return (details as { field: string }[]).map(({ field }) => field).sort();
}

describe('create_brief', () => {
	it('answers 202 at once with the whole brief, queued', async () => {
		const bench = await start();
		const input = { product_name: 'Glow Serum', campaign_terms: '20 %' };
		const { status, body } = await bench.create(input);
		expect(status).toBe(202);
		expect(body).toMatchObject({
			status: 'queued',
			product_name: 'Glow Serum',
			title: null,
			finished_at: null,
			markdown: null,
			document: null,
			sources: [],
			warnings: [],
			error_code: null,
			revision: 1,
			input,
			created_at: new Date(START).toISOString(),
		});
	});

	it('reports every problem of a body at once', async () => {
		const bench = await start();
		const { status, body } = await bench.create({
			product_name: 'x',
			product_id: '12',
			audience: 'a'.repeat(1501),
			objective: 'a'.repeat(1501),
			approved_facts: 'a'.repeat(10_001),
			campaign_terms: 'a'.repeat(3001),
			creative_direction: 'a'.repeat(3001),
			reference_urls: ['https://ok.example', 'http://plain.example', 'no link'],
			idempotency_key: 'not a uuid',
			colour: 'red',
		});
		expect([status, body.error.code]).toEqual([400, 'invalid_request']);
		expect([...new Set(fields(body.error.details))]).toEqual([
			'approved_facts',
			'audience',
			'campaign_terms',
			'colour',
			'creative_direction',
			'idempotency_key',
			'objective',
			'product_id',
			'product_name',
			'reference_urls.1',
			'reference_urls.2',
		]);
		expect(bench.sandbox.createdCount()).toBe(0);
	});

	it('takes every field at its limit', async () => {
		const bench = await start();
		const { status } = await bench.create({
			product_name: '😀'.repeat(180),
			product_id: '1'.repeat(40),
			audience: 'a'.repeat(1500),
			objective: 'a'.repeat(1500),
			approved_facts: 'a'.repeat(10_000),
			campaign_terms: 'a'.repeat(3000),
			creative_direction: 'a'.repeat(3000),
			reference_urls: Array.from({ length: 8 }, (_, index) => `https://ok.example/${index}`),
			idempotency_key: uuidOf(1),
		});
		expect(status).toBe(202);
	});

	it.each([
		['no body', undefined, ['']],
		['a list', '[]', ['']],
		['null', 'null', ['']],
		['half a JSON text', '{"product_name": "Lam', ['']],
		['a number as product name', '{"product_name": 12}', ['product_name']],
		['a number as product_id', '{"product_name": "Lamp", "product_id": 123456}', ['product_id']],
		[
			'one link too many',
			JSON.stringify({ product_name: 'Lamp', reference_urls: Array(9).fill('https://a.example') }),
			['reference_urls'],
		],
		['no product name', '{}', ['product_name']],
	])('refuses %s', async (_, rawBody, expected) => {
		const bench = await start();
		const reply = await bench.ask(
			'POST',
			'/briefs',
			rawBody === undefined ? { headers: { 'Content-Type': 'application/json' } } : { rawBody },
		);
		expect(reply.status).toBe(400);
		expect([...new Set(fields(reply.body.error.details))]).toEqual(expected);
	});

	it('refuses a body that is not declared as JSON, and one that is far too big', async () => {
		const bench = await start();
		const typed = await bench.create('A lamp', { headers: { 'Content-Type': 'text/plain' } });
		expect([typed.status, fields(typed.body.error.details)]).toEqual([400, ['content-type']]);
		const big = await bench.create({ product_name: 'Lamp', audience: 'a'.repeat(1_000_001) });
		expect(big.status).toBe(400);
	});

	it('goes through its states in order, in 3 to 6 minutes', async () => {
		const bench = await start();
		const { body } = await bench.create();
		const seen = [body.status];
		let finished = 0;
		for (let seconds = 1; seconds <= 361 && finished === 0; seconds += 1) {
			bench.pass(1000);
			const now = await bench.get(`/briefs/${body.id}`);
			if (now.body.status !== seen.at(-1)) seen.push(now.body.status);
			if (now.body.status === 'ready') finished = seconds;
			expect(now.body.markdown === null).toBe(now.body.status !== 'ready');
			expect(now.body.finished_at === null).toBe(now.body.status !== 'ready');
		}
		expect(seen).toEqual(['queued', 'researching', 'writing', 'checking', 'ready']);
		expect(finished).toBeGreaterThanOrEqual(180);
		expect(finished).toBeLessThanOrEqual(361);
		const [record] = bench.sandbox.briefs();
		expect(record?.durationMs).toBeGreaterThan((finished - 1) * 1000);
		expect(record?.durationMs).toBeLessThanOrEqual(finished * 1000);
	});

	it('fills in title, text, document and times when it is ready', async () => {
		const bench = await start();
		const { body } = await bench.create();
		bench.pass(6 * MINUTE);
		const ready = (await bench.get(`/briefs/${body.id}`)).body;
		expect(ready.title).toContain('Travel Sneakers');
		expect(ready.markdown).toContain(`# ${String(ready.title)}`);
		expect(Object.keys(ready.document ?? {})).toEqual(
			expect.arrayContaining(['mission', 'audience', 'talking_points', 'angles', 'shots']),
		);
		const [record] = bench.sandbox.briefs();
		expect(ready.finished_at).toBe(new Date(record?.readyAt ?? 0).toISOString());
		expect(ready.updated_at).toBe(ready.finished_at);
	});

	it('fails a discontinued product, with a reason', async () => {
		const bench = await start();
		const { body } = await bench.create('Old Lamp (Discontinued)');
		bench.pass(6 * MINUTE);
		const failed = (await bench.get(`/briefs/${body.id}`)).body;
		expect(failed).toMatchObject({
			status: 'failed',
			error_code: 'product_unavailable',
			title: null,
			markdown: null,
			document: null,
		});
		expect(failed.finished_at).not.toBeNull();
	});

	it('fails the wanted share of briefs', async () => {
		const bench = await start({
			failureShare: 0.3,
			slots: 300,
			allowance: 300,
			requestsPerMinute: 0,
		});
		for (let count = 0; count < 150; count += 1) await bench.create();
		bench.pass(6 * MINUTE);
		const failed = bench.sandbox.briefs().filter(({ status }) => status === 'failed');
		expect(failed.length).toBeGreaterThan(25);
		expect(failed.length).toBeLessThan(65);
		expect(failed.every(({ error_code: code }) => code !== null)).toBe(true);
		bench.sandbox.options.failureShare = 1;
		const { body } = await bench.create();
		bench.pass(6 * MINUTE);
		expect((await bench.get(`/briefs/${body.id}`)).body.status).toBe('failed');
	});

	it.each([
		['wrapped', { campaign: { product_name: 'Lamp' }, market: 'US', language: 'en' }],
		['empty', {}],
		[
			'facts-as-list',
			{ product_name: 'Lamp', approved_facts: [{ text: 'Warm.' }, { text: 'LED.' }] },
		],
		['cut-short', { product_name: 'Lamp…', approved_facts: 'Warm. LE…' }],
		['numbers', { product_name: 4, approved_facts: 10, product_id: 0 }],
		['rewritten', { product_name: REWRITTEN, approved_facts: REWRITTEN }],
		['resolved-name', { product_name: expect.not.stringContaining('Lamp') as string }],
		['translated', { produktname: 'Lamp' }],
		['filled-in', { product_name: 'Lamp', audience: 'Shoppers in the US' }],
		['lower-case', { product_name: 'lamp' }],
		['defaults-first', { campaign: { product_name: 'Lamp' } }],
	] as const)('shows the input %s', async (inputShape, expected) => {
		const bench = await start({ inputShape });
		const input = { product_name: 'Lamp', approved_facts: 'Warm. LED.' };
		expect((await bench.create(input)).body.input).toMatchObject(expected);
	});

	it('shows names and IDs in its own form when options say so', async () => {
		const bench = await start({ productNames: 'tidied', briefIds: 'capitals' });
		const { body } = await bench.create('Lamp & Shade ✨, dimmable, for the night');
		expect(body.product_name).toBe('lamp &amp; shade , dimma');
		expect(body.id).toMatch(/^[0-9A-F-]{36}$/);
		expect((await bench.get(`/briefs/${body.id}`)).status).toBe(200);
		expect((await bench.get(`/briefs/${body.id.toLowerCase()}`)).status).toBe(404);
	});

	it('has an unknown status in its life when an option says so', async () => {
		const bench = await start({ unknownStatus: 'reviewing' });
		const { body } = await bench.create();
		const seen = new Set<string>();
		for (let seconds = 0; seconds < 370; seconds += 5) {
			bench.pass(5000);
			seen.add((await bench.get(`/briefs/${body.id}`, { unchecked: true })).body.status);
		}
		expect([...seen]).toEqual([
			'queued',
			'researching',
			'reviewing',
			'writing',
			'checking',
			'ready',
		]);
	});
});

describe('get_brief', () => {
	it('gives 404 for a brief that does not exist and 400 for an ID that is no UUID', async () => {
		const bench = await start();
		const missing = await bench.get(`/briefs/${uuidOf(5)}`);
		expect([missing.status, missing.body.error.code]).toEqual([404, 'not_found']);
		const bad = await bench.get('/briefs/5');
		expect([bad.status, fields(bad.body.error.details)]).toEqual([400, ['id']]);
	});

	it('takes the ID in capitals too', async () => {
		const bench = await start();
		const { body } = await bench.create();
		expect((await bench.get(`/briefs/${body.id.toUpperCase()}`)).status).toBe(200);
	});
});
