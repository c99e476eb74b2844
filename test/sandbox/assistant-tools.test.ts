import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { operationIds } from '../../sandbox/contract';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox';
import { makeUuid, startTestApi, type TestApi, type Body } from '../support/sandbox/test-api';
import { MINUTE } from '../support/time';

const clients: Client[] = [];
afterEach(async () => {
	await Promise.all(clients.splice(0).map((client) => client.close()));
});

interface ToolAnswer {
	isError: boolean;
	body: Body;
}

/** Connects an assistant with the SDK of the protocol. */
async function connect({ sandbox }: TestApi, key: keyof Sandbox['keys'] | null = 'allScopes') {
	const headers = key === null ? undefined : { Authorization: `Bearer ${sandbox.keys[key]}` };
	const client = new Client({ name: 'test', version: '1.0.0' });
	clients.push(client);
	await client.connect(
		new StreamableHTTPClientTransport(new URL(sandbox.mcpUrl), { requestInit: { headers } }),
	);
	async function call(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
		const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
		const [content] = result.content;
		if (content?.type !== 'text') throw new Error('The tool does not answer with a text');
		return { isError: result.isError === true, body: JSON.parse(content.text) as Body };
	}
	return { client, call };
}

async function startWithAssistant(options: SandboxOptions = {}) {
	const api = await startTestApi(options);
	return { api, ...(await connect(api)) };
}

test('lists the five operations as tools with the schemas of the OpenAPI document', async () => {
	const { client } = await startWithAssistant();
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name)).toEqual([...operationIds]);
	expect(tools.every(({ description = '' }) => description.length > 50)).toBe(true);
	const getSchema = (name: string) => tools.find((tool) => tool.name === name)!.inputSchema;
	expect(getSchema('create_brief')).toMatchObject({
		required: ['product_name'],
		additionalProperties: false,
		properties: {
			product_name: { type: 'string', minLength: 2, maxLength: 180 },
			idempotency_key: { format: 'uuid' },
		},
	});
	const id = { type: 'string', format: 'uuid' };
	expect(getSchema('get_brief')).toMatchObject({ required: ['id'], properties: { id } });
	const properties = { sort: { default: 'score' }, limit: { maximum: 80 } };
	expect(getSchema('list_hooks')).toMatchObject({ required: [], properties });
});

test.each([
	['list_licences', {}, '/licences'],
	['list_briefs', { limit: 1, status: 'ready' }, '/briefs?limit=1&status=ready'],
	['list_hooks', { category: 'Fashion', limit: 3 }, '/content-iq/hooks?category=Fashion&limit=3'],
])('the tool %s answers as its operation does over HTTP', async (name, given, path) => {
	const { api, call } = await startWithAssistant();
	api.sandbox.addBrief({ status: 'ready' });
	const answer = await call(name, given);
	expect(answer).toEqual({ isError: false, body: (await api.get(path)).body });
	expect(answer.body.data.length).toBeGreaterThan(0);
});

test('the tool create_brief orders a brief, and the tool get_brief returns it when it is ready', async () => {
	const { api, call } = await startWithAssistant();
	const input = { product_name: 'Serum', reference_urls: ['https://example.com/a'] };
	const created = await call('create_brief', input);
	expect(created.body).toMatchObject({ status: 'queued', markdown: null });
	expect(api.sandbox.briefs()).toMatchObject([{ id: created.body.id, input }]);
	api.pass(10 * MINUTE);
	const { isError, body } = await call('get_brief', { id: created.body.id });
	expect([isError, body.status]).toEqual([false, 'ready']);
	expect(body).toEqual((await api.get(`/briefs/${created.body.id}`)).body);
	expect(api.sandbox.requests.at(-2)).toMatchObject({
		operation: 'get_brief',
		briefId: created.body.id,
	});
});

test.each([
	['create_brief', { product_name: 'x', colour: 'red' }, 'create'],
	['get_brief', { id: 'x' }, '/briefs/x'],
	['get_brief', { id: makeUuid(1) }, `/briefs/${makeUuid(1)}`],
	['list_hooks', { limit: 81, colour: 'red' }, '/content-iq/hooks?limit=81&colour=red'],
	['list_briefs', { limit: 'many' }, '/briefs?limit=many'],
])('the tool %s refuses %j as its operation does', async (name, given, path) => {
	const { api, call } = await startWithAssistant();
	const { isError, body } = await call(name, given);
	const reply = path === 'create' ? await api.create(given) : await api.get(path);
	expect(reply.status).toBeGreaterThanOrEqual(400);
	expect([isError, body.error.code]).toEqual([true, reply.body.error.code]);
	expect(body.error.details).toEqual(reply.body.error.details);
});

test('a call of an unknown tool is an error of the protocol', async () => {
	const { call } = await startWithAssistant();
	await expect(call('delete_brief')).rejects.toThrow('There is no tool delete_brief');
});

test.each([null, 'revoked'] as const)('the key %s gets 401 on every message', async (key) => {
	const api = await startTestApi();
	await expect(connect(api, key)).rejects.toThrow(/unauthorized/);
	expect(api.sandbox.requests.map(({ status }) => status)).toEqual([401]);
});

test('only a call of a tool counts towards the rate limit of the key', async () => {
	const { api, client, call } = await startWithAssistant({ requestsPerMinute: 2 });
	await client.listTools();
	await api.get('/licences');
	expect((await call('list_licences')).isError).toBe(false);
	const { isError, body } = await call('list_licences');
	expect([isError, body.error.code]).toEqual([true, 'rate_limited']);
});

test('a fault strikes the tool of its operation', async () => {
	const { api, call } = await startWithAssistant();
	api.sandbox.faults.add({ kind: '5xx', operation: 'list_hooks' });
	expect((await call('list_licences')).isError).toBe(false);
	await expect(call('list_hooks')).rejects.toThrow();
	expect((await call('list_hooks')).isError).toBe(false);
});
