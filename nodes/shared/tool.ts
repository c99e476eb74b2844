import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { nodeErrorFrom } from './node-errors';
import { errorItem } from './items';

/** Checks whether an AI agent calls the node: n8n then runs the type whose name ends in Tool. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Gives the output of a node. What ends all its items at once is an error item for each of them if On Error continues:
 * n8n would pass the input on as a success (docs/n8n-behaviour.md, “What a node throws goes on as a success”).
 *
 * In a tool, an error is part of the output whatever On Error says: of an error that a tool throws, agents of version 3
 * give the model only the message, and those of version 2 nothing at all. It would call again, and pay again.
 * @param outputs puts error items into the node's outputs
 */
export async function answerOfTool(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
	outputs: (errorItems: INodeExecutionData[]) => INodeExecutionData[][] = (items) => [items],
): Promise<INodeExecutionData[][]> {
	try {
		return await work();
	} catch (thrown) {
		const error = nodeErrorFrom(context.getNode(), thrown, Date.now());
		const isStopped = context.getExecutionCancelSignal()?.aborted === true;
		if (isStopped || !(isTool(context) || context.continueOnFail())) throw error;
		const items = isTool(context) ? [0] : context.getInputData().keys();
		return outputs([...items].map((itemIndex) => errorItem(context, error, itemIndex)));
	}
}
