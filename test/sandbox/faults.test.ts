import { request } from 'node:http';
import { benches, MINUTE, type Bench } from '../support/sandbox/bench';

const start = benches();

interface Raw {
	status: number | undefined;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	/** Code of the connection's error, if it broke. */
	broke: string | undefined;
}

/** A create over a plain socket, so that broken connections can be told apart. */
function create(bench: Bench): Promise<Raw> {
	return new Promise((resolve) => {
		const raw: Raw = { status: undefined, headers: {}, text: '', broke: undefined };
		const broke = (error: NodeJS.ErrnoException) => resolve({ ...raw, broke: error.code });
		const sent = request(
			`${bench.sandbox.url}/briefs`,
			{
				method: 'POST',
				agent: false,
				headers: {
					Authorization: `Bearer ${bench.sandbox.keys.allScopes}`,
					'Content-Type': 'application/json',
				},
			},
			(response) => {
				raw.status = response.statusCode;
				raw.headers = response.headers;
				response.setEncoding('utf8');
				response.on('data', (chunk: string) => (raw.text += chunk));
				response.on('end', () => resolve(raw));
				response.on('error', broke);
			},
		);
		sent.on('error', broke);
		sent.end('{"product_name":"Lamp"}');
	});
}

const real = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a fault', () => {
	it.each([
		['before-work', 0],
		['after-work', 1],
	] as const)('resets the connection %s', async (at, created) => {
		const bench = await start();
		bench.sandbox.faults.add({ kind: 'reset', at });
		expect(await create(bench)).toMatchObject({ status: undefined, broke: 'ECONNRESET' });
		expect(bench.sandbox.createdCount()).toBe(created);
		expect(bench.sandbox.requests[0]).toMatchObject({ status: null, fault: 'reset' });
	});

	it('cuts an answer in the middle, after the work', async () => {
		const bench = await start();
		bench.sandbox.faults.add({ kind: 'cut' });
		const cut = await create(bench);
		expect(cut).toMatchObject({ status: 202, broke: 'ECONNRESET' });
		expect(cut.text.length).toBeGreaterThan(0);
		expect(cut.text.length).toBeLessThan(Number(cut.headers['content-length']));
		expect(bench.sandbox.createdCount()).toBe(1);
	});

	it('breaks the JSON of a 2xx, after the work', async () => {
		const bench = await start();
		bench.sandbox.faults.add({ kind: 'broken-json' });
		const broken = await create(bench);
		expect(broken).toMatchObject({ status: 202, broke: undefined });
		expect(broken.headers['content-type']).toMatch('application/json');
		expect(() => JSON.parse(broken.text) as unknown).toThrow();
		expect(bench.sandbox.createdCount()).toBe(1);
	});

	it.each([
		['before-work', 0],
		['after-work', 1],
	] as const)('shows a page instead of an answer, %s', async (at, created) => {
		const bench = await start();
		bench.sandbox.faults.add({ kind: 'html', at });
		const page = await create(bench);
		expect(page.status).toBe(200);
		expect(page.headers['content-type']).toMatch('text/html');
		expect(page.text).toMatch('<html>');
		expect(bench.sandbox.createdCount()).toBe(created);
	});

	it.each([
		[500, 'json', undefined, 'before-work', 0],
		[502, 'html', undefined, 'before-work', 0],
		[503, 'json', 7, 'after-work', 1],
		[503, 'empty', 7, 'before-work', 0],
	] as const)('answers %i with a body of %s', async (status, body, retryAfter, at, created) => {
		const bench = await start();
		bench.sandbox.faults.add({
			kind: '5xx',
			status,
			body,
			at,
			...(retryAfter ? { retryAfter } : {}),
		});
		const failed = await create(bench);
		expect(failed.status).toBe(status);
		expect(failed.headers['retry-after']).toBe(retryAfter?.toString());
		if (body === 'json') expect(JSON.parse(failed.text)).toHaveProperty('error.request_id');
		if (body === 'html') expect(failed.text).toMatch('<html>');
		if (body === 'empty') expect(failed.text).toBe('');
		expect(bench.sandbox.createdCount()).toBe(created);
	});

	it.each([
		['before-work', 0],
		['after-work', 1],
	] as const)('answers late, waiting %s', async (at, created) => {
		const bench = await start();
		bench.sandbox.faults.add({ kind: 'slow', delayMs: 300, at });
		const from = performance.now();
		const late = create(bench);
		while (bench.sandbox.requests.length === 0) await real(5);
		await real(20);
		expect(bench.sandbox.createdCount()).toBe(created);
		expect(bench.sandbox.requests[0]?.status).toBeNull();
		expect((await late).status).toBe(202);
		expect(performance.now() - from).toBeGreaterThan(290);
	});

	it('refuses a burst of requests with 429', async () => {
		const bench = await start();
		bench.sandbox.faults.add({ kind: '429', times: 3, retryAfter: 2 });
		const refused = [
			await bench.create(),
			await bench.get('/briefs'),
			await bench.get('/licences'),
		];
		expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
		expect(refused[0]?.headers.get('retry-after')).toBe('2');
		expect((await bench.create()).status).toBe(202);
	});

	it.each([302, 307])('redirects with %i to another host', async (status) => {
		const bench = await start();
		bench.sandbox.faults.add({ kind: 'redirect', status });
		const moved = await create(bench);
		expect(moved.status).toBe(status);
		expect(moved.headers['location']).toBe(`http://localhost:${bench.sandbox.port}/v1/briefs`);
		bench.sandbox.faults.add({ kind: 'redirect', location: 'http://127.0.0.1:9/elsewhere' });
		expect((await create(bench)).headers['location']).toBe('http://127.0.0.1:9/elsewhere');
		expect(bench.sandbox.createdCount()).toBe(0);
	});

	it('hits only the operation it is meant for, as often as planned, after those that go by', async () => {
		const bench = await start();
		bench.sandbox.faults.add({ kind: '5xx', operation: 'list_briefs', skip: 1, times: 2 });
		const statuses = [];
		for (const path of ['/licences', '/briefs', '/briefs', '/licences', '/briefs', '/briefs']) {
			statuses.push((await bench.get(path)).status);
		}
		expect(statuses).toEqual([200, 200, 503, 200, 503, 200]);
		expect(bench.sandbox.faults.pending).toBe(0);
	});

	it('can be taken back', async () => {
		const bench = await start({ faults: '5xx:1' });
		expect((await create(bench)).status).toBeGreaterThanOrEqual(500);
		bench.sandbox.faults.clear();
		expect((await bench.get('/briefs')).status).toBe(200);
	});

	it('does not hold up the closing of the sandbox', async () => {
		const bench = await start();
		bench.sandbox.faults.add({ kind: 'slow', delayMs: 60_000 });
		const pending = create(bench);
		while (bench.sandbox.requests.length === 0) await real(5);
		const from = performance.now();
		await bench.close();
		expect(performance.now() - from).toBeLessThan(5000);
		expect((await pending).broke).toBe('ECONNRESET');
	});
});

describe('faults by chance', () => {
	async function kinds(seed: string, faults: string): Promise<(string | null)[]> {
		const bench = await start({ seed, faults, requestsPerMinute: 0 });
		for (let count = 0; count < 60; count += 1) {
			await bench.get('/briefs', { unchecked: true }).catch(() => undefined);
		}
		return bench.sandbox.requests.map(({ fault }) => fault);
	}

	it('follow from the seed', async () => {
		const mixture = 'cut:0.1,html:0.2,5xx-after:0.2';
		const one = await kinds('a', mixture);
		expect(await kinds('a', mixture)).toEqual(one);
		expect(await kinds('b', mixture)).not.toEqual(one);
		expect(new Set(one)).toEqual(new Set([null, 'cut', 'html', '5xx']));
	});

	it('hit the nth request when an option says so', async () => {
		const seen = await kinds('a', '5xx@2,list_briefs/html@4,create_brief/html@1');
		expect(seen.slice(0, 6)).toEqual([null, '5xx', null, 'html', null, null]);
	});

	it('refuse in bursts of three', async () => {
		const seen = await kinds('a', '429:0.05');
		expect(seen.join(' ')).toMatch(/429 429 429/);
	});

	it('have a default mixture with which a patient client gets its brief', async () => {
		const bench = await start({ faults: 'default', requestsPerMinute: 0 });
		let id: string | undefined;
		const headers = { 'Idempotency-Key': '00000000-0000-4000-8000-000000000001' };
		for (let tries = 0; tries < 20 && id === undefined; tries += 1) {
			const reply = await bench.create('Lamp', { headers, unchecked: true }).catch(() => undefined);
			id = reply?.body.id;
		}
		expect(id).toBeDefined();
		expect(bench.sandbox.createdCount()).toBe(1);
		bench.pass(6 * MINUTE);
	});
});
