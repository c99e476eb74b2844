import { createBearer, useExample, UUID } from '../../support/n8n/examples';
import { client, describeInNewest, n8n, openService, type Service } from '../../support/n8n/rig';

/** Returns the key that the example's task asks the model to pass on. */
const getOrderKey = () => UUID.exec(JSON.stringify(n8n().chatModel.messages))?.[0] ?? '';

const order = () => ({
	call: 'Creator_Briefing_create_brief',
	with: {
		product_name: 'Glow Serum',
		creative_direction: 'I stopped buying foundation',
		idempotency_key: getOrderKey(),
	},
});

/** Runs the example with a wait of a second in place of five minutes. */
async function runExample(service: Service) {
	const { mcpUrl, keys } = service.sandbox;
	const values = {
		'https://api.example.com/mcp': mcpUrl,
		'"amount":5,"unit":"minutes"': '"amount":1,"unit":"seconds"',
	};
	const bearer = await createBearer(keys.allScopes);
	const saved = await useExample('assistant-protocol-agent.json', service, values, bearer);
	const done = await client().runManually(saved);
	expect(done.describe()).toContain('success');
	return done;
}

/** n8n's MCP Client on the service's MCP endpoint. The versions of the example are in n8n from 2.23 on. */
export function mcpClient(): void {
	describeInNewest('the example assistant-protocol-agent', () => {
		test('orders one brief with a hook, and n8n waits for it', async () => {
			const service = await openService();
			const { chatModel } = n8n();
			chatModel.steps.push(
				() => ({ call: 'Creator_Briefing_list_hooks', with: { limit: 5 } }),
				order,
				order,
				([, created = '']) => ({ say: `Ordered: ${UUID.exec(created)?.[0]}. It fits.` }),
			);
			const done = await runExample(service);
			expect(chatModel.tools.map(({ name }) => name)).toEqual([
				'Creator_Briefing_create_brief',
				'Creator_Briefing_list_hooks',
			]);
			const { id, replays, input } = service.sandbox.briefs()[0]!;
			expect(service.sandbox.createdCount()).toBe(1);
			expect(replays).toBe(1);
			expect(input).toMatchObject({ creative_direction: 'I stopped buying foundation' });
			expect(done.json('Finished brief')).toMatchObject([
				{ id, status: 'ready', error_code: '', markdown: expect.stringMatching(/^# /) as string },
			]);
		});

		test('waits for nothing if the model has ordered nothing', async () => {
			const { chatModel } = n8n();
			chatModel.steps.push(order, () => ({ say: `Nothing ordered with ${getOrderKey()}.` }));
			const done = await runExample(await openService({ allowance: 0 }));
			expect(chatModel.toolAnswers()[0]).toContain('allowance_exceeded');
			expect(done.items('Wait five minutes')).toEqual([]);
			expect(done.json('Find the brief ID')).toMatchObject([{ brief_id: '' }]);
		});
	});
}
