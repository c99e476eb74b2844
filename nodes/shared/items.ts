import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { runInParallel } from '../../core/parallel';
import { getInputFields, mergeBriefWithInput } from './input-fields';
import {
	getCode,
	makeNodeError,
	prefixTitle,
	toFailureFields,
	type NodeFailure,
} from './node-errors';
import { openSession, type Session } from './session';
import { isTool, NEXT_STEPS } from './tool';

/** An item of output, before it is linked to its input item. */
export interface Output {
	readonly json: object;
	readonly binary?: IBinaryKeyData;
}

/**
 * Returns an item of output. Retry On Fail runs a node again if its first item has a key `error`, in some versions even
 * if it is null. So a field of the service with this name is renamed.
 */
export function toItem({ json, binary }: Output, itemIndex: number): INodeExecutionData {
	const { error, ...fields } = json as IDataObject;
	return {
		json: error === undefined ? fields : { ...fields, service_error: error },
		...(binary === undefined ? {} : { binary }),
		pairedItem: { item: itemIndex },
	};
}

/** Returns a title that names the product of the item, if it is known. */
export function nameItem(context: IExecuteFunctions, itemIndex: number, title: string): string {
	const fields = getInputFields(context, itemIndex);
	const product = fields.brief_product_name ?? fields.product_name;
	return prefixTitle(typeof product === 'string' ? product : '', title);
}

/**
 * Returns the item of a failure, with the fields of its input item and of its brief, if it has one. By its keys alone n8n
 * would take it for a success (docs/architecture.md, “The error output”). A property `error` next to `json` sends it to the error
 * output. The property is not enumerable: n8n would otherwise replace `json` by the message alone.
 */
export function toErrorItem(
	context: IExecuteFunctions,
	error: NodeFailure,
	itemIndex: number,
	briefFields: IDataObject = {},
): INodeExecutionData {
	const item = {
		json: toErrorFields(context, error, itemIndex, briefFields),
		pairedItem: { item: itemIndex },
	};
	return context.getNode().onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: error, writable: true, enumerable: false })
		: item;
}

/**
 * Returns the fields of an error item. A tool leaves out the input item, which has the whole message of the user and can
 * be long.
 */
export function toErrorFields(
	context: IExecuteFunctions,
	error: NodeFailure,
	itemIndex: number,
	briefFields: IDataObject,
): IDataObject {
	const failure = toFailureFields(error);
	if (!isTool(context)) return mergeBriefWithInput(context, briefFields, itemIndex, failure);
	const { message } = failure;
	const step = NEXT_STEPS[getCode(error)] ?? message;
	const fields: IDataObject = { ...briefFields, ...failure, message: step };
	delete fields.next_step;
	return fields;
}

/**
 * True if an item that fails becomes an error item and does not end the node. After Stop, every failure ends the node.
 *
 * In a tool, an error is part of the output whatever On Error says: agents of version 3 pass only the message of a
 * thrown error to the model, and those of version 2 pass nothing. The model would call again, and pay again.
 */
export function canContinue(context: IExecuteFunctions): boolean {
	const isStopped = context.getExecutionCancelSignal()?.aborted === true;
	return !isStopped && (isTool(context) || context.continueOnFail());
}

/**
 * Returns the error item of an item that failed.
 * @param now the service's clock
 * @throws {NodeFailure} if the failure ends the node
 */
export function toErrorItemOrThrow(
	context: IExecuteFunctions,
	thrown: unknown,
	now: number,
	itemIndex: number,
): INodeExecutionData {
	const error = makeNodeError(context.getNode(), thrown, now, itemIndex);
	if (!canContinue(context)) throw error;
	return toErrorItem(context, error, itemIndex);
}

/**
 * Returns the output of a node. If On Error continues, an error that ends all items at once becomes an error item for
 * each of them: n8n would pass the input on as a success (docs/architecture.md, “The error output”).
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
		if (!canContinue(context)) throw error;
		const items = isTool(context) ? [0] : context.getInputData().keys();
		return toOutputs([...items].map((itemIndex) => toErrorItem(context, error, itemIndex)));
	}
}

/**
 * Runs `work` for each input item, at most `limit` items at a time, and returns the results in the sequence of the
 * items. With On Error set to continue, an item that fails becomes an error item; otherwise it ends the node.
 */
export async function forEachItem(
	context: IExecuteFunctions,
	work: (itemIndex: number, session: Session) => Promise<Output[]>,
	limit = 1,
): Promise<INodeExecutionData[]> {
	const session = await openSession(context);
	const results: INodeExecutionData[][] = [];
	await runInParallel(context.getInputData(), limit, async (_item, itemIndex) => {
		try {
			const outputs = await work(itemIndex, session);
			results[itemIndex] = outputs.map((output) => toItem(output, itemIndex));
		} catch (thrown) {
			const now = session.context.client.now();
			results[itemIndex] = [toErrorItemOrThrow(context, thrown, now, itemIndex)];
		}
	});
	return results.flat();
}

/**
 * Shows a notice with the node's output. Versions before 2.0 can lack the method when an AI agent runs the node as its
 * tool (docs/architecture.md, “AI tools”). There the notice is omitted: an order that was paid for must not end in an error.
 */
export function showNotice(
	context: IExecuteFunctions,
	notice: Pick<NodeExecutionHint, 'message' | 'type'>,
): void {
	const target: Partial<IExecuteFunctions> = context;
	target.addExecutionHints?.({ ...notice, location: 'outputPane' });
}
