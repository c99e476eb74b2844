import { oldestVersion } from '../../../harness/install/versions';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import { useExample, UUID } from '../../support/n8n/examples';
import {
	client,
	isNewest,
	n8n,
	publish,
	openService,
	version as n8nVersion,
	type Service,
} from '../../support/n8n/rig';

const isOldest = n8nVersion === oldestVersion;
/** The oldest n8n lacks version 2.2 of the agent, so its user replaces the agent as the example's note explains. */
const AGENT_VERSIONS = isOldest ? [1.8] : isNewest ? [2.2, 3.1] : [2.2];

/** Returns the agent's answer to a message. */
type Chat = (sessionId: string, chatInput: string) => Promise<string>;

/** Opens the example in the chat panel of the editor. */
async function openChat(version: number, service: Service): Promise<Chat> {
	const saved = await useExample('agent-hook-to-brief.json', service, {
		'"typeVersion":2.2': `"typeVersion":${version}`,
		...(isOldest ? { '"public":false': '"public":true' } : {}),
	});
	const send = isOldest
		? await openPublicChat(saved)
		: (sessionId: string, chatInput: string) =>
				client().sayInChatPanel(saved, sessionId, chatInput);
	return async (sessionId, chatInput) =>
		((await send(sessionId, chatInput)) as { output: string }).output;
}

/** The panel of 1.85 reads the answer from the execution, so a test cannot call it. */
async function openPublicChat(saved: SavedWorkflow) {
	const { nodes } = await publish(saved);
	const { webhookId } = nodes.find(({ name }) => name === 'Product wanted')!;
	return (sessionId: string, chatInput: string) =>
		client().callWebhook(`${webhookId}/chat`, { action: 'sendMessage', sessionId, chatInput });
}

const order = (product: string, direction: string) => ({
	call: 'Order_a_brief',
	with: { Product_Name: product, Creative_Direction: direction },
});
const DONE = { say: 'Done.' };

export function agents(): void {
	describe.each(AGENT_VERSIONS)(
		'the example agent-hook-to-brief, with an agent of version %d',
		(version) => {
			test('orders one brief with a winning hook, and a later question gets it', async () => {
				const service = await openService();
				const { sandbox } = service;
				const chat = await openChat(version, service);
				const { chatModel } = n8n();
				let hook = '';
				chatModel.steps.push(
					() => ({ call: 'Get_winning_hooks', with: { Category: 'Beauty & skincare' } }),
					([hooks = '']) => {
						// In the oldest n8n, a node cannot detect that it is a tool.
						expect(hooks.length).toBeLessThan(isOldest ? Infinity : 5000);
						hook = /"hook":"(?<hook>[^"]+)"/.exec(hooks)!.groups!['hook']!;
						return order('Glow Serum', hook);
					},
					(answers) => ({ say: `Ordered: ${UUID.exec(answers.at(-1) ?? '')?.[0]}` }),
				);
				const ordered = await chat('one', 'I need a brief for Glow Serum');
				const tool = chatModel.tools.find(({ name }) => name === 'Order_a_brief')!;
				expect(tool.description).toMatch(/uses one brief from the monthly allowance/);
				expect(tool.parameters.properties).toHaveProperty('Product_Name.description');
				const { id, input } = sandbox.briefs()[0]!;
				expect(ordered).toBe(`Ordered: ${id}`);
				expect(input).toMatchObject({ product_name: 'Glow Serum', creative_direction: hook });
				expect(chatModel.toolAnswers().at(-1)).toMatch(/Ask again with this ID in 3 to 6 minutes/);
				sandbox.finish(id);
				chatModel.steps.push(
					() => ({ call: 'Get_a_brief', with: { Brief_ID: id } }),
					(answers) => ({ say: answers.at(-1) ?? '' }),
				);
				expect(await chat('one', 'Is it ready?')).toMatch(/"status":"ready".*# /);
				expect(JSON.stringify(chatModel.messages)).toContain(ordered);
				expect(sandbox.createdCount()).toBe(1);
			});

			test('pays once if the model orders the same brief again, in one message, in one chat or in another', async () => {
				// The service forgets keys at once, so only the brief list prevents a second payment.
				const service = await openService({ keyMemoryMs: 1 });
				const chat = await openChat(version, service);
				const { steps } = n8n().chatModel;
				const serum = order('Glow Serum', 'Before and after');
				const answers: string[] = [];
				const save = (all: string[]) => answers.push(all.at(-1) ?? '');
				for (const session of ['one', 'one', 'another']) {
					steps.push(
						() => serum,
						(all) => (save(all), serum),
						(all) => (save(all), DONE),
					);
					await chat(session, 'I need a brief for Glow Serum');
				}
				const [brief] = service.sandbox.briefs();
				expect(answers).toHaveLength(6);
				for (const [index, answer] of answers.entries()) {
					expect(answer).toContain(brief!.id);
					expect(answer).toContain(`"already_existed":${index > 0}`);
				}
				expect(service.sandbox.createdCount()).toBe(1);
				steps.push(
					() => order('Glow Serum', 'Something else'),
					() => DONE,
				);
				await chat('one', 'Another one, please');
				expect(service.sandbox.createdCount()).toBe(2);
			});

			test('pays for one brief if the model orders several products in one turn', async () => {
				const service = await openService();
				const chat = await openChat(version, service);
				const serum = order('Glow Serum', 'Before and after');
				let answers: string[] = [];
				n8n().chatModel.steps.push(
					() => ({ calls: [serum, serum, order('Lip Oil', 'Before and after')] }),
					(all) => ((answers = all), DONE),
				);
				expect(await chat('one', 'I need briefs for two products')).toBe('Done.');
				expect(service.sandbox.createdCount()).toBe(1);
				const { id, product_name } = service.sandbox.briefs()[0]!;
				// n8n makes the calls at the same time, so any product can be the first.
				const ordered = answers.filter((answer) => answer.includes(id));
				const refused = answers.filter((answer) => answer.includes('limit_reached'));
				expect(ordered).toHaveLength(product_name === 'Glow Serum' ? 2 : 1);
				expect([ordered.length + refused.length, answers.length]).toEqual([3, 3]);
			});
		},
	);
}
