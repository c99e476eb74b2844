import type { Execution } from '../../../harness/client/execution';
import { start } from '../../../harness/workflows/built-in-nodes';
import { workflow, type WorkflowNode } from '../../../harness/workflows/workflow';
import { client, isNewest, isOldest, n8n, serviceWith, testName } from '../../support/n8n/rig';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const LANGCHAIN = '@n8n/n8n-nodes-langchain';

/** As the button beside a parameter writes it: the model fills it in. */
function fromModel(name: string, about: string): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${about}\`, 'string') }}`;
}

/** Our node as the tool that n8n makes of it. */
function tool(node: WorkflowNode, toolDescription?: string): WorkflowNode {
	const described =
		toolDescription === undefined ? {} : { descriptionType: 'manual', toolDescription };
	return { ...node, type: `${node.type}Tool`, parameters: { ...node.parameters, ...described } };
}

/** An agent with these tools is told something, and works until the model says something itself. */
async function tell(version: number, text: string, tools: WorkflowNode[]): Promise<Execution> {
	const { chatModel, vendors } = n8n();
	const { type, data } = chatModel.credential(vendors.origin);
	const credential = await client().createCredential(type, 'Chat model, local stand-in', data);
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
		credentials: { [type]: credential },
	};
	const made = workflow(testName(), [start, agent, model, ...tools], [['Start', 'Agent']]);
	const to = (kind: string) => ({ [kind]: [[{ node: 'Agent', type: kind, index: 0 }]] });
	made.connections['Model'] = to('ai_languageModel');
	for (const { name } of tools) made.connections[name] = to('ai_tool');
	return await client().createAndRun(made);
}

export function agents(): void {
	describe.each(isOldest ? [1.8] : isNewest ? [2.2, 3.1] : [2.2])(
		'an AI agent of version %d',
		(version) => {
			it('has a brief written by the tool, and gets it whole', async () => {
				const { sandbox, nodes } = await serviceWith();
				const { chatModel } = n8n();
				const productName = fromModel('Product_Name', 'Name or link of the product');
				chatModel.steps.push(
					() => ({ call: 'Create', with: { Product_Name: 'Glow Serum' } }),
					() => ({ say: 'Here it is.' }),
				);
				const done = await tell(version, 'I need a brief for Glow Serum', [
					tool(nodes.create({ productName, waitUntilReady: true })),
				]);
				expect(done.describe()).toContain('success');
				expect(done.json('Agent')).toEqual([{ output: 'Here it is.' }]);
				const [brief] = sandbox.briefs();
				expect(brief!.input).toMatchObject({ product_name: 'Glow Serum' });
				expect(sandbox.createdCount()).toBe(1);
				const [offered] = chatModel.tools;
				expect(offered!.name).toBe('Create');
				expect(offered!.parameters.properties).toHaveProperty('Product_Name.description');
				const [answer] = chatModel.toolAnswers();
				expect(answer).toContain(brief!.id);
				expect(answer).toMatch(/ready/);
				expect(answer).toMatch(/# /);
			});

			it('creates with one tool, waits with the other, and both go by the ID', async () => {
				const { sandbox, nodes } = await serviceWith();
				const { chatModel } = n8n();
				const create = tool(nodes.create({ productName: fromModel('Product_Name', 'Its name') }));
				const briefId = { __rl: true, mode: 'id', value: fromModel('Brief_ID', 'ID of the brief') };
				const wait = tool(nodes.wait({ briefId }));
				chatModel.steps.push(
					() => ({ call: 'Create', with: { Product_Name: 'Lip Oil' } }),
					([created = '']) => ({ call: 'Wait', with: { Brief_ID: UUID.exec(created)?.[0] } }),
					() => ({ say: 'Done.' }),
				);
				const done = await tell(version, 'I need a brief for Lip Oil', [create, wait]);
				expect(done.describe()).toContain('success');
				expect(done.json('Agent')).toEqual([{ output: 'Done.' }]);
				const [created, waited] = chatModel.toolAnswers();
				expect(created).toContain(sandbox.briefs()[0]!.id);
				expect(created).toMatch(/queued/);
				expect(waited).toMatch(/ready/);
				expect(sandbox.createdCount()).toBe(1);
			});

			it('is told in words what went wrong, and what to do', async () => {
				const { sandbox, nodes } = await serviceWith({ allowance: 0 });
				const { chatModel } = n8n();
				chatModel.steps.push(
					() => ({ call: 'Create', with: { Product_Name: 'Glow Serum' } }),
					() => ({ say: 'The allowance is used up.' }),
				);
				const productName = fromModel('Product_Name', 'Name or link of the product');
				await tell(version, 'I need a brief for Glow Serum', [tool(nodes.create({ productName }))]);
				const [answer] = chatModel.toolAnswers();
				expect(answer).toMatch(/allowance of briefs is used up.*It resets on/);
				expect(sandbox.createdCount()).toBe(0);
			});
		},
	);
}
