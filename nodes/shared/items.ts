import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import {
	about,
	failureFields,
	nodeErrorFrom,
	titleOfProduct,
	type NodeFailure,
} from './node-errors';
import { inParallel } from './pace';
import { openSession, type Session } from './session';

/** One item of output, before it is linked to the item of input that it came from. */
export interface Output {
	json: object;
	binary?: IBinaryKeyData;
}

/**
 * Makes an item as n8n takes it. Retry On Fail runs a node again if its first item has a key `error`, in some versions
 * even if it is null. So a field of that name from the service is renamed.
 */
export function linked({ json, binary }: Output, itemIndex: number): INodeExecutionData {
	const { error, ...fields } = json as IDataObject;
	return {
		json: error === undefined ? fields : { ...fields, service_error: error },
		...(binary === undefined ? {} : { binary }),
		pairedItem: { item: itemIndex },
	};
}

/** Gives the fields of an item of input: a row of somebody's sheet. */
export function ownFields(context: IExecuteFunctions, itemIndex: number): IDataObject {
	return context.getInputData()[itemIndex]?.json ?? {};
}

/** Says first which item it is about, as its owner knows it: by its product, else by its place among several. */
export function aboutItem(
	context: IExecuteFunctions,
	itemIndex: number,
	{ product, what }: { product: unknown; what: string },
): string {
	if (typeof product === 'string' && product !== '') return about(titleOfProduct(product), what);
	const { length } = context.getInputData();
	return length === 1 ? what : about(`The ${ordinal(itemIndex + 1)} of ${length} items`, what);
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

function ordinal(number: number): string {
	return `${number}${suffixes[ordinals.select(number)] ?? 'th'}`;
}

/**
 * Makes the item of a failure, with the fields of its row. By its keys alone n8n would take it for a success
 * (docs/n8n-behaviour.md, “What the error output takes”). A property `error` beside `json` sends it to the error output,
 * and one that is not copied with the item is gone before n8n would put the message alone in the place of `json`.
 */
export function errorItem(
	context: IExecuteFunctions,
	error: NodeFailure,
	itemIndex: number,
	fields = failureFields(error),
): INodeExecutionData {
	const item: INodeExecutionData = {
		json: { ...ownFields(context, itemIndex), ...fields },
		pairedItem: { item: itemIndex },
	};
	if (context.getNode().onError === 'continueErrorOutput') {
		Object.defineProperty(item, 'error', { value: error, writable: true, enumerable: false });
	}
	return item;
}

/** Checks whether the other items go on after one that failed. Once the execution is stopped, nothing does. */
export function goesOn(context: IExecuteFunctions): boolean {
	return context.continueOnFail() && context.getExecutionCancelSignal()?.aborted !== true;
}

/**
 * Does the work of each item of input, one at a time unless `atATime` says more, and gives the results in the order of
 * the items. With On Error set to continue, an item that fails becomes an error item; otherwise it ends the run.
 */
export async function forEachItem(
	context: IExecuteFunctions,
	work: (itemIndex: number, session: Session) => Promise<Output[]>,
	atATime: (session: Session) => number = () => 1,
): Promise<INodeExecutionData[]> {
	const session = await openSession(context);
	const results: INodeExecutionData[][] = [];
	const workOn = async (_item: unknown, itemIndex: number) => {
		try {
			const outputs = await work(itemIndex, session);
			results[itemIndex] = outputs.map((output) => linked(output, itemIndex));
		} catch (thrown) {
			const error = nodeErrorFrom(context.getNode(), thrown, session.reader.now(), itemIndex);
			if (!goesOn(context)) throw error;
			results[itemIndex] = [errorItem(context, error, itemIndex)];
		}
	};
	await inParallel(context.getInputData(), workOn, () => atATime(session));
	return results.flat();
}

/**
 * Shows a notice with the node's output. Versions before 2.0 may have no such method when an AI agent runs the node as
 * its tool (docs/n8n-behaviour.md, “A tool may have no place for a hint”). There it is left out: an order that
 * was paid for must not end in an error.
 */
export function showNotice(
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'],
): void {
	const place: Partial<IExecuteFunctions> = context;
	place.addExecutionHints?.({ message, type, location: 'outputPane' });
}
