import { randomUUID } from 'node:crypto';
import type { Fault } from '../../sandbox/faults';
import { FIRST_READ_LIMITS } from '../../core/api/retry';
import { PARALLEL_READS } from '../../core/parallel';
import type { SandboxOptions } from '../../sandbox/sandbox';
import { runNode, startNode } from '../support/engine/engine';
import {
	action,
	continuing,
	get,
	openService,
	repeatReady,
	runInSandbox,
	wait,
	withErrorOutput,
	type NodeSettings,
} from '../support/engine/fixtures';
import { getEngineClock, waitUntil } from '../support/engine/time';
import { startProxy, changeLicence } from '../support/proxy';
import { matchText } from '../support/values';

const getMany = (settings: NodeSettings = {}) => action('brief', 'getAll', settings);
const getHooks = (settings: NodeSettings = {}) => action('hook', 'getAll', settings);
const getAllowance = action('licence', 'getAllowance');

/** Opens a sandbox with this number of ready briefs, and returns their items. */
async function openWithBriefs(count: number, options: SandboxOptions = {}, ...faults: Fault[]) {
	const sandbox = await openService(options, ...faults);
	return { sandbox, items: sandbox.addBriefs(...repeatReady(count)) };
}

describe('Brief → Get', () => {
	test('returns 140 briefs in the sequence of their items, in three rounds of 50', async () => {
		const slow = { kind: 'slow', delayMs: 100, times: 140 } as const;
		const { sandbox, items } = await openWithBriefs(140, {}, slow);
		const started = getEngineClock().now();
		const done = await runNode(sandbox, items, get());
		expect(done.items('Node')).toMatchObject(
			items.map((json, item) => ({ json, pairedItem: { item } })),
		);
		expect(getEngineClock().now() - started).toBe(3 * 100);
		expect(sandbox.requests).toHaveLength(140);
	});

	test('reads every brief under a rate limit', async () => {
		const { sandbox, items } = await openWithBriefs(300, { requestsPerMinute: 60 });
		const done = await runNode(sandbox, items, get());
		expect(done.values('status', 'Node')).toEqual(repeatReady(300));
		expect(sandbox.requests.filter(({ status }) => status === 429).length).toBeLessThan(110);
	});

	test('ends with the first item that fails, and starts no further requests', async () => {
		const refusal = { kind: '5xx', status: 418, skip: 1, times: 99 } as const;
		const { sandbox, items } = await openWithBriefs(100, {}, refusal);
		expect((await runNode(sandbox, items, get())).status).toBe('error');
		expect(sandbox.requests.length).toBeLessThan(25);
	});

	test('returns the Markdown of a ready brief as a file with a name', async () => {
		const { sandbox, items } = await openWithBriefs(1);
		const both = [...items, { id: sandbox.addBrief().id }];
		const done = await runNode(sandbox, both, get({ options: { markdownFile: true } }));
		const [finished, running] = done.items('Node');
		const file = finished!.binary!['data']!;
		expect(file.fileName).toMatch(/^[\p{L}\p{N}-]+\.md$/u);
		expect(Buffer.from(file.data, 'base64').toString()).toBe(finished!.json['markdown']);
		expect(running!.binary).toBeUndefined();
	});

	test('names a brief that does not exist, and returns the others if On Error continues', async () => {
		const { sandbox, items } = await openWithBriefs(1);
		const both = [{ id: randomUUID() }, ...items];
		const message = `The workspace of this API key has no brief ${both[0]!.id} (404)`;
		const { error } = await runNode(sandbox, both, get());
		expect(error).toMatchObject({ message: `${message} [item 0]`, httpCode: '404' });
		const done = await runNode(sandbox, both, get(withErrorOutput));
		expect(done.json('Node', 1)).toMatchObject([{ error: message, code: 'not_found' }]);
		expect(done.json('Node', 0)).toMatchObject([{ ...items[0], status: 'ready' }]);
	});

	test.each<[string, number, Fault[]]>([
		['after a rate limit', 1_000, [{ kind: '429', retryAfter: 1 }]],
		['after a 503', 0, [{ kind: '5xx', retryAfter: 0 }]],
		['without a complete answer in a minute', 62_000, [{ kind: 'slow', delayMs: 3_600_000 }]],
	])('sends a request again %s', async (_, ms, faults) => {
		const { sandbox, items } = await openWithBriefs(1, {}, ...faults);
		const started = getEngineClock().now();
		expect((await runNode(sandbox, items, get())).json('Node')).toMatchObject(items);
		expect(getEngineClock().now() - started).toBeGreaterThanOrEqual(ms);
		expect(getEngineClock().now() - started).toBeLessThanOrEqual(ms + 2_000);
		expect(sandbox.requests).toHaveLength(2);
	});

	test('follows no redirect, because the other host would get the key', async () => {
		const { sandbox, items } = await openWithBriefs(1, {}, { kind: 'redirect', times: 99 });
		const { error } = await runNode(sandbox, items, wait());
		expect(error.message).toMatch(
			/something other than the service answered \(307\): “redirect to localhost/,
		);
		expect(sandbox.requests).toHaveLength(FIRST_READ_LIMITS.failures);
	});

	test('shows the cause, the next step, the status and the item of a refused key', async () => {
		const { sandbox, items } = await openWithBriefs(1);
		const { error } = await runNode(sandbox.getTarget('revoked'), items, get());
		expect(error).toMatchObject({
			message: 'API key refused: it is wrong, has expired or was revoked (401) [item 0]',
			description: matchText(
				/^The service says: .* \(request req_\w+\) Create a new key .* in the credential \(Creator Briefing API\)\.$/,
			),
			httpCode: '401',
		});
	});

	test('never shows the API key, even if the service repeats it', async () => {
		const { sandbox, items } = await openWithBriefs(1);
		const { key } = sandbox.getTarget();
		const error = { code: 'bad_request', message: `Odd key ${key}`, request_id: 'req_1' };
		const url = await startProxy(sandbox, () =>
			Promise.resolve({ status: 400, body: JSON.stringify({ error }) }),
		);
		const done = await runNode({ url, key }, items, get());
		expect(done.error.description).toContain('Odd key [API key]');
		expect(JSON.stringify(done.run.data)).not.toContain(key);
	});

	test('renames a field `error` of the service, after which n8n would run the node again', async () => {
		const { sandbox, items } = await openWithBriefs(1);
		const url = await startProxy(sandbox, async ({ path }, pass) => {
			const { status, body } = await pass(path);
			return { status, body: JSON.stringify({ ...(JSON.parse(body) as object), error: null }) };
		});
		const done = await runNode({ ...sandbox.getTarget(), url }, items, get({ simplify: false }));
		expect(done.json('Node')).toMatchObject([{ ...items[0], service_error: null }]);
		expect(done.json('Node')[0]).not.toHaveProperty('error');
	});

	test('ends on Stop, even if On Error continues', async () => {
		const slow = { kind: 'slow', delayMs: 1000, times: 100 } as const;
		const { sandbox, items } = await openWithBriefs(2 * PARALLEL_READS, {}, slow);
		const execution = startNode(sandbox, items, get(continuing));
		await waitUntil(() => sandbox.requests.length === PARALLEL_READS);
		execution.stop();
		const done = await execution.ended;
		expect(done.status).toBe('canceled');
		// n8n then returns the input. Stop must not become the error of an item.
		expect(done.json('Node').filter((json) => 'error' in json)).toEqual([]);
		expect(sandbox.requests).toHaveLength(PARALLEL_READS);
	});
});

describe('Brief → Get Many', () => {
	test('follows the pages to the end with Return All', async () => {
		const { sandbox } = await openWithBriefs(230);
		const done = await runNode(sandbox, [{}], getMany({ returnAll: true }));
		expect(new Set(done.values('id', 'Node')).size).toBe(230);
		expect(sandbox.countRequests('list_briefs')).toBe(3);
	});

	test('requests only the limit, and only one status', async () => {
		const { sandbox } = await openWithBriefs(10);
		const done = await runNode(sandbox, [{}], getMany({ limit: 3 }));
		expect(done.json('Node')).toHaveLength(3);
		expect(sandbox.requests[0]!.query).toEqual({ limit: '3' });
		sandbox.addBrief({ status: 'failed' });
		const failed = await runNode(sandbox, [{}], getMany({ filters: { status: 'failed' } }));
		expect(failed.values('status', 'Node')).toEqual(['failed']);
	});

	test('shows a refusal with its details', async () => {
		const { done } = await runInSandbox([{}], getMany({ filters: { status: 'polishing' } }));
		expect(done.error).toMatchObject({
			message: 'The service refused the request as invalid (400) [item 0]',
			description: matchText(/^The service says: .*status.* \(request req_/),
			httpCode: '400',
		});
	});

	test.each([
		['stale', /^The service refused the request as invalid \(400\)/],
		['', /cannot be read to its end, because its pages repeat themselves/],
	])(
		'fails with Return All if the service receives the cursor as "%s", and not with a limit',
		async (cursor, message) => {
			const { sandbox } = await openWithBriefs(120);
			const url = await startProxy(sandbox, ({ path }, pass) =>
				pass(path.replace(/&cursor=[^&]*/, cursor && `&cursor=${cursor}`)),
			);
			const target = { ...sandbox.getTarget(), url };
			const { error } = await runNode(target, [{}], getMany({ returnAll: true }));
			expect(error.message).toMatch(message);
			expect((await runNode(target, [{}], getMany({ limit: 50 }))).status).toBe('success');
		},
	);
});

describe('Hook → Get Many', () => {
	test('sends one request for all categories', async () => {
		const { sandbox, done } = await runInSandbox([{}], getHooks({ limit: 20 }));
		expect(done.json('Node')).toHaveLength(20);
		expect(sandbox.requests.map(({ query }) => query)).toEqual([{ sort: 'score', limit: '20' }]);
		expect(Object.keys(done.json('Node')[0]!)).toHaveLength(10);
	});

	test('sends one request for each of several categories, in any case', async () => {
		const categories = '={{ ["Beauty & Skincare", " WELLNESS "] }}';
		const node = getHooks({ categories, limit: 15, sort: { sortBy: 'newest' } });
		const { sandbox, done } = await runInSandbox([{}], node);
		expect(sandbox.requests.map(({ query }) => query)).toMatchObject([
			{ category: 'Beauty & skincare', sort: 'newest' },
			{ category: 'Wellness', sort: 'newest' },
		]);
		expect(done.json('Node')).toHaveLength(15);
	});

	test('returns all hooks of each category with Return All', async () => {
		const categories = ['Beauty & skincare', 'Wellness'];
		const { sandbox, done } = await runInSandbox([{}], getHooks({ categories, returnAll: true }));
		expect(sandbox.requests.map(({ query }) => query['limit'])).toEqual(['80', '80']);
		expect(done.json('Node').length).toBeGreaterThan(50);
		const all = await runNode(sandbox, [{}], getHooks({ returnAll: true }));
		expect(all.json('Node').length).toBeGreaterThan(80);
		expect(new Set(all.values('category', 'Node')).size).toBe(6);
	});
});

describe('a parameter that is refused before a request is sent', () => {
	const noLimit = "'Limit' is not a whole number of at least 1 [item 0]";

	test.each([
		[getMany({ limit: 0 }), noLimit],
		[getMany({ limit: 1.5 }), noLimit],
		[getMany({ limit: '={{ "many" }}' }), noLimit],
		[getHooks({ limit: 81 }), "'Limit' is not a whole number from 1 to 80 [item 0]"],
		[getHooks({ categories: ['Cars'] }), "'Categories' contains “Cars”, which is not a category"],
		[getHooks({ options: { q: 'x'.repeat(81) } }), "'Search' has more than 80 characters [item 0]"],
		[getHooks({ sort: { sortBy: 'best' } }), "'Sort By' has an unknown value [item 0]"],
		[action('brief', 'delete'), "'delete' is not known"],
	])('%j', async (node, message) => {
		const { sandbox, done } = await runInSandbox([{}], node);
		expect(done.error.message).toContain(message);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('Licence', () => {
	const startAt = Date.UTC(2026, 10, 12);
	const lastMonth = Date.UTC(2026, 9, 31);

	test('→ Get Many returns all four licences', async () => {
		const { done } = await runInSandbox([{}], action('licence', 'getAll'));
		const names = ['creator-briefs', 'seller-advisor', 'content-iq', 'receipts'];
		expect(done.values('product', 'Node')).toEqual(names);
	});

	test('→ Get Brief Allowance counts the briefs of this month if used_this_month is 0', async () => {
		const { sandbox } = await openWithBriefs(3, { usedThisMonth: 'zero', startAt });
		sandbox.addBrief({ createdAt: lastMonth, durationMs: 30 * 24 * 3_600_000 });
		sandbox.addBrief();
		const done = await runNode(sandbox, [{}], getAllowance);
		const counts = { allowance: 100, used: 4, remaining: 96, running: 2 };
		expect(done.json('Node')).toEqual([
			{
				...counts,
				resets_at: '2026-12-01T00:00:00.000Z',
				licence_renews_or_ends_at: '2027-01-01T00:00:00.000Z',
				notice: null,
			},
		]);
	});

	test('is missing for briefs, and the operations show a notice', async () => {
		const sandbox = await openService();
		const url = await startProxy(sandbox, changeLicence({ product: 'briefs' }));
		const target = { ...sandbox.getTarget(), url };
		const done = await runNode(target, [{}, {}], getAllowance);
		const notice = matchText(/^The workspace lists no licence for creator briefs/);
		const item = { used: 0, remaining: null, notice };
		expect(done.json('Node')).toMatchObject([item, item]);
		expect(done.hints('Node')).toEqual([notice]);
		const all = await runNode(target, [{}], action('licence', 'getAll'));
		expect(all.hints('Node')).toEqual([notice]);
	});
});
