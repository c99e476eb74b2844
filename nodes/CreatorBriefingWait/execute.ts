import { IdMap, isSameId } from '../../service/brief-id';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Brief } from '../../service/resources';
import { itemBriefIdOf } from '../shared/brief-locator';
import { briefOutput, briefShape, type BriefShape } from '../shared/brief-output';
import {
	messageWithoutItem,
	nodeErrorFrom,
	operationError,
	type FailureCode,
	type NodeFailure,
} from '../shared/errors';
import { errorItem, goesOn, linked, type Output } from '../shared/items';
import { readOptions } from '../shared/properties';
import { withWatchSession, type WatchSession } from '../shared/session';
import { answerOf, isTool } from '../shared/tool';
import { waitFailure } from '../shared/wait-for-brief';
import { watchBriefs, type Wanted } from './watch';

/** What an item asks for. */
interface ItemRequest {
	wanted: Wanted;
	shape: BriefShape;
}

/** Ready briefs go to the first output, failed ones to the second, and with Continue On Fail errors too. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await answerOf(
		this,
		() => waitForBriefs(this),
		(errorItems) => outputsOf(this, [], errorItems),
	);
}

async function waitForBriefs(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { pollInterval, timeout } = readOptions(context.getNodeParameter('options', 0));
	const requests = readRequests(context);
	const results = await withWatchSession(context, pollInterval, (session) =>
		endedBriefs(context, session, requests, timeout),
	);
	const ready: INodeExecutionData[] = [];
	const failed: INodeExecutionData[] = [];
	for (const [itemIndex, result] of results.entries()) {
		const isReady = !(result instanceof Error) && result.brief.status !== 'failed';
		const item =
			result instanceof Error
				? errorItem(context.getNode(), result, itemIndex)
				: linked(result.output, itemIndex);
		(isReady ? ready : failed).push(item);
	}
	return outputsOf(context, ready, failed);
}

/**
 * An AI agent gets the first output alone, and is to hear of failed briefs too (docs/n8n-behaviour.md, “An agent runs
 * the type whose name ends in Tool”).
 */
function outputsOf(
	context: IExecuteFunctions,
	ready: INodeExecutionData[],
	failed: INodeExecutionData[],
): INodeExecutionData[][] {
	return isTool(context) ? [[...ready, ...failed]] : [ready, failed];
}

/** An item that is not valid is an error in its place with Continue On Fail, and is thrown without. */
function readRequests(context: IExecuteFunctions): Array<ItemRequest | NodeFailure> {
	return context.getInputData().map((_item, itemIndex) => {
		try {
			return { wanted: wantedBrief(context, itemIndex), shape: briefShape(context, itemIndex) };
		} catch (thrown) {
			const earlier = earlierFailure(context, itemIndex);
			if (earlier !== null) return earlier;
			const failure = nodeErrorFrom(context.getNode(), thrown, Date.now(), { itemIndex });
			if (context.continueOnFail()) return failure;
			throw failure;
		}
	});
}

/** An item without a brief may be the error item of Create, which went on: it leaves with its own reason. */
function earlierFailure(context: IExecuteFunctions, itemIndex: number): NodeFailure | null {
	const { error, message, code } = context.getInputData()[itemIndex]?.json ?? {};
	if (typeof error !== 'string' || error === '') return null;
	const text = {
		message: messageWithoutItem({ message: error }),
		description: typeof message === 'string' ? message : '',
		code: typeof code === 'string' ? (code as FailureCode) : ('unexpected' as const),
	};
	return operationError(context.getNode(), text, { itemIndex });
}

function wantedBrief(context: IExecuteFunctions, itemIndex: number): Wanted {
	const id = itemBriefIdOf(context, itemIndex);
	const json = context.getInputData()[itemIndex]?.json ?? {};
	// An item that comes from Create says when the brief was created, which saves the first looks.
	const isOwn = typeof json.id === 'string' && isSameId(json.id, id);
	const { product_name, created_at } = isOwn ? json : {};
	return { id, created_at, product_name: typeof product_name === 'string' ? product_name : '' };
}

/** What an item gets. */
interface EndedBrief {
	brief: Brief;
	output: Output;
}

/** Each item's brief once it has ended, or why it has not. Without Continue On Fail the first failure is thrown. */
async function endedBriefs(
	context: IExecuteFunctions,
	session: WatchSession,
	requests: Array<ItemRequest | NodeFailure>,
	minutes: number,
): Promise<Array<EndedBrief | NodeFailure>> {
	// Several items may name the same brief.
	const unique = new IdMap<Wanted>();
	for (const request of requests) {
		if (!(request instanceof Error)) unique.set(request.wanted.id, request.wanted);
	}
	const watched = await watchBriefs(session, unique, minutes);
	const results: Array<EndedBrief | NodeFailure> = [];
	for (const [itemIndex, request] of requests.entries()) {
		if (request instanceof Error) {
			results.push(request);
			continue;
		}
		const { wanted, shape } = request;
		try {
			const result = watched.get(wanted.id) ?? { thrown: new Error('not watched') };
			if ('thrown' in result) throw result.thrown;
			const brief = result.ended;
			results.push({ brief, output: await briefOutput(context, brief, shape, itemIndex) });
		} catch (thrown) {
			const wait = { brief: wanted, minutes, now: session.service.now() };
			const failure = waitFailure(context.getNode(), thrown, wait, { itemIndex });
			if (!goesOn(context)) throw failure;
			results.push(failure);
		}
	}
	return results;
}
