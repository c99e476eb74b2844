import { join } from 'node:path';
import type { Execution } from '../../../harness/client/execution';
import { exampleFolder, importExample } from '../../../harness/workflows/examples';
import type { Sandbox } from '../../../sandbox/sandbox';
import { modelCredential, UUID } from '../../support/n8n/agent';
import { client, isNewest, n8n, openSandbox } from '../../support/n8n/rig';

/** n8n's own credential for a bearer token, with the API key. */
async function bearer({ keys }: Sandbox) {
	const token = { token: keys.allScopes };
	const saved = await client().createCredential('httpBearerAuth', 'Sandbox, allScopes', token);
	return { httpBearerAuth: saved };
}

/**
 * n8n's MCP Client nodes on the endpoint for AI assistants. The versions that the example and these tests use are there
 * from n8n 2.23 on (docs/n8n.md, “Versions”), so they are tried in the newest alone.
 */
export function assistantProtocol(): void {
	(isNewest ? describe : describe.skip)('over the assistant protocol', () => {
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
