import { FIRST_PACE } from '../../nodes/shared/pace';
import { FIRST_TRIES } from '../../service/assumptions';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoadOptionsContext } from 'n8n-core';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox';
import { additionalDataFor, runNode, startNode, workflowOf } from '../support/engine/engine';
import {
	action,
	continuing,
	create,
	type Fault,
	get,
	itemsIn,
	products,
	ran,
	requestsOf,
	sandboxWith,
	says,
	targetOf,
	wait,
	withErrorOutput,
} from '../support/engine/fixtures';
import { Poller } from '../support/engine/poller';
import { startFront, withLicence } from '../support/front';
import { engineTime, until } from '../support/engine/time';

const getMany = (more = {}) => action('brief', 'getAll', more);
const hooks = (more = {}) => action('hook', 'getAll', more);

/** A sandbox with so many briefs that are ready, and their items. */
async function sandboxOf(count: number, options: SandboxOptions = {}, ...faults: Fault[]) {
	const sandbox = await sandboxWith(options, ...faults);
	return { sandbox, items: itemsIn(sandbox, ...Array<'ready'>(count).fill('ready')) };
}

describe('Brief → Get', () => {
	it('reads many briefs and keeps their order', async () => {
		const { sandbox, items } = await sandboxOf(25);
		const done = await runNode(sandbox, items, get());
		expect(done.items('Node')).toMatchObject(
			items.map((json, item) => ({ json, pairedItem: { item } })),
		);
		expect(sandbox.requests).toHaveLength(25);
	});

	it('reads 140 briefs in three round trips', async () => {
		const slow = { kind: 'slow', delayMs: 100, times: 140 } as const;
		const { sandbox, items } = await sandboxOf(140, {}, slow);
		const started = engineTime().now();
		expect((await runNode(sandbox, items, get())).json('Node')).toHaveLength(140);
		expect(engineTime().now() - started).toBe(3 * 100);
	});

	it('asks for fewer at a time once the service calls for that', async () => {
		const { sandbox, items } = await sandboxOf(300, { requestsPerMinute: 60 });
		const done = await runNode(sandbox, items, get());
		expect(done.all('status', 'Node')).toEqual(items.map(() => 'ready'));
		expect(sandbox.requests.filter(({ status }) => status === 429).length).toBeLessThan(110);
	});

	it('reads all, also if the service calls for fewer many times in one round', async () => {
		const refusals = { kind: '429', skip: 60, times: 30, retryAfter: 1 } as const;
		const slow = { kind: 'slow', delayMs: 100, times: 900 } as const;
		const { sandbox, items } = await sandboxOf(300, {}, refusals, slow);
		expect((await runNode(sandbox, items, get())).json('Node')).toHaveLength(300);
	});

	it('ends with the first item that fails, and begins no more', async () => {
		const refusal = { kind: '5xx', status: 418, skip: 1, times: 99 } as const;
		const { sandbox, items } = await sandboxOf(100, {}, refusal);
		expect((await runNode(sandbox, items, get())).status).toBe('error');
		expect(sandbox.requests.length).toBeLessThan(25);
	});

	it('gives the Markdown as a file of the product’s name, if there is one', async () => {
		const { sandbox, items } = await sandboxOf(1);
		const both = [...items, { id: sandbox.addBrief().id }];
		const done = await runNode(sandbox, both, get({ options: { markdownFile: true } }));
		const [ready, running] = done.items('Node');
		const file = ready!.binary!['data']!;
		expect(file.fileName).toMatch(/^[\p{L}\p{N}-]+\.md$/u);
		expect(Buffer.from(file.data, 'base64').toString()).toBe(ready!.json['markdown']);
		expect(running!.binary).toBeUndefined();
	});

	it('names what is not there, and goes on with the others if On Error continues', async () => {
		const { sandbox, items } = await sandboxOf(1);
		const both = [{ id: randomUUID() }, ...items];
		const message = `There is no brief ${both[0]!.id} in the workspace of this API key (404)`;
		const { error } = await runNode(sandbox, both, get());
		expect(error).toMatchObject({ message: `${message} [item 0]`, httpCode: '404' });
		const done = await runNode(sandbox, both, get(withErrorOutput));
		expect(done.json('Node', 1)).toMatchObject([{ error: message, code: 'not_found' }]);
		expect(done.json('Node', 0)).toMatchObject([{ ...items[0], status: 'ready' }]);
	});

	it('waits as long as a rate limit asks, and a failing service is asked again', async () => {
		const faults: Fault[] = [
			{ kind: '429', retryAfter: 1 },
			{ kind: '5xx', retryAfter: 0 },
		];
		const { sandbox, items } = await sandboxOf(1, {}, ...faults);
		const started = engineTime().now();
		expect((await runNode(sandbox, items, get())).status).toBe('success');
		expect(engineTime().now() - started).toBeGreaterThanOrEqual(1000);
		expect(sandbox.requests).toHaveLength(3);
	});

	it('follows no redirect with the key in hand', async () => {
		const { sandbox, items } = await sandboxOf(1, {}, { kind: 'redirect', times: 99 });
		const { error } = await runNode(sandbox, items, wait());
		expect(error.message).toMatch(/in the service’s place \(307\): it is a redirect to localhost/);
		expect(sandbox.requests).toHaveLength(FIRST_TRIES.failures);
	});

	it('says of a refused key what happened, what to do, the status and the item', async () => {
		const { sandbox, items } = await sandboxOf(1);
		const { error } = await runNode(targetOf(sandbox, 'revoked'), items, get());
		expect(error).toMatchObject({
			message: 'The API key was refused: it is wrong, has expired or was revoked (401) [item 0]',
			description: says(
				/^Create a new key .* in the credential \(Creator Briefing API\)\. The service says: .*The request was req_\w+\.$/,
			),
			httpCode: '401',
		});
	});

	it('never shows the API key, even if the service repeats it', async () => {
		const { sandbox, items } = await sandboxOf(1);
		const { allScopes } = sandbox.keys;
		const error = { code: 'bad_request', message: `Odd key ${allScopes}`, request_id: 'req_1' };
		const url = await startFront(sandbox, () =>
			Promise.resolve({ status: 400, body: JSON.stringify({ error }) }),
		);
		const done = await runNode({ url, key: allScopes }, items, get());
		expect(done.error.description).toContain('Odd key [API key]');
		expect(JSON.stringify(done.run.data)).not.toContain(allScopes);
	});

	it('renames a field error of the service, by which n8n would run the node again', async () => {
		const { sandbox, items } = await sandboxOf(1);
		const url = await startFront(sandbox, async ({ path }, pass) => {
			const { status, body } = await pass(path);
			return { status, body: JSON.stringify({ ...(JSON.parse(body) as object), error: null }) };
		});
		const done = await runNode({ ...targetOf(sandbox), url }, items, get({ simplify: false }));
		expect(done.json('Node')).toMatchObject([{ ...items[0], service_error: null }]);
		expect(done.json('Node')[0]).not.toHaveProperty('error');
	});

	it('gives up an answer that has not come within a minute', async () => {
		const slow = { kind: 'slow', delayMs: 3_600_000 } as const;
		const { sandbox, items } = await sandboxOf(1, {}, slow);
		const started = engineTime().now();
		const { error } = await runNode(sandbox, items, get());
		expect(error.message).toMatch(/no whole answer within 60 seconds \[item 0\]$/);
		expect(engineTime().now() - started).toBe(60_000);
	});

	it('is ended by Stop, also if On Error continues', async () => {
		const slow = { kind: 'slow', delayMs: 1000, times: 100 } as const;
		const { sandbox, items } = await sandboxOf(30, {}, slow);
		const execution = startNode(sandbox, items, get(continuing));
		await until(() => sandbox.requests.length === FIRST_PACE.limit);
		execution.stop();
		const done = await execution.ended;
		expect(done.status).toBe('canceled');
		// n8n then passes the input on; what counts is that Stop is no result of an item.
		expect(done.json('Node').filter((json) => 'error' in json)).toEqual([]);
		expect(sandbox.requests).toHaveLength(FIRST_PACE.limit);
	});
});

describe('Brief → Get Many', () => {
	it('follows the pages to the end with Return All', async () => {
		const { sandbox } = await sandboxOf(230);
		const done = await runNode(sandbox, [{}], getMany({ returnAll: true }));
		expect(new Set(done.all('id', 'Node')).size).toBe(230);
		expect(requestsOf(sandbox, 'list_briefs')).toBe(3);
	});

	it('asks for no more than the limit, and for one status', async () => {
		const { sandbox } = await sandboxOf(10);
		const done = await runNode(sandbox, [{}], getMany({ limit: 3 }));
		expect(done.json('Node')).toHaveLength(3);
		expect(sandbox.requests[0]!.query).toEqual({ limit: '3' });
		sandbox.addBrief({ status: 'failed' });
		const failed = await runNode(sandbox, [{}], getMany({ filters: { status: 'failed' } }));
		expect(failed.all('status', 'Node')).toEqual(['failed']);
	});

	it('shows a refusal with its details', async () => {
		const { error } = (await ran([{}], getMany({ filters: { status: 'polishing' } }))).done;
		expect(error.message).toBe('The service refused the request as not valid (400) [item 0]');
		expect(error.description).toMatch(/^The service says: .*status.* The request was req_/);
		expect(error.httpCode).toBe('400');
	});

	it.each([
		[400, /refuses its own cursor \(400\)/],
		['first-page', /starts over when it is asked for the next page/],
	] as const)(
		'fails with Return All if a stale cursor gives %s, and not with a limit',
		async (staleCursor, said) => {
			const { sandbox } = await sandboxOf(120, { staleCursor, cursorMemoryMs: 0 });
			const { error } = await runNode(sandbox, [{}], getMany({ returnAll: true }));
			expect(error.message).toMatch(said);
			expect(error.description).toContain('no fault of the key or of your data');
			expect((await runNode(sandbox, [{}], getMany({ limit: 50 }))).status).toBe('success');
		},
	);
});

describe('Hook → Get Many', () => {
	it('asks once for all categories', async () => {
		const { sandbox, done } = await ran([{}], hooks({ limit: 20 }));
		expect(done.json('Node')).toHaveLength(20);
		expect(sandbox.requests.map(({ query }) => query)).toEqual([{ sort: 'score', limit: '20' }]);
		expect(Object.keys(done.json('Node')[0]!)).toHaveLength(10);
	});

	it('asks for each of several categories, written in any case as in forms and sheets', async () => {
		const categories = '={{ ["Beauty & Skincare", " WELLNESS "] }}';
		const node = hooks({ categories, limit: 15, options: { sort: 'newest' } });
		const { sandbox, done } = await ran([{}], node);
		const asked = sandbox.requests.map(({ query }) => [query['category'], query['sort']]);
		expect(asked).toEqual([
			['Beauty & skincare', 'newest'],
			['Wellness', 'newest'],
		]);
		expect(done.json('Node')).toHaveLength(15);
	});

	it('gives with Return All what the service lists of each category', async () => {
		const categories = ['Beauty & skincare', 'Wellness'];
		const { sandbox, done } = await ran([{}], hooks({ categories, returnAll: true }));
		const limits = sandbox.requests.map(({ query }) => query['limit']);
		expect(limits).toEqual(['80', '80']);
		expect(done.json('Node').length).toBeGreaterThan(50);
		const all = await runNode(sandbox, [{}], hooks({ returnAll: true }));
		expect(all.json('Node').length).toBeGreaterThan(80);
		expect(new Set(all.all('category', 'Node')).size).toBe(6);
	});
});

describe('what is refused before anything is sent', () => {
	const noLimit = "'Limit' is not a whole number of at least 1 [item 0]";

	it.each([
		[getMany({ limit: '={{ 0 }}' }), noLimit],
		[getMany({ limit: '={{ -1 }}' }), noLimit],
		[getMany({ limit: '={{ 1.5 }}' }), noLimit],
		[getMany({ limit: '={{ "many" }}' }), noLimit],
		[hooks({ limit: 81 }), "'Limit' is not a whole number from 1 to 80 [item 0]"],
		[hooks({ categories: ['Cars'] }), "'Categories' contains “Cars”, which is not a category"],
		[hooks({ options: { q: 'x'.repeat(81) } }), "'Search' has more than 80 characters [item 0]"],
		[hooks({ options: { sort: 'best' } }), "'Sort' has an unknown value [item 0]"],
		[action('brief', 'delete'), "'delete' is not known"],
	])('%j', async (node, message) => {
		const { sandbox, done } = await ran([{}], node);
		expect(done.error.message).toContain(message);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('Licence', () => {
	it('→ Get Many gives all four', async () => {
		const { done } = await ran([{}], action('licence', 'getAll'));
		const products = ['creator-briefs', 'seller-advisor', 'content-iq', 'receipts'];
		expect(done.all('product', 'Node')).toEqual(products);
	});

	it('→ Get Brief Allowance counts the briefs itself if used_this_month reads 0', async () => {
		const startAt = Date.UTC(2026, 10, 12);
		const { sandbox } = await sandboxOf(3, { usedThisMonth: 'zero', startAt });
		sandbox.addBrief({ status: 'ready', createdAt: Date.UTC(2026, 9, 31) });
		sandbox.addBrief();
		const done = await runNode(sandbox, [{}], action('licence', 'getAllowance'));
		const counts = { allowance: 100, used: 4, remaining: 96, running: 1 };
		expect(done.json('Node')).toEqual([
			{ ...counts, resets_at: '2026-12-01T00:00:00.000Z', notice: null },
		]);
	});

	it.each([
		[
			'has no channel api',
			99,
			1,
			{ channels: ['web'] },
			/not list the channel “api”, only: web.*403/,
		],
		['is another’s', null, 1, { product: 'briefs' }, /lists no licence.*403.*is not known/],
		['allows -1', null, 0, { monthly_allowance: -1 }, /^The month’s allowance is not known.*429/],
		['allows a text', null, 0, { monthly_allowance: 'no limit' }, /allowance is not known/],
	])('that %s is reported, and all goes on', async (_, remaining, doubts, changes, notice) => {
		const sandbox = await sandboxWith();
		const target = { ...targetOf(sandbox), url: await startFront(sandbox, withLicence(changes)) };
		expect((await runNode(target, products(1), create())).status).toBe('success');
		const done = await runNode(target, [{}, {}], action('licence', 'getAllowance'));
		const [item] = done.json('Node');
		expect(item).toMatchObject({ used: 1, remaining, notice: says(notice) });
		expect(done.hints('Node')).toEqual([item!['notice']]);
		const all = await runNode(target, [{}], action('licence', 'getAll'));
		expect(all.hints('Node')).toHaveLength(doubts);
	});
});

describe('From List', () => {
	/** What the editor asks for. */
	async function search(sandbox: Sandbox, filter?: string, token?: string, key?: 'revoked') {
		const workflow = workflowOf([{ name: 'Node', type: 'creatorBriefing' }]);
		const additionalData = additionalDataFor(targetOf(sandbox, key));
		const context = new LoadOptionsContext(workflow, workflow.getNode('Node')!, additionalData, '');
		const { description, methods } = new CreatorBriefing();
		const { modes } = description.properties.find(({ name }) => name === 'briefId')!;
		const method = modes![0]!.typeOptions!.searchListMethod as 'searchBriefs';
		return await methods.listSearch[method].call(context, filter, token);
	}

	it('shows the newest briefs first, with their state and link, page by page', async () => {
		const { sandbox } = await sandboxOf(130);
		sandbox.advance(1000);
		const { id } = sandbox.addBrief({ product_name: 'Glow Serum', createdAt: sandbox.now() });
		const first = await search(sandbox);
		expect(first.results).toHaveLength(100);
		expect(first.results[0]).toEqual({
			name: says(/^Glow Serum · queued · \d+ \w{3} \d{4}, \d\d:\d\d$/),
			value: id,
			url: says(id),
		});
		const second = await search(sandbox, '', first.paginationToken);
		expect(second.results).toHaveLength(31);
		expect(second.paginationToken).toBeUndefined();
	});

	it('finds by words of the title or product, on later pages too', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'ready', product_name: 'Crème de Jour' });
		for (let count = 0; count < 150; count += 1) sandbox.addBrief({ status: 'ready' });
		const { results } = await search(sandbox, 'JOUR crème');
		expect(results.map(({ value }) => value)).toEqual([id]);
		expect((await search(sandbox, 'nothing like it')).results).toEqual([]);
	});

	it('says why it cannot show any', async () => {
		const sandbox = await sandboxWith();
		await expect(search(sandbox, '', undefined, 'revoked')).rejects.toThrow(/key was refused/);
	});
});

// n8n's editor shows these files as a preview of the output, so that later nodes can be mapped without running this one
// (docs/n8n-behaviour.md, “Files beside the compiled node”). It finds them by version, resource and operation.
describe('the preview of the output', () => {
	interface Schema {
		type: string;
		properties?: Record<string, Schema>;
		items?: Schema;
	}

	const nodes = join(__dirname, '..', '..', 'nodes');
	const pathOf = (node = '', ...parts: string[]) =>
		join(nodes, node, '__schema__', `${['v1.0.0', ...parts].join('/')}.json`);
	const schemaOf = (...parts: string[]) =>
		JSON.parse(readFileSync(pathOf(...parts), 'utf8')) as Schema;

	/** What is wrong with the schema for this value, field by field; null fits each type. */
	function differences(schema: Schema | undefined, value: unknown, path = 'item'): string[] {
		if (schema === undefined) return [`${path} is not in the schema`];
		if (value === null) return [];
		const type = Array.isArray(value) ? 'array' : typeof value;
		if (type !== schema.type) return [`${path} is ${type} and not ${schema.type}`];
		if (Array.isArray(value)) {
			return value.flatMap((each) => differences(schema.items, each, `${path}[]`));
		}
		if (type !== 'object') return [];
		const fields = value as Record<string, unknown>;
		const names = [...new Set([...Object.keys(fields), ...Object.keys(schema.properties ?? {})])];
		return names.flatMap((name) =>
			name in fields
				? differences(schema.properties?.[name], fields[name], `${path}.${name}`)
				: [`${path}.${name} is not in the output`],
		);
	}

	it.each([
		[['CreatorBriefing', 'brief', 'create'], create()],
		[['CreatorBriefing', 'brief', 'create'], create({ waitUntilReady: true })],
		[['CreatorBriefing', 'brief', 'get'], get()],
		[['CreatorBriefing', 'brief', 'getAll'], getMany()],
		[['CreatorBriefing', 'hook', 'getAll'], hooks()],
		[['CreatorBriefing', 'licence', 'getAll'], action('licence', 'getAll')],
		[['CreatorBriefing', 'licence', 'getAllowance'], action('licence', 'getAllowance')],
		[['CreatorBriefingWait'], wait()],
	])('is what comes out: %j', async (path, node) => {
		const { sandbox, items } = await sandboxOf(1);
		const done = await runNode(sandbox, [{ ...items[0], name: 'Glow Serum' }], node);
		expect(differences(schemaOf(...path), done.json(node.name)[0])).toEqual([]);
	});

	it('is what comes out of the trigger, for the event that it has by default', async () => {
		const sandbox = await sandboxWith();
		const items = await new Poller(targetOf(sandbox), { triggerOn: 'hooksRefreshed' }).test();
		expect(differences(schemaOf('CreatorBriefingTrigger'), items![0]!.json)).toEqual([]);
	});

	it('is there for each operation', () => {
		const { properties } = new CreatorBriefing().description;
		const files = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options = [] }) =>
				options.map((option) =>
					pathOf(
						'CreatorBriefing',
						displayOptions?.show?.['resource']?.[0] as string,
						'value' in option ? String(option.value) : '',
					),
				),
			);
		expect(files).toHaveLength(6);
		expect(files.filter((file) => !existsSync(file))).toEqual([]);
	});
});
