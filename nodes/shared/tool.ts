import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { makeNodeError } from './node-errors';
import { toErrorItem } from './items';

/** True if an AI agent calls the node: n8n then runs the type whose name ends in Tool. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Returns the output of a node. If On Error continues, an error that ends all items at once becomes an error item for
 * each of them: n8n would pass the input on as a success (docs/n8n-behaviour.md, “What a node throws goes on as a
 * success”).
 *
 * In a tool, an error is part of the output whatever On Error says: agents of version 3 pass only the message of a
 * thrown error to the model, and those of version 2 pass nothing. The model would call again, and pay again.
 * @param toOutputs puts error items into the node's outputs
 */
export async function runWithErrorItems(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
	toOutputs: (errorItems: INodeExecutionData[]) => INodeExecutionData[][] = (items) => [items],
): Promise<INodeExecutionData[][]> {
	try {
		return await work();
	} catch (thrown) {
		const error = makeNodeError(context.getNode(), thrown, Date.now());
		const isStopped = context.getExecutionCancelSignal()?.aborted === true;
		if (isStopped || !(isTool(context) || context.continueOnFail())) throw error;
		const items = isTool(context) ? [0] : context.getInputData().keys();
		return toOutputs([...items].map((itemIndex) => toErrorItem(context, error, itemIndex)));
	}
}
