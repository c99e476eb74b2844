import type { CredentialReference } from '../../../harness/client/api-types';
import type { Execution } from '../../../harness/client/execution';
import { start } from '../../../harness/workflows/built-in-nodes';
import { workflow, type WorkflowNode } from '../../../harness/workflows/workflow';
import { client, n8n, testName } from './rig';

export const LANGCHAIN = '@n8n/n8n-nodes-langchain';
export const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** As the button beside a parameter writes it: the model fills it in. */
export function fromModel(name: string, about: string): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${about}\`, 'string') }}`;
}

/** Our node as the tool that n8n makes of it. */
export function tool(node: WorkflowNode): WorkflowNode {
	return { ...node, type: `${node.type}Tool` };
}

/** n8n's own credential for the chat model, by its type. */
export async function modelCredential(): Promise<Record<string, CredentialReference>> {
	const { chatModel, vendors } = n8n();
	const { type, data } = chatModel.credential(vendors.origin);
	return { [type]: await client().createCredential(type, 'Chat model, local stand-in', data) };
}

/** An agent with these tools gets a message, and works until the model says something itself. */
export async function sayToAgent(
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
