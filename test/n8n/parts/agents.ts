import { join } from 'node:path';
import type { Execution } from '../../../harness/client/execution';
import { oldestVersion } from '../../../harness/install/versions';
import { start } from '../../../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE } from '../../../harness/workflows/package-nodes';
import { exampleFolder, importExample } from '../../../harness/workflows/examples';
import {
	workflow,
	type SavedWorkflow,
	type WorkflowNode,
} from '../../../harness/workflows/workflow';
import { fromModel, LANGCHAIN, modelCredential, tool, UUID } from '../../support/n8n/agent';
import {
	client,
	isNewest,
	n8n,
	POLL_SECONDS,
	serviceWith,
	testName,
	version as n8nVersion,
	type Service,
} from '../../support/n8n/rig';

const isOldest = n8nVersion === oldestVersion;

type Chat = (sessionId: string, chatInput: string) => Promise<string>;

/** Opens the example in the chat panel of the editor. The chat returns the agent's answer to a message. */
async function openChat(
	version: number,
	{ nodes }: Service,
	published: string[],
): Promise<{ chat: Chat }> {
	const saved = await importExample(client(), join(exampleFolder, 'agent-hook-to-brief.json'), {
		credentials: { [CREDENTIAL_TYPE]: nodes.reference, ...(await modelCredential()) },
		values: {
			'"typeVersion":2.2': `"typeVersion":${version}`,
			...(isOldest ? { '"public":false': '"public":true' } : {}),
		},
		pollSeconds: POLL_SECONDS,
	});
	const say: (sessionId: string, chatInput: string) => Promise<unknown> = isOldest
		? await publicChat(saved, published)
		: (sessionId, chatInput) => client().sayInChatPanel(saved, sessionId, chatInput);
	const chat: Chat = async (sessionId, chatInput) =>
		((await say(sessionId, chatInput)) as { output: string }).output;
	return { chat };
}

/** The panel of 1.85 reads the answer from the execution, so nothing of it can be called. */
async function publicChat(saved: SavedWorkflow, published: string[]) {
	await client().publishAndWait(saved);
	published.push(saved.id);
	const { webhookId } = saved.nodes.find(({ name }) => name === 'Product wanted')!;
	return (sessionId: string, chatInput: string) =>
		client().callWebhook(`${webhookId}/chat`, { action: 'sendMessage', sessionId, chatInput });
}

const order = (product: string, direction: string) => ({
	call: 'Order_a_brief',
	with: { Product_Name: product, Creative_Direction: direction },
});

/** Sends a message to an agent with these tools, and waits until the model answers without a tool. */
async function sayToAgent(
	version: number,
	text: string,
	tools: WorkflowNode[],
): Promise<Execution> {
	const agent: WorkflowNode = {
		name: 'Agent',
		type: `${LANGCHAIN}.agent`,
		typeVersion: version,
		parameters: { promptType: 'define', text, options: {} },
	};
	const model: WorkflowNode = {
		name: 'Model',
		type: `${LANGCHAIN}.lmChatOpenAi`,
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'id', value: 'gpt-4o-mini' }, options: {} },
		credentials: await modelCredential(),
	};
	const agentWorkflow = workflow(testName(), [start, agent, model, ...tools], [['Start', 'Agent']]);
	const to = (kind: string) => ({ [kind]: [[{ node: 'Agent', type: kind, index: 0 }]] });
	agentWorkflow.connections['Model'] = to('ai_languageModel');
	for (const { name } of tools) agentWorkflow.connections[name] = to('ai_tool');
	return await client().createAndRun(agentWorkflow);
}

function example(version: number): void {
	describe('the example workflow agent-hook-to-brief', () => {
		const published: string[] = [];
		afterEach(async () => {
			for (const id of published.splice(0)) await client().unpublish(id);
		});

		it('orders one brief with a winning hook, and a later question gets it', async () => {
			const service = await serviceWith();
			const { sandbox } = service;
			const { chat } = await openChat(version, service, published);
			const { chatModel } = n8n();
			let hook = '';
			chatModel.steps.push(
				() => ({ call: 'Get_winning_hooks', with: { Category: 'Beauty & skincare' } }),
				([hooks = '']) => {
					// The oldest does not know of a node that it is a tool.
					expect(hooks.length).toBeLessThan(isOldest ? Infinity : 5000);
					hook = /"hook":"(?<hook>[^"]+)"/.exec(hooks)!.groups!['hook']!;
					return order('Glow Serum', hook);
				},
				(answers) => ({ say: `Ordered: ${UUID.exec(answers.at(-1) ?? '')?.[0]}` }),
			);
			const ordered = await chat('one', 'I need a brief for Glow Serum');
			const [brief] = sandbox.briefs();
			expect(ordered).toBe(`Ordered: ${brief!.id}`);
			expect(brief!.input).toMatchObject({ product_name: 'Glow Serum', creative_direction: hook });
			expect(chatModel.toolAnswers().at(-1)).toMatch(/Ask again with this ID in 3 to 6 minutes/);
			sandbox.finish(brief!.id);
			chatModel.steps.push(
				() => ({ call: 'Get_a_brief', with: { Brief_ID: brief!.id } }),
				(answers) => ({ say: answers.at(-1) ?? '' }),
			);
			expect(await chat('one', 'Is it ready?')).toMatch(/"status":"ready".*# /);
			expect(JSON.stringify(chatModel.messages)).toContain(ordered);
			expect(sandbox.createdCount()).toBe(1);
		});

		it('pays once if the model orders the same brief again, in the same message or chat or in another', async () => {
			// It forgets keys at once, so that only the list keeps an order from being paid for again.
			const service = await serviceWith({ keyMemoryMs: 1 });
			const { sandbox } = service;
			const { chat } = await openChat(version, service, published);
			const { steps } = n8n().chatModel;
			const answered: string[] = [];
			const heard = (answers: string[]) => answered.push(answers.at(-1) ?? '');
			const serum = order('Glow Serum', 'Before and after');
			const orderTwice = () =>
				steps.push(
					() => serum,
					(answers) => (heard(answers), serum),
					(answers) => (heard(answers), { say: 'Done.' }),
				);
			for (const session of ['one', 'one', 'another']) {
				orderTwice();
				await chat(session, 'I need a brief for Glow Serum');
			}
			const [brief] = sandbox.briefs();
			expect(answered).toHaveLength(6);
			for (const answer of answered) expect(answer).toContain(brief!.id);
			expect(answered[0]).toMatch(/"already_existed":false/);
			for (const answer of answered.slice(1)) expect(answer).toMatch(/"already_existed":true/);
			expect(sandbox.createdCount()).toBe(1);
			steps.push(
				() => order('Glow Serum', 'Something else'),
				() => ({ say: 'Done.' }),
			);
			await chat('one', 'Another one, please');
			expect(sandbox.createdCount()).toBe(2);
		});

		it('pays for one brief if the model orders several products in one turn', async () => {
			const service = await serviceWith();
			const { sandbox } = service;
			const { chat } = await openChat(version, service, published);
			const { chatModel } = n8n();
			const serum = order('Glow Serum', 'Before and after');
			let answers: string[] = [];
			chatModel.steps.push(
				() => ({ calls: [serum, serum, order('Lip Oil', 'Before and after')] }),
				(heard) => ((answers = heard), { say: 'Done.' }),
			);
			expect(await chat('one', 'I need briefs for two products')).toBe('Done.');
			expect(sandbox.createdCount()).toBe(1);
			const [brief] = sandbox.briefs();
			// n8n makes the calls at the same time, so any product can be the first.
			const ordered = answers.filter((answer) => answer.includes(brief!.id));
			const refused = answers.filter((answer) => answer.includes('limit_reached'));
			expect(ordered).toHaveLength(brief!.product_name === 'Glow Serum' ? 2 : 1);
			expect([...ordered, ...refused]).toHaveLength(answers.length);
			expect(answers).toHaveLength(3);
		});
	});
}

export function agents(): void {
	// The newest that each n8n has. The oldest has no 2.2, so there the example gets an agent of version 1.8, as its note says.
	describe.each(isOldest ? [1.8] : isNewest ? [2.2, 3.1] : [2.2])(
		'an AI agent of version %d',
		(version) => {
			example(version);

			it('orders a brief with the tool, and gets it whole', async () => {
				const { sandbox, nodes } = await serviceWith();
				const { chatModel } = n8n();
				const productName = fromModel('Product_Name', 'Name or link of the product');
				chatModel.steps.push(
					() => ({ call: 'Create', with: { Product_Name: 'Glow Serum' } }),
					() => ({ say: 'Here it is.' }),
				);
				const done = await sayToAgent(version, 'I need a brief for Glow Serum', [
					tool(nodes.create({ productName, waitUntilReady: true })),
				]);
				expect(done.describe()).toContain('success');
				expect(done.json('Agent')).toEqual([{ output: 'Here it is.' }]);
				const [brief] = sandbox.briefs();
				expect(brief!.input).toMatchObject({ product_name: 'Glow Serum' });
				expect(sandbox.createdCount()).toBe(1);
				const [offered] = chatModel.tools;
				expect(offered!.name).toBe('Create');
				expect(offered!.description).toMatch(/uses one brief from the monthly allowance/);
				expect(offered!.parameters.properties).toHaveProperty('Product_Name.description');
				const [answer] = chatModel.toolAnswers();
				expect(answer).toContain(brief!.id);
				expect(answer).toMatch(/ready/);
				expect(answer).toMatch(/# /);
			});

			it('pays for no more than Max Briefs per Run, also if the model orders several at once', async () => {
				const { sandbox, nodes } = await serviceWith();
				const { chatModel } = n8n();
				const productName = fromModel('Product_Name', 'Name of the product');
				const calls = ['Lip Oil', 'Lamp', 'Day Cream'].map((Product_Name) => ({
					call: 'Create',
					with: { Product_Name },
				}));
				chatModel.steps.push(
					() => ({ calls }),
					() => ({ say: 'Done.' }),
				);
				const create = tool(nodes.create({ productName, maxBriefs: 2 }));
				await sayToAgent(version, 'I need briefs for three products', [create]);
				expect(sandbox.createdCount()).toBe(2);
				const refusals = chatModel.toolAnswers().filter((text) => text.includes('limit_reached'));
				expect(refusals).toHaveLength(1);
			});
		},
	);
}
