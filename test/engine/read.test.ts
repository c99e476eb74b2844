import {
	action,
	create,
	products,
	requestsOf,
	sandboxWith,
	targetOf,
} from '../support/engine/fixtures';
import { runNode, startNode, type Finished } from '../support/engine/engine';
import { startFront, withLicence } from '../support/front';

const byId = { briefId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } };

describe('Brief → Get', () => {
	it('reads many briefs and keeps their order', async () => {
		const sandbox = await sandboxWith();
		const briefs = Array.from({ length: 25 }, () => sandbox.addBrief({ status: 'ready' }));
		const items = briefs.map(({ id }) => ({ id }));
		const done = await runNode(targetOf(sandbox), items, action('brief', 'get', byId));
		expect(done.json('Node').map(({ id }) => ({ id }))).toEqual(items);
		expect(done.items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_item, item) => ({ item })),
		);
		expect(sandbox.requests).toHaveLength(25);
	});

	it('gives the Markdown as a file of the product’s name, where there is one', async () => {
		const sandbox = await sandboxWith();
		const ready = sandbox.addBrief({ status: 'ready', product_name: 'Crème de Jour' });
		const items = [ready, sandbox.addBrief()].map(({ id }) => ({ id }));
		const node = action('brief', 'get', { ...byId, options: { markdownFile: true } });
		const [item, running] = (await runNode(targetOf(sandbox), items, node)).items('Node');
		const file = item!.binary!['data']!;
		expect(file.fileName).toMatch(/^[\p{L}\p{N}-]+\.md$/u);
		expect(Buffer.from(file.data, 'base64').toString()).toBe(item!.json['markdown']);
		expect(running!.binary).toBeUndefined();
	});

	it.each([
		['stopWorkflow', 'error'],
		['continueRegularOutput', 'success'],
		['continueErrorOutput', 'success'],
	] as const)('names what is not there, with %s', async (onError, status) => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'ready' });
		const items = [{ id: '7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11' }, { id }];
		const done = await runNode(
			targetOf(sandbox),
			items,
			action('brief', 'get', { ...byId, onError }),
		);
		expect(done.status).toBe(status);
		const output = onError === 'continueErrorOutput' ? 1 : 0;
		const text = status === 'error' ? done.error.message : done.json('Node', output)[0]!['error'];
		expect(text).toBe(
			'There is no brief 7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11 in the workspace of this API key (404) [item 0]',
		);
		if (status === 'success') expect(done.json('Node', output)[0]!['code']).toBe('not_found');
		if (status === 'success') {
			const ready = done.json('Node', 0).filter((json) => json['status'] === 'ready');
			expect(ready).toHaveLength(1);
		}
	});

	it('waits as long as a rate limit asks, and a failing service is asked again', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'ready' });
		sandbox.faults.add({ kind: '429', retryAfter: 1 });
		sandbox.faults.add({ kind: '5xx', retryAfter: 0 });
		const started = Date.now();
		const done = await runNode(targetOf(sandbox), [{ id }], action('brief', 'get', byId));
		expect(done.status).toBe('success');
		expect(Date.now() - started).toBeGreaterThan(950);
		expect(sandbox.requests).toHaveLength(3);
	}, 15_000);

	it('follows no redirect with the key in hand', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'ready' });
		sandbox.faults.add({ kind: 'redirect' });
		const done = await runNode(targetOf(sandbox), [{ id }], action('brief', 'get', byId));
		expect(done.error.message).toMatch(/not as the service does \(307\)/);
		expect(sandbox.requests).toHaveLength(1);
	});

	it('is ended by Stop, also with Continue On Fail', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'ready' });
		sandbox.faults.add({ kind: 'slow', delayMs: 1000, times: 100 });
		const items = Array.from({ length: 30 }, () => ({ id }));
		const node = action('brief', 'get', { ...byId, onError: 'continueRegularOutput' });
		const execution = startNode(targetOf(sandbox), items, node);
		while (sandbox.requests.length < 20) await new Promise((resolve) => setTimeout(resolve, 10));
		execution.stop();
		const done = await execution.ended;
		expect(done.status).toBe('canceled');
		// n8n then passes the input on; what counts is that Stop is no result of an item.
		expect(done.json('Node').filter((json) => 'error' in json)).toEqual([]);
		expect(sandbox.requests).toHaveLength(20);
	});

	it.each(['Bearer ', ' bearer  '])(
		'takes a key that was pasted with “%s” before it',
		async (word) => {
			const sandbox = await sandboxWith();
			const { id } = sandbox.addBrief({ status: 'ready' });
			const { url, key } = targetOf(sandbox);
			const node = action('brief', 'get', byId);
			const done = await runNode({ url, key: `${word}${key} ` }, [{ id }], node);
			expect(done.status).toBe('success');
		},
	);

	it('takes a Base URL with a slash at its end, and explains one that is none', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'ready' });
		const target = targetOf(sandbox);
		const node = action('brief', 'get', byId);
		const slash = await runNode({ ...target, url: `${target.url}// ` }, [{ id }], node);
		expect(slash.status).toBe('success');
		const none = await runNode({ ...target, url: 'api.example.com' }, [{ id }], node);
		expect(none.error.message).toMatch(/'Base URL' cannot be used: It is not the address/);
		const root = await runNode({ ...target, url: target.url.replace('/v1', '') }, [{ id }], node);
		expect(root.error.description).toMatch(/Check/);
	});
});

describe('Brief → Get Many', () => {
	it('follows the pages to the end with Return All', async () => {
		const sandbox = await sandboxWith();
		for (let count = 0; count < 230; count += 1) sandbox.addBrief({ status: 'ready' });
		const all = action('brief', 'getAll', { returnAll: true });
		const done = await runNode(targetOf(sandbox), [{}], all);
		expect(new Set(done.json('Node').map(({ id }) => id)).size).toBe(230);
		expect(requestsOf(sandbox, 'list_briefs')).toBe(3);
	});

	it('asks for no more than the limit', async () => {
		const sandbox = await sandboxWith();
		for (let count = 0; count < 10; count += 1) sandbox.addBrief({ status: 'ready' });
		const done = await runNode(targetOf(sandbox), [{}], action('brief', 'getAll', { limit: 3 }));
		expect(done.json('Node')).toHaveLength(3);
		expect(sandbox.requests[0]!.query).toEqual({ limit: '3' });
	});

	it('filters by status', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ status: 'ready' });
		sandbox.addBrief({ status: 'failed' });
		const failed = action('brief', 'getAll', { filters: { status: 'failed' } });
		const done = await runNode(targetOf(sandbox), [{}], failed);
		expect(done.json('Node').map(({ status }) => status)).toEqual(['failed']);
	});
});

describe('a refusal of the service', () => {
	it.each([
		['list', /^The service says: .*status.* The request was req_/],
		['none', /The request was req_/],
	] as const)('is shown with its details as %s', async (detailsShape, described) => {
		const sandbox = await sandboxWith({ detailsShape });
		const node = action('brief', 'getAll', { filters: { status: 'polishing' } });
		const { error } = await runNode(targetOf(sandbox), [{}], node);
		expect(error.message).toBe('The service refused the request as not valid (400) [item 0]');
		expect(error.description).toMatch(described);
		expect(error.httpCode).toBe('400');
	});

	it.each([0, -1, 1.5, 'many'])('is not needed for a limit of %p', async (limit) => {
		const sandbox = await sandboxWith();
		const node = action('brief', 'getAll', { limit: `={{ ${JSON.stringify(limit)} }}` });
		const done = await runNode(targetOf(sandbox), [{}], node);
		expect(done.error.message).toBe("'Limit' is not a whole number of at least 1 [item 0]");
		expect(sandbox.requests).toHaveLength(0);
	});
});

describe('Hook → Get Many', () => {
	it('asks once for all categories', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox), [{}], action('hook', 'getAll', { limit: 20 }));
		expect(done.json('Node')).toHaveLength(20);
		expect(sandbox.requests.map(({ query }) => query)).toEqual([{ sort: 'score', limit: '20' }]);
		expect(Object.keys(done.json('Node')[0]!)).toHaveLength(10);
	});

	it('merges several categories into one list, in the order that is asked for', async () => {
		const sandbox = await sandboxWith();
		const categories = ['Wellness', 'Fashion'];
		const node = action('hook', 'getAll', { categories, limit: 15, options: { sort: 'newest' } });
		const hooks = (await runNode(targetOf(sandbox), [{}], node)).json('Node');
		const times = hooks.map(({ observed_at: at }) => Date.parse(String(at)));
		expect(times).toEqual([...times].sort((a, b) => b - a));
		expect(hooks).toHaveLength(15);
		expect(new Set(hooks.map(({ category }) => category)).size).toBe(2);
		expect(sandbox.requests).toHaveLength(2);
	});

	it('takes categories in any case, as the form and as sheets write them', async () => {
		const sandbox = await sandboxWith();
		const categories = ['Beauty & Skincare', ' WELLNESS '];
		const done = await runNode(
			targetOf(sandbox),
			[{}],
			action('hook', 'getAll', { categories: `={{ ${JSON.stringify(categories)} }}`, limit: 5 }),
		);
		expect(done.status).toBe('success');
		expect(sandbox.requests.map(({ query }) => query['category'])).toEqual([
			'Beauty & skincare',
			'Wellness',
		]);
	});

	it.each([
		[{ limit: 81 }, "'Limit' is not a whole number from 1 to 80 [item 0]"],
		[{ categories: ['Cars'] }, "'Categories' contains “Cars”, which is not a category [item 0]"],
		[{ options: { q: 'x'.repeat(81) } }, "'Search' has more than 80 characters [item 0]"],
		[{ options: { sort: 'best' } }, "'Sort' has an unknown value [item 0]"],
	])('refuses %j before anything is sent', async (parameters, message) => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox), [{}], action('hook', 'getAll', parameters));
		expect(done.error.message).toBe(message);
		expect(sandbox.requests).toHaveLength(0);
	});
});

const hintsOf = (done: Finished) =>
	(done.runs('Node')[0]?.hints ?? []).map(({ message }) => message);

describe('Licence', () => {
	it('→ Get Many gives all four', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox), [{}], action('licence', 'getAll'));
		expect(done.json('Node').map(({ product }) => product)).toEqual([
			'creator-briefs',
			'seller-advisor',
			'content-iq',
			'receipts',
		]);
	});

	it.each(['true-count', 'zero'] as const)(
		'→ Get Brief Allowance counts the briefs itself, whatever used_this_month says: %s',
		async (usedThisMonth) => {
			const sandbox = await sandboxWith({
				usedThisMonth,
				startAt: Date.UTC(2026, 10, 12),
				speed: 1,
			});
			for (let count = 0; count < 3; count += 1) sandbox.addBrief({ status: 'ready' });
			sandbox.addBrief({ status: 'ready', createdAt: Date.UTC(2026, 9, 31) });
			sandbox.addBrief();
			const done = await runNode(targetOf(sandbox), [{}], action('licence', 'getAllowance'));
			expect(done.json('Node')).toEqual([
				{
					allowance: 100,
					used: 4,
					remaining: 96,
					running: 1,
					resets_at: '2026-12-01T00:00:00.000Z',
					notice: null,
				},
			]);
		},
	);

	it.each([
		['is past', { renews_or_ends_at: '2020-01-01' }, 99, /was to renew or end at 2020-01-01.*403/],
		['has no channel api', { channels: ['web'] }, 99, /does not list the channel “api”, only: web/],
		['is another product’s', { product: 'briefs' }, null, /lists no licence.*403.*is not known/],
		['allows -1', { monthly_allowance: -1 }, null, /^The month’s allowance is not known.*429/],
		['allows a text', { monthly_allowance: 'no limit' }, null, /allowance is not known/],
	])('that %s is told, and all goes on', async (_case, changes, remaining, notice) => {
		const sandbox = await sandboxWith();
		const url = await startFront(sandbox, withLicence(changes));
		const target = { ...targetOf(sandbox), url };
		expect((await runNode(target, products(1), create())).json('Create')).toHaveLength(1);
		const done = await runNode(target, [{}, {}], action('licence', 'getAllowance'));
		const [item] = done.json('Node');
		expect(item).toMatchObject({ used: 1, remaining });
		expect(item?.['notice']).toMatch(notice);
		expect(hintsOf(done)).toEqual([item?.['notice']]);
		const all = await runNode(target, [{}], action('licence', 'getAll'));
		expect(hintsOf(all)).toHaveLength(item?.['notice']?.toString().includes('403') ? 1 : 0);
	});
});

it('an operation that a tampered workflow names is refused with a cure', async () => {
	const sandbox = await sandboxWith();
	const done = await runNode(targetOf(sandbox), products(1), action('brief', 'delete'));
	expect(done.error.message).toMatch(/'delete' is not known/);
});

describe('a list of briefs that cannot be read to its end', () => {
	it.each([
		[400, /refuses a cursor of its own \(400\)/],
		['first-page', /starts over where it is asked for the next page/],
	] as const)(
		'is an error with Return All where a stale cursor gives %s',
		async (staleCursor, said) => {
			const sandbox = await sandboxWith({ staleCursor, cursorMemoryMs: 0 });
			for (let n = 0; n < 120; n += 1) sandbox.addBrief({ durationMs: 1 });
			const all = action('brief', 'getAll', { returnAll: true, filters: { status: '' } });
			const done = await runNode(targetOf(sandbox), [{}], all);
			expect(done.error.message).toMatch(said);
			expect(done.error.description).toContain('no fault of the key or of your data');
			const few = action('brief', 'getAll', { limit: 50, filters: { status: '' } });
			expect((await runNode(targetOf(sandbox), [{}], few)).status).toBe('success');
		},
	);
});
