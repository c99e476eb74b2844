import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CREDENTIAL_TYPE } from '../../../harness/workflows/package-nodes';
import { exampleFolder, importExample } from '../../../harness/workflows/examples';
import {
	workflow,
	type SavedWorkflow,
	type WorkflowNode,
} from '../../../harness/workflows/workflow';
import { fromModel, LANGCHAIN, tool } from '../../support/n8n/agent';
import {
	client,
	isNewest,
	n8n,
	POLL_SECONDS,
	serviceWith,
	testName,
	type Service,
} from '../../support/n8n/rig';

type Answer = Record<string, unknown>;

/** Opens an MCP Server Trigger with nodes as its tools. */
async function openServer(tools: WorkflowNode[]) {
	const path = randomUUID();
	const trigger: WorkflowNode = {
		name: 'MCP Server',
		type: `${LANGCHAIN}.mcpTrigger`,
		typeVersion: 2,
		parameters: { path },
		webhookId: path,
	};
	const all = workflow(testName(), [trigger, ...tools], []);
	for (const { name } of tools)
		all.connections[name] = { ai_tool: [[{ node: trigger.name, type: 'ai_tool', index: 0 }]] };
	return await connect(await client().createWorkflow(all), path);
}

/** Publishes a workflow with an MCP Server Trigger, and connects the protocol's own client to it. */
async function connect(saved: SavedWorkflow, path: string, headers: Record<string, string> = {}) {
	await client().publishAndWait(saved);
	const caller = new Client({ name: 'test', version: '1' });
	const url = new URL(`${n8n().server.url}/mcp/${path}`);
	const requestInit = { headers };
	await caller.connect(new StreamableHTTPClientTransport(url, { requestInit }));
	/** Calls a tool with the client's own limit, which is a minute. */
	const call = async (name: string, values: object): Promise<Answer[]> => {
		const { content } = await caller.callTool({ name, arguments: { ...values } });
		const [{ text = '' } = {}] = content as Array<{ text?: string }>;
		return JSON.parse(text) as Answer[];
	};
	const close = async () => {
		await caller.close();
		await client().unpublish(saved.id);
	};
	return { call, close };
}

/** Clients outside of n8n, which call the nodes by MCP Server Trigger and give up after a minute. */
export function outsideCallers(): void {
	(isNewest ? describe : describe.skip)('a client of MCP Server Trigger', () => {
		const product = { Product_Name: 'Glow Serum' };
		const productName = fromModel('Product_Name', 'Name of the product');
		const briefId = { __rl: true, mode: 'id', value: fromModel('Brief_ID', 'ID of the brief') };

		it('hears of a brief that is still being written, and gets it with a later call', async () => {
			// Time goes as it does.
			const { sandbox, nodes } = await serviceWith({ speed: 1 });
			const server = await openServer([
				tool(nodes.create({ productName, waitUntilReady: true })),
				tool(nodes.wait({ briefId })),
			]);
			const [created] = await server.call('Create', product);
			const { id } = sandbox.briefs()[0]!;
			const running = expect.stringMatching(/^(queued|researching|writing)$/) as string;
			const next_step = expect.stringMatching(/Call again in 3 minutes/) as string;
			expect(created).toMatchObject({ id, status: running, next_step, already_existed: false });
			const [waited] = await server.call('Wait', { Brief_ID: id });
			expect(waited).toMatchObject({ id, status: running, next_step });
			sandbox.finish(id);
			const [ready] = await server.call('Create', product);
			expect(ready).toMatchObject({ id, status: 'ready', already_existed: true });
			expect(ready!['markdown']).toMatch(/^# /);
			expect(sandbox.createdCount()).toBe(1);
			await server.close();
		}, 240_000);

		describe('of the example tools-for-ai-assistants', () => {
			const token = 'a-long-token-of-the-user';

			async function openExample({ nodes }: Service) {
				const bearer = await client().createCredential('httpBearerAuth', 'Assistant', { token });
				const path = randomUUID();
				const file = join(exampleFolder, 'tools-for-ai-assistants.json');
				const saved = await importExample(client(), file, {
					credentials: { [CREDENTIAL_TYPE]: nodes.reference, httpBearerAuth: bearer },
					values: { 'creator-briefs': path },
					pollSeconds: POLL_SECONDS,
				});
				return { saved, path };
			}

			it('reads hooks, orders one brief for each call, and gets its text', async () => {
				const service = await serviceWith();
				const { sandbox } = service;
				const { saved, path } = await openExample(service);
				const server = await connect(saved, path, { authorization: `Bearer ${token}` });
				const [hook] = await server.call('Get_winning_hooks', { Category: 'Wellness' });
				expect(hook).toMatchObject({ category: 'Wellness' });
				const order = {
					Product_Name: 'Glow Serum',
					Creative_Direction: hook!['hook'],
					Audience: '',
				};
				const [ordered] = await server.call('Order_a_brief', order);
				const [again] = await server.call('Order_a_brief', order);
				const { id } = sandbox.briefs()[0]!;
				expect([ordered, again]).toMatchObject([{ id }, { id, already_existed: true }]);
				sandbox.finish(id);
				const [text] = await server.call('Get_a_brief', { Brief_ID: id });
				expect(text!['markdown']).toMatch(/^# /);
				const [left] = await server.call('Get_the_allowance', {});
				expect(left).toHaveProperty('remaining');
				expect(sandbox.createdCount()).toBe(1);
				await server.close();
			});

			it('refuses a caller without the token', async () => {
				const { saved, path } = await openExample(await serviceWith());
				await expect(connect(saved, path)).rejects.toThrow('Authorization data is wrong');
				await client().unpublish(saved.id);
			});
		});
	});
}
