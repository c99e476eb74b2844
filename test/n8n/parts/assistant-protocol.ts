import { join } from 'node:path';
import type { Execution } from '../../../harness/client/execution';
import { exampleFolder, importExample } from '../../../harness/workflows/examples';
import type { WorkflowNode } from '../../../harness/workflows/workflow';
import type { KeyName, Sandbox } from '../../../sandbox/sandbox';
import { LANGCHAIN, modelCredential, sayToAgent, UUID } from '../../support/n8n/agent';
import { client, isNewest, n8n, openSandbox } from '../../support/n8n/rig';

/** n8n's own credential for a bearer token, with the API key. */
async function bearer(sandbox: Sandbox, key: KeyName = 'allScopes') {
	const token = { token: sandbox.keys[key] };
	const saved = await client().createCredential('httpBearerAuth', `Sandbox, ${key}`, token);
	return { httpBearerAuth: saved };
}

/** An agent with n8n's MCP Client Tool gets a message. */
async function askAgent(agentVersion: number, sandbox: Sandbox, key?: KeyName): Promise<Execution> {
	const briefs: WorkflowNode = {
		name: 'Briefs',
		type: `${LANGCHAIN}.mcpClientTool`,
		typeVersion: 1.4,
		parameters: {
			endpointUrl: sandbox.mcpUrl,
			serverTransport: 'httpStreamable',
			authentication: 'bearerAuth',
			include: 'all',
			options: {},
		},
		credentials: await bearer(sandbox, key),
	};
	return await sayToAgent(agentVersion, 'I need a brief', [briefs]);
}

/**
 * n8n's MCP Client nodes on the endpoint for AI assistants. The versions that the example and these tests use are there
 * from n8n 2.23 on (docs/n8n-behaviour.md, “An example may need a newer n8n”), so they are tried in the newest alone.
 */
export function assistantProtocol(): void {
	(isNewest ? describe : describe.skip)('over the assistant protocol', () => {
		it.each([2.2, 3.1])(
			'an AI agent of version %d reads the hooks, orders one brief and gets it',
			async (agentVersion) => {
				const sandbox = await openSandbox({});
				const { chatModel } = n8n();
				chatModel.steps.push(
					() => ({ call: 'Briefs_list_hooks', with: { category: 'Fashion', limit: 2 } }),
					() => ({ call: 'Briefs_create_brief', with: { product_name: 'Glow Serum' } }),
					([, created = '']) => ({
						call: 'Briefs_get_brief',
						with: { id: UUID.exec(created)?.[0] },
					}),
					() => ({ say: 'It is being written.' }),
				);
				const done = await askAgent(agentVersion, sandbox);
				expect(done.describe()).toContain('success');
				expect(done.json('Agent')).toEqual([{ output: 'It is being written.' }]);
				expect(chatModel.tools.map(({ name }) => name)).toEqual([
					'Briefs_list_licences',
					'Briefs_list_briefs',
					'Briefs_create_brief',
					'Briefs_get_brief',
					'Briefs_list_hooks',
				]);
				const [brief] = sandbox.briefs();
				expect(sandbox.createdCount()).toBe(1);
				const [hooks, created, got] = chatModel.toolAnswers();
				expect(hooks!.match(/why_it_works/g)).toHaveLength(2);
				expect(created).toContain(brief!.id);
				expect(created).toMatch(/queued/);
				expect(got).toContain(brief!.id);
			},
		);

		it.each([2.2, 3.1])(
			'an AI agent of version %d hears the service’s words where no slot is free',
			async (agentVersion) => {
				const sandbox = await openSandbox({});
				for (let slot = 0; slot < 2; slot += 1) sandbox.addBrief({ durationMs: 999_000_000 });
				const { chatModel } = n8n();
				chatModel.steps.push(
					() => ({ call: 'Briefs_create_brief', with: { product_name: 'Glow Serum' } }),
					() => ({ say: 'No slot is free.' }),
				);
				await askAgent(agentVersion, sandbox);
				const [answer] = chatModel.toolAnswers();
				expect(answer).toMatch(/concurrency_limit.*2 briefs are running.*req_/);
				expect(sandbox.createdCount()).toBe(0);
			},
		);

		it('a key that is refused ends the agent before the model is asked', async () => {
			const sandbox = await openSandbox({});
			const done = await askAgent(2.2, sandbox, 'revoked');
			expect(done.status).toBe('error');
			expect(done.describe()).toMatch(/MCP server.*Authentication failed/);
		});

		describe('the example assistant-protocol-agent', () => {
			const order = () => ({
				call: 'Creator_Briefing_create_brief',
				with: {
					product_name: 'Glow Serum',
					creative_direction: 'I stopped buying foundation',
					idempotency_key: orderKey(),
				},
			});

			it('orders one brief with a hook, and n8n waits for it', async () => {
				const sandbox = await openSandbox({});
				const { chatModel } = n8n();
				chatModel.steps.push(
					() => ({ call: 'Creator_Briefing_list_hooks', with: { limit: 5 } }),
					order,
					order,
					([, created = '']) => ({ say: `Ordered: ${UUID.exec(created)?.[0]}. It fits.` }),
				);
				const done = await runExample(sandbox);
				expect(done.describe()).toContain('success');
				expect(chatModel.tools.map(({ name }) => name)).toEqual([
					'Creator_Briefing_create_brief',
					'Creator_Briefing_list_hooks',
				]);
				const [brief] = sandbox.briefs();
				expect(sandbox.createdCount()).toBe(1);
				expect(brief!.replays).toBe(1);
				expect(brief!.input).toMatchObject({ creative_direction: 'I stopped buying foundation' });
				const [text] = done.json('Finished brief');
				expect(text).toMatchObject({ id: brief!.id, status: 'ready', error_code: '' });
				expect(text!['markdown']).toMatch(/^# /);
			});

			it('waits for nothing if the model has ordered nothing', async () => {
				const sandbox = await openSandbox({ allowance: 0 });
				const { chatModel } = n8n();
				chatModel.steps.push(order, () => ({ say: `Nothing ordered with ${orderKey()}.` }));
				const done = await runExample(sandbox);
				expect(done.describe()).toContain('success');
				expect(chatModel.toolAnswers()[0]).toContain('allowance_exceeded');
				expect(done.items('Wait five minutes')).toEqual([]);
				expect(done.json('Find the brief ID')).toMatchObject([{ brief_id: '' }]);
			});
		});
	});
}

/** The key that the model passes on, as the example's task asks. */
function orderKey(): string {
	return UUID.exec(JSON.stringify(n8n().chatModel.messages))?.[0] ?? '';
}

/** With a second in the place of its five minutes. */
async function runExample(sandbox: Sandbox): Promise<Execution> {
	const saved = await importExample(
		client(),
		join(exampleFolder, 'assistant-protocol-agent.json'),
		{
			credentials: { ...(await bearer(sandbox)), ...(await modelCredential()) },
			values: {
				'https://api.example.com/mcp': sandbox.mcpUrl,
				'"amount":5,"unit":"minutes"': '"amount":1,"unit":"seconds"',
			},
		},
	);
	return await client().runManually(saved);
}
