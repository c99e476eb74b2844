import type { CredentialReference } from '../../../harness/client/api-types';
import type { WorkflowNode } from '../../../harness/workflows/workflow';
import { client, n8n } from './rig';

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
