import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Brief } from '../../service/resources';
import { briefIdOf } from '../shared/brief-locator';
import { briefOutput, briefShape, type BriefShape } from '../shared/brief-output';
import { nodeErrorFrom, type NodeFailure } from '../shared/errors';
import { errorItem, linked } from '../shared/items';
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
	return await answerOf(this, () => waitForBriefs(this));
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
		if (result instanceof Error) failed.push(errorItem(context.getNode(), result, itemIndex));
		else {
			const { brief, shape } = result;
			const item = linked(await briefOutput(context, brief, shape), itemIndex);
			(brief.status === 'failed' ? failed : ready).push(item);
		}
	}
	// An AI agent gets the first output alone, and is to hear of failed briefs too (docs/n8n-behaviour.md, “An agent runs
	// the type whose name ends in Tool”).
	return isTool(context) ? [[...ready, ...failed]] : [ready, failed];
}

/** An item that is not valid is an error in its place with Continue On Fail, and is thrown without. */
function readRequests(context: IExecuteFunctions): Array<ItemRequest | NodeFailure> {
	return context.getInputData().map((_item, itemIndex) => {
		try {
			return { wanted: wantedBrief(context, itemIndex), shape: briefShape(context, itemIndex) };
		} catch (thrown) {
			const failure = nodeErrorFrom(context.getNode(), thrown, Date.now(), { itemIndex });
			if (context.continueOnFail()) return failure;
			throw failure;
		}
	});
}

function wantedBrief(context: IExecuteFunctions, itemIndex: number): Wanted {
	const id = briefIdOf(context, itemIndex);
	const json = context.getInputData()[itemIndex]?.json ?? {};
	// An item that comes from Create says when the brief was created, which saves the first looks.
	const { product_name, created_at } = json.id === id ? json : {};
	return { id, created_at, product_name: typeof product_name === 'string' ? product_name : '' };
}

/** Each item's brief once it has ended, or why it has not. Without Continue On Fail the first failure is thrown. */
async function endedBriefs(
	context: IExecuteFunctions,
	session: WatchSession,
	requests: Array<ItemRequest | NodeFailure>,
	minutes: number,
): Promise<Array<{ brief: Brief; shape: BriefShape } | NodeFailure>> {
	// Several items may name the same brief.
	const unique = new Map<string, Wanted>();
	for (const request of requests) {
		if (!(request instanceof Error)) unique.set(request.wanted.id, request.wanted);
	}
	const watched = await watchBriefs(session, unique, minutes);
	return requests.map((request, itemIndex) => {
		if (request instanceof Error) return request;
		const { wanted, shape } = request;
		const result = watched.get(wanted.id) ?? { thrown: new Error('not watched') };
		if ('ended' in result) return { brief: result.ended, shape };
		const wait = { brief: wanted, minutes, now: session.service.now() };
		const failure = waitFailure(context.getNode(), result.thrown, wait, { itemIndex });
		if (context.continueOnFail() && session.signal?.aborted !== true) return failure;
		throw failure;
	});
}
