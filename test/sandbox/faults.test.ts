import { request } from 'node:http';
import type { Sandbox } from '../../sandbox/sandbox';
import { type Bench, startBench as start } from '../support/sandbox/bench';

interface Raw {
	status: number | undefined;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	/** Code of the connection's error, if it broke. */
	broke: string | undefined;
}

/** A create over a plain socket, so that the test sees how a connection breaks. */
function create({ sandbox }: Bench): Promise<Raw> {
	const headers = {
		Authorization: `Bearer ${sandbox.keys.allScopes}`,
		'Content-Type': 'application/json',
	};
	return new Promise((resolve) => {
		const raw: Raw = { status: undefined, headers: {}, text: '', broke: undefined };
		const broke = (error: NodeJS.ErrnoException) => resolve({ ...raw, broke: error.code });
		const options = { method: 'POST', agent: false, headers };
		const sent = request(`${sandbox.url}/briefs`, options, (response) => {
			raw.status = response.statusCode;
			raw.headers = response.headers;
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => (raw.text += chunk));
			response.on('end', () => resolve(raw));
			response.on('error', broke);
		});
		sent.on('error', broke);
		sent.end('{"product_name":"Lamp"}');
	});
}

type Fault = Parameters<Sandbox['faults']['add']>[0];

async function benchWith(fault: Fault): Promise<Bench> {
	const bench = await start();
	bench.sandbox.faults.add(fault);
	return bench;
}

describe('a fault', () => {
	const page = { status: 200, text: expect.stringContaining('<html>') as string };
	const json = expect.stringContaining('"request_id"') as string;
	const html = expect.stringContaining('<html>') as string;
	const retrying = { headers: expect.objectContaining({ 'retry-after': '7' }) as object };

	it.each<[Fault, object, number]>([
		[{ kind: 'reset', at: 'before-work' }, { status: undefined, broke: 'ECONNRESET' }, 0],
		[{ kind: 'reset', at: 'after-work' }, { status: undefined, broke: 'ECONNRESET' }, 1],
		[{ kind: 'html', at: 'before-work' }, page, 0],
		[{ kind: 'html', at: 'after-work' }, page, 1],
		[{ kind: 'html', status: 403, retryAfter: 7 }, { ...retrying, status: 403, text: html }, 0],
		[{ kind: '5xx', status: 500, body: 'json', at: 'before-work' }, { status: 500, text: json }, 0],
		[{ kind: '5xx', status: 502, body: 'html', at: 'before-work' }, { status: 502, text: html }, 0],
		[{ kind: '5xx', retryAfter: 7, at: 'after-work' }, { status: 503, ...retrying }, 1],
		[{ kind: '5xx', body: 'empty', retryAfter: 7 }, { status: 503, text: '', ...retrying }, 0],
		[{ kind: '429', retryAfter: 7 }, { status: 429, ...retrying }, 0],
	])('%j does what it says', async (fault, answer, created) => {
		const bench = await benchWith(fault);
		const met = await create(bench);
		expect(met).toMatchObject(answer);
		expect(bench.sandbox.createdCount()).toBe(created);
		expect(bench.sandbox.requests[0]).toMatchObject({ fault: fault.kind });
	});

	it.each([
		['cut', 'ECONNRESET'],
		['broken-json', undefined],
	] as const)('gives half an answer after the work is done: %s', async (kind, error) => {
		const bench = await benchWith({ kind });
		const { status, broke, text, headers } = await create(bench);
		expect([status, broke, bench.sandbox.createdCount()]).toEqual([202, error, 1]);
		expect(text.length < Number(headers['content-length'])).toBe(kind === 'cut');
		expect(() => JSON.parse(text) as unknown).toThrow();
	});

	it('answers late', async () => {
		const bench = await benchWith({ kind: 'slow', delayMs: 100 });
		const from = performance.now();
		expect((await create(bench)).status).toBe(202);
		expect(performance.now() - from).toBeGreaterThan(90);
	});

	it.each([302, 307])('redirects with %i to another host', async (status) => {
		const bench = await benchWith({ kind: 'redirect', status });
		const location = `http://localhost:${bench.sandbox.port}/v1/briefs`;
		expect(await create(bench)).toMatchObject({ status, headers: { location } });
		bench.sandbox.faults.add({ kind: 'redirect', location: 'http://127.0.0.1:9/elsewhere' });
		expect((await create(bench)).headers['location']).toBe('http://127.0.0.1:9/elsewhere');
		expect(bench.sandbox.createdCount()).toBe(0);
	});

	it('hits only the operation it is meant for, as often as planned, after those that go by', async () => {
		const bench = await benchWith({ kind: '5xx', operation: 'list_briefs', skip: 1, times: 2 });
		const statuses = [];
		for (const path of ['/licences', '/briefs', '/briefs', '/licences', '/briefs', '/briefs']) {
			statuses.push((await bench.get(path)).status);
		}
		expect(statuses).toEqual([200, 200, 503, 200, 503, 200]);
		expect(bench.sandbox.faults.hitsToCome).toBe(0);
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

	it('hit the nth request if an option says so, and refuse in bursts of three', async () => {
		const seen = await kinds('a', '5xx@2,list_briefs/html@4,create_brief/html@1');
		expect(seen.slice(0, 6)).toEqual([null, '5xx', null, 'html', null, null]);
		expect((await kinds('a', '429:0.05')).join(' ')).toMatch(/429 429 429/);
	});
});
