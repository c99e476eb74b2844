import { parseFaults, type Fault } from '../../sandbox/faults';
import { startTestApi, type TestApi } from '../support/sandbox/test-api';

interface RawReply {
	status?: number;
	headers?: Record<string, string>;
	text?: string;
	/** Whether the connection broke before or within the answer. */
	isBroken: boolean;
}

async function create({ sandbox }: TestApi): Promise<RawReply> {
	const headers = {
		Authorization: `Bearer ${sandbox.keys.allScopes}`,
		'Content-Type': 'application/json',
	};
	const body = '{"product_name":"Lamp"}';
	const init = { method: 'POST', headers, body, redirect: 'manual' } as const;
	const response = await fetch(`${sandbox.url}/briefs`, init).catch(() => undefined);
	if (response === undefined) return { isBroken: true };
	const text = await response.text().catch(() => undefined);
	const { status } = response;
	const replyHeaders = Object.fromEntries(response.headers);
	return { status, headers: replyHeaders, text, isBroken: text === undefined };
}

async function startWithFault(fault: Fault): Promise<TestApi> {
	const api = await startTestApi();
	api.sandbox.faults.add(fault);
	return api;
}

const page = { status: 200, text: expect.stringContaining('<html>') as string };
const json = { text: expect.stringContaining('"request_id"') as string };
const location = expect.stringMatching(/^http:\/\/localhost:\d+\/v1\/briefs$/) as string;
const redirect = { status: 307, headers: expect.objectContaining({ location }) as object };
const retrying = { headers: expect.objectContaining({ 'retry-after': '7' }) as object };

test.each<[Fault, object, number]>([
	[{ kind: 'reset' }, { isBroken: true }, 0],
	[{ kind: 'reset', at: 'after-work' }, { isBroken: true }, 1],
	[{ kind: 'html' }, page, 0],
	[{ kind: 'html', at: 'after-work' }, page, 1],
	[{ kind: 'html', status: 403, retryAfter: 7 }, { ...page, ...retrying, status: 403 }, 0],
	[{ kind: '5xx' }, { status: 503, ...json }, 0],
	[{ kind: '5xx', status: 500, retryAfter: 7, at: 'after-work' }, { status: 500, ...retrying }, 1],
	[{ kind: '429', retryAfter: 7 }, { status: 429, ...json, ...retrying }, 0],
	[{ kind: 'redirect' }, redirect, 0],
])('the fault %j does what it says', async (fault, expected, created) => {
	const api = await startWithFault(fault);
	expect(await create(api)).toMatchObject(expected);
	expect(api.sandbox.createdCount()).toBe(created);
	expect(api.sandbox.requests[0]).toMatchObject({ fault: fault.kind });
});

test.each(['cut', 'broken-json'] as const)(
	'the fault %s sends half of the answer after the work',
	async (kind) => {
		const api = await startWithFault({ kind });
		const { status, isBroken, text = '' } = await create(api);
		expect([status, isBroken]).toEqual([202, kind === 'cut']);
		expect(() => JSON.parse(text) as unknown).toThrow();
		expect(api.sandbox.createdCount()).toBe(1);
	},
);

test('a slow answer comes after its delay', async () => {
	const api = await startWithFault({ kind: 'slow', delayMs: 400 });
	const start = performance.now();
	expect((await create(api)).status).toBe(202);
	expect(performance.now() - start).toBeGreaterThan(390);
});

test('a fault strikes only its operation, as often as planned, after the requests that it skips', async () => {
	const api = await startWithFault({
		kind: '5xx',
		operation: 'list_briefs',
		skip: 1,
		times: 2,
	});
	const statuses = [];
	for (const path of ['/licences', '/briefs', '/briefs', '/licences', '/briefs', '/briefs']) {
		statuses.push((await api.get(path)).status);
	}
	expect(statuses).toEqual([200, 200, 503, 200, 503, 200]);
	expect(api.sandbox.faults.remainingHits).toBe(0);
});

describe('the faults of --faults', () => {
	/** Returns the kinds of the faults that strike 60 requests. */
	async function getKinds(seed: string, faults: string) {
		const { sandbox } = await startTestApi({ seed, faults, requestsPerMinute: 0 });
		const headers = { Authorization: `Bearer ${sandbox.keys.allScopes}` };
		for (let count = 0; count < 60; count += 1) {
			await fetch(`${sandbox.url}/briefs`, { headers }).catch(() => undefined);
		}
		return sandbox.requests.map(({ fault }) => fault);
	}

	test('are the same for the same seed', async () => {
		const list = 'cut:0.1,html:0.2,5xx-after:0.2';
		const kinds = await getKinds('a', list);
		expect(await getKinds('a', list)).toEqual(kinds);
		expect(await getKinds('b', list)).not.toEqual(kinds);
		expect(new Set(kinds)).toEqual(new Set([null, 'cut', 'html', '5xx']));
	});

	test('strike the nth matching request, and a 429 strikes three requests in a row', async () => {
		const kinds = await getKinds('a', '5xx@2,list_briefs/html@4,create_brief/html@1');
		expect(kinds.slice(0, 6)).toEqual([null, '5xx', null, 'html', null, null]);
		const bursts = await getKinds('a', '429:0.05');
		const first = bursts.indexOf('429');
		expect(bursts.slice(first, first + 4)).toEqual(['429', '429', '429', null]);
	});

	test('can name operation, kind, time and chance', () => {
		const fault = { kind: 'reset', at: 'after-work', operation: 'create_brief', chance: 0.05 };
		expect(parseFaults('create_brief/reset-after:0.05')).toEqual([fault]);
		expect(parseFaults('slow-before@3')).toEqual([{ kind: 'slow', at: 'before-work', skip: 2 }]);
	});

	test.each([
		['boom:0.1', '"boom:0.1" is not a fault'],
		['delete_brief/cut:0.1', '"delete_brief/cut:0.1" is not a fault'],
		['cut:2', '"cut:2": a chance is from 0 to 1'],
		['cut@0', '"cut@0": requests are counted from 1'],
		['cut-before:0.1', '"cut-before:0.1": cut always strikes after the work'],
	])('are refused if they are not faults: %s', (list, message) => {
		expect(() => parseFaults(list)).toThrow(message);
	});
});
