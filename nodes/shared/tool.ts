import type { IExecuteFunctions } from 'n8n-workflow';

/** True if an AI agent calls the node: n8n then runs the type whose name ends in Tool. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}
