import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { workflow, type WorkflowNode } from '../../../harness/workflows/workflow';
import { fromModel, LANGCHAIN, tool } from '../../support/n8n/agent';
import { client, isNewest, n8n, serviceWith, testName } from '../../support/n8n/rig';

type Answer = Record<string, unknown>;

/** Publishes nodes as the tools of MCP Server Trigger, and connects the protocol's own client to it. */
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
	const saved = await client().createWorkflow(all);
	await client().publishAndWait(saved);
	const caller = new Client({ name: 'test', version: '1' });
	const url = new URL(`${n8n().server.url}/mcp/${path}`);
	await caller.connect(new StreamableHTTPClientTransport(url));
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
	});
}
