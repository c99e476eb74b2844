import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { nodeErrorFrom } from './errors';
import { errorItem } from './items';

/** n8n runs the type whose name ends in Tool where an AI agent calls a node. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * The output of a node. In a tool, an error is part of the output: of an error that a tool throws, agents of version 3
 * give the model only the message, and those of version 2 nothing at all. It would call again, and pay again.
 */
export async function answerOf(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	try {
		return await work();
	} catch (thrown) {
		const error = nodeErrorFrom(context.getNode(), thrown, Date.now());
		if (!isTool(context) || context.getExecutionCancelSignal()?.aborted) throw error;
		return [[errorItem(context.getNode(), error, 0)]];
	}
}
