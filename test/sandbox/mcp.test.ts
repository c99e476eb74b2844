import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { operationIds } from '../../sandbox/contract';
import type { KeyName, SandboxOptions } from '../../sandbox/sandbox';
import { type Bench, type Body, startBench as start, uuidOf } from '../support/sandbox/bench';
import { MINUTE } from '../support/time';

const clients: Client[] = [];
afterEach(async () => {
	await Promise.all(clients.splice(0).map((client) => client.close()));
});

interface ToolAnswer {
	isError: boolean;
	body: Body;
}

/** An assistant, as the protocol's own SDK makes one. */
async function assistant(bench: Bench, key: KeyName | null = 'allScopes') {
	const { mcpUrl, keys } = bench.sandbox;
	const headers = key === null ? undefined : { Authorization: `Bearer ${keys[key]}` };
	const client = new Client({ name: 'test', version: '1.0.0' });
	clients.push(client);
	await client.connect(
		new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers } }),
	);
	async function call(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
		const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
		const [content, ...more] = result.content;
		expect(more).toEqual([]);
		if (content?.type !== 'text') throw new Error('The tool answers with something else than text');
		return { isError: result.isError === true, body: JSON.parse(content.text) as Body };
	}
	return { client, call };
}

/** A bench, and an assistant at it. */
async function startWith(options: SandboxOptions = {}) {
	const bench = await start(options);
	return { bench, ...(await assistant(bench)) };
}

/** What is the same over HTTP and over the protocol: all but the number of the request. */
function comparable({ error }: Body): object {
	return { ...error, request_id: expect.stringMatching(/^req_[0-9a-f]{12}$/) as string };
}

describe('the endpoint for AI assistants', () => {
	it('offers the five operations as tools, with schemas from the OpenAPI document', async () => {
		const { client } = await startWith();
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name)).toEqual([...operationIds]);
		expect(tools.every(({ description = '' }) => description.length > 50)).toBe(true);
		const schema = (name: string) => tools.find((tool) => tool.name === name)!.inputSchema;
		expect(schema('create_brief')).toMatchObject({
			required: ['product_name'],
			additionalProperties: false,
			properties: {
				product_name: { type: 'string', minLength: 2, maxLength: 180 },
				idempotency_key: { format: 'uuid' },
			},
		});
		const id = { type: 'string', format: 'uuid' };
		expect(schema('get_brief')).toMatchObject({ required: ['id'], properties: { id } });
		const properties = { sort: { default: 'score' }, limit: { maximum: 80 } };
		expect(schema('list_hooks')).toMatchObject({ required: [], properties });
	});
});

describe('the tool', () => {
	it.each([
		['list_licences', {}, '/licences'],
		['list_briefs', { limit: 1, status: 'ready' }, '/briefs?limit=1&status=ready'],
		[
			'list_hooks',
			{ category: 'Fashion', limit: 3, sort: 'views' },
			'/content-iq/hooks?category=Fashion&limit=3&sort=views',
		],
	])('%s gives what its operation gives over HTTP', async (name, given, path) => {
		const { bench, call } = await startWith();
		bench.sandbox.addBrief({ status: 'ready' });
		const answer = await call(name, given);
		expect(answer).toEqual({ isError: false, body: (await bench.get(path)).body });
		expect(answer.body.data.length).toBeGreaterThan(0);
	});

	it('create_brief orders a brief, and get_brief gives it whole when it is ready', async () => {
		const { bench, call } = await startWith();
		const created = await call('create_brief', {
			product_name: 'Serum',
			reference_urls: ['https://example.com/a'],
		});
		expect(created.body).toMatchObject({ status: 'queued', markdown: null });
		expect(bench.sandbox.briefs()).toMatchObject([
			{ id: created.body.id, input: { reference_urls: ['https://example.com/a'] } },
		]);
		bench.pass(10 * MINUTE);
		const { isError, body } = await call('get_brief', { id: created.body.id });
		expect([isError, body.status]).toEqual([false, 'ready']);
		expect(body).toEqual((await bench.get(`/briefs/${created.body.id}`)).body);
	});

	it.each([
		['create_brief', { product_name: 'x', colour: 'red' }, 'create'],
		['get_brief', { id: 'x' }, '/briefs/x'],
		['get_brief', { id: uuidOf(1) }, `/briefs/${uuidOf(1)}`],
		['list_hooks', { limit: 81, colour: 'red' }, '/content-iq/hooks?limit=81&colour=red'],
		['list_briefs', { limit: 'many' }, '/briefs?limit=many'],
	])('%s refuses %j as its operation does', async (name, given, path) => {
		const { bench, call } = await startWith();
		const answer = await call(name, given);
		const reply = path === 'create' ? await bench.create(given) : await bench.get(path);
		expect(reply.status).toBeGreaterThanOrEqual(400);
		expect(answer).toEqual({ isError: true, body: { error: comparable(reply.body) } });
	});
});

describe('over the protocol', () => {
	it.each([null, 'revoked'] as const)('the key %s gives 401 on every message', async (key) => {
		const bench = await start();
		await expect(assistant(bench, key)).rejects.toThrow(/unauthorized/);
		expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([401]);
	});

	it.each([
		['full', 202, false],
		['no-mcp-channel', 202, true],
		['no-api-channel', 403, true],
		['missing', 403, true],
	] as const)('the licence %s decides what may be ordered', async (licence, overHttp, isError) => {
		const { bench, call } = await startWith({ licence });
		const ordered = await call('create_brief', { product_name: 'Serum' });
		const refused = { error: expect.objectContaining({ code: 'licence_required' }) as object };
		const paid = expect.objectContaining({ status: 'queued' }) as object;
		expect(ordered).toEqual({ isError, body: isError ? refused : paid });
		expect((await bench.create()).status).toBe(overHttp);
		expect((await call('list_hooks', { limit: 1 })).isError).toBe(false);
	});

	it('calls of tools count as requests of the key, other messages do not', async () => {
		const { bench, client, call } = await startWith({ requestsPerMinute: 2 });
		await client.listTools();
		await bench.get('/licences');
		expect((await call('list_licences')).isError).toBe(false);
		const { isError, body } = await call('list_licences');
		expect([isError, body.error.code]).toEqual([true, 'rate_limited']);
	});

	it.each(['5xx', 'cut'] as const)(
		'a fault %s strikes the call of the tool that it is meant for',
		async (kind) => {
			const { bench, call } = await startWith();
			bench.sandbox.faults.add({ kind, operation: 'list_hooks' });
			expect((await call('list_licences')).isError).toBe(false);
			await expect(call('list_hooks')).rejects.toThrow();
			expect((await call('list_hooks')).isError).toBe(false);
		},
	);
});
