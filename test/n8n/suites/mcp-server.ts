import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
	workflow,
	type SavedWorkflow,
	type WorkflowNode,
} from '../../../harness/workflows/workflow';
import { createBearer, useExample } from '../../support/n8n/examples';
import {
	client,
	describeInNewest,
	n8n,
	publish,
	openService,
	STILL,
	testName,
	type Service,
} from '../../support/n8n/rig';

type Answer = Record<string, unknown>;

const TOKEN = 'a-long-token-of-the-user';

/** An expression that lets the model fill in a parameter. */
function fromModel(name: string): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${name}\`, 'string') }}`;
}

/** Returns a workflow with nodes as the tools of an MCP Server Trigger. */
function makeServer(path: string, nodes: WorkflowNode[]) {
	const trigger: WorkflowNode = {
		name: 'MCP Server',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		parameters: { path },
		webhookId: path,
	};
	const tools = nodes.map((node) => ({ ...node, type: `${node.type}Tool` }));
	const server = workflow(testName(), [trigger, ...tools]);
	for (const { name } of tools)
		server.connections[name] = { ai_tool: [[{ node: trigger.name, type: 'ai_tool', index: 0 }]] };
	return server;
}

/** Publishes a workflow with an MCP Server Trigger, and connects an MCP client to it. */
async function connect(saved: SavedWorkflow, path: string, headers: Record<string, string> = {}) {
	await publish(saved);
	const caller = new Client({ name: 'test', version: '1' });
	const url = new URL(`${n8n().server.url}/mcp/${path}`);
	await caller.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
	/** Calls a tool with the client's limit, which is a minute, and returns the first item of the answer. */
	const call = async (name: string, values: object): Promise<Answer> => {
		const { content } = await caller.callTool({ name, arguments: { ...values } });
		const [{ text = '' } = {}] = content as Array<{ text?: string }>;
		return (JSON.parse(text) as Answer[])[0]!;
	};
	return { call, close: () => caller.close() };
}

async function openExample(service: Service) {
	const path = randomUUID();
	const saved = await useExample(
		'tools-for-ai-assistants.json',
		service,
		{ 'creator-briefs': path },
		await createBearer(TOKEN),
	);
	return { saved, path };
}

/** MCP clients outside of n8n call the nodes by MCP Server Trigger, with a timeout of a minute. */
export function mcpServer(): void {
	describeInNewest('a client of MCP Server Trigger', () => {
		test('gets the status of a running brief, and the finished brief with a later call', async () => {
			const { sandbox, nodes } = await openService(STILL);
			const product = { Product_Name: 'Glow Serum' };
			const briefId = { __rl: true, mode: 'id', value: fromModel('Brief_ID') };
			const path = randomUUID();
			const server = makeServer(path, [
				nodes.create({ productName: fromModel('Product_Name'), waitUntilReady: true }),
				nodes.wait({ briefId }),
			]);
			const { call, close } = await connect(await client().createWorkflow(server), path);
			const running = {
				status: expect.stringMatching(/^(queued|researching|writing)$/) as string,
				next_step: expect.stringMatching(/Call again in 3 minutes/) as string,
			};
			const created = await call('Create', product);
			const { id } = sandbox.briefs()[0]!;
			expect(created).toMatchObject({ id, ...running, already_existed: false });
			expect(await call('Wait', { Brief_ID: id })).toMatchObject({ id, ...running });
			sandbox.finish(id);
			const markdown = expect.stringMatching(/^# /) as string;
			const ready = { id, status: 'ready', already_existed: true, markdown };
			expect(await call('Create', product)).toMatchObject(ready);
			expect(sandbox.createdCount()).toBe(1);
			await close();
		}, 240_000);

		test('reads hooks, orders one brief, and gets its text with the example tools-for-ai-assistants', async () => {
			const service = await openService();
			const { sandbox } = service;
			const { saved, path } = await openExample(service);
			const { call, close } = await connect(saved, path, { authorization: `Bearer ${TOKEN}` });
			const hook = await call('Get_winning_hooks', { Category: 'Wellness' });
			expect(hook).toMatchObject({ category: 'Wellness' });
			const order = {
				Product_Name: 'Glow Serum',
				Creative_Direction: hook['hook'],
				Audience: '',
			};
			const ordered = await call('Order_a_brief', order);
			const { id } = sandbox.briefs()[0]!;
			expect(ordered).toMatchObject({ id });
			expect(await call('Order_a_brief', order)).toMatchObject({ id, already_existed: true });
			sandbox.finish(id);
			expect((await call('Get_a_brief', { Brief_ID: id }))['markdown']).toMatch(/^# /);
			expect(await call('Get_the_allowance', {})).toHaveProperty('remaining');
			expect(sandbox.createdCount()).toBe(1);
			await close();
		});

		test('is refused by the example without the token', async () => {
			const { saved, path } = await openExample(await openService());
			await expect(connect(saved, path)).rejects.toThrow('Authorization data is wrong');
		});
	});
}
