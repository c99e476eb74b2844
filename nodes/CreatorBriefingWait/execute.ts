import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { GET_LAG_MS } from '../../service/assumptions';
import { nullIfUnknown } from '../../service/api/outcome';
import type { Brief, BriefSummary } from '../../service/api/resources';
import { createdByOurClock } from '../../service/api/service-time';
import { WaitTimeout } from '../../service/watch/wait';
import { NO_TEXT } from '../../service/watch/whole-brief';
import { itemBriefIdOf } from '../shared/brief-locator';
import { briefOutput, briefShape, type BriefShape } from '../shared/brief-output';
import { failureFields, nodeErrorFrom, operationError } from '../shared/node-errors';
import { errorItem, goesOn, linked, ownFields, type Output } from '../shared/items';
import { readOptions } from '../shared/properties';
import { waitDeadline, withWatchSession, type Session, type WatchSession } from '../shared/session';
import { answerOfTool, isTool } from '../shared/tool';
import { briefFailure, waitFailure, waitForBrief } from '../shared/wait-for-brief';

interface ItemRequest {
	/** The brief to wait for, as far as the item says how it is. */
	brief: BriefSummary;
	shape: BriefShape;
}

interface UnfitItem {
	failedItem: INodeExecutionData;
}

/** Puts ready briefs into the first output, failed ones to the second, and with Continue On Fail errors too. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await answerOfTool(
		this,
		() => waitForBriefs(this),
		(errorItems) => outputsOf(this, [], errorItems),
	);
}

async function waitForBriefs(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { pollInterval, timeout } = readOptions(context.getNodeParameter('options', 0));
	const requests = readRequests(context);
	return await withWatchSession(context, pollInterval, async (session) => {
		const all = requests.flatMap((one) => ('failedItem' in one ? [] : one.brief));
		const whenEnded = await watchBriefs(session, all, timeout);
		const readyItems: INodeExecutionData[] = [];
		const failedItems: INodeExecutionData[] = [];
		for (const [itemIndex, request] of requests.entries()) {
			if ('failedItem' in request) {
				failedItems.push(request.failedItem);
				continue;
			}
			const { brief: summary, shape } = request;
			try {
				const brief = await whenEnded(summary);
				const output = await briefOutput(context, brief, shape, itemIndex);
				if (brief.status === 'failed')
					failedItems.push(failedItem(context, brief, { ...output, ...shape }, itemIndex));
				else readyItems.push(linked(output, itemIndex));
			} catch (thrown) {
				if (thrown instanceof WaitTimeout && session.callEnds !== Infinity) {
					const unfinished = { ...NO_TEXT, ...summary, ...thrown.brief };
					readyItems.push(
						linked(await briefOutput(context, unfinished, shape, itemIndex), itemIndex),
					);
					continue;
				}
				const wait = { brief: summary, minutes: timeout, now: session.service.now() };
				const failure = waitFailure(context.getNode(), thrown, wait, itemIndex);
				if (!goesOn(context)) throw failure;
				failedItems.push(errorItem(context, failure, itemIndex));
			}
		}
		return outputsOf(context, readyItems, failedItems);
	});
}

/** Says of a brief that failed what all items of this output say, beside its own fields and those of its row. */
function failedItem(
	context: IExecuteFunctions,
	brief: Brief,
	output: Output & BriefShape,
	itemIndex: number,
): INodeExecutionData {
	const item = linked(output, itemIndex);
	const failure = briefFailure(context.getNode(), brief, itemIndex);
	const row = ownFields(context, itemIndex);
	// What Create has returned is the same brief, older. Any other item keeps its own fields.
	const isBrief = row.id === brief.id || output.includesInput;
	const fields = isBrief ? { ...row, ...item.json } : { ...item.json, ...row };
	return { ...item, json: { ...fields, ...failureFields(failure) } };
}

/**
 * An AI agent gets the first output alone, and is to hear of failed briefs too (docs/n8n-behaviour.md, “An agent runs
 * the type whose name ends in Tool”).
 */
function outputsOf(
	context: IExecuteFunctions,
	readyItems: INodeExecutionData[],
	failedItems: INodeExecutionData[],
): INodeExecutionData[][] {
	return isTool(context) ? [[...readyItems, ...failedItems]] : [readyItems, failedItems];
}

/** Reads what the items ask for. One that is not valid is an error in its place, or thrown without Continue On Fail. */
function readRequests(context: IExecuteFunctions): Array<ItemRequest | UnfitItem> {
	return context.getInputData().map((_item, itemIndex) => {
		const itemOfCreate = failedBefore(context, itemIndex);
		if (itemOfCreate !== null) return itemOfCreate;
		try {
			return { brief: wantedBrief(context, itemIndex), shape: briefShape(context, itemIndex) };
		} catch (thrown) {
			const failure = nodeErrorFrom(context.getNode(), thrown, Date.now(), itemIndex);
			if (context.continueOnFail()) return { failedItem: errorItem(context, failure, itemIndex) };
			throw failure;
		}
	});
}

/** Passes on an item that carries an error as it came: Create has failed for it, and went on. */
function failedBefore(context: IExecuteFunctions, itemIndex: number): UnfitItem | null {
	const { error } = ownFields(context, itemIndex);
	if (typeof error !== 'string' || error === '') return null;
	const failure = operationError(context.getNode(), { message: error, description: '' }, itemIndex);
	return { failedItem: errorItem(context, failure, itemIndex, {}) };
}

const NOT_SEEN = { status: 'queued', title: null, updated_at: '', finished_at: null, url: '' };

function wantedBrief(context: IExecuteFunctions, itemIndex: number): BriefSummary {
	const id = itemBriefIdOf(context, itemIndex);
	const json = context.getInputData()[itemIndex]?.json ?? {};
	// An item that comes from Create says when the brief was created, which saves the first looks.
	const [name, createdAt] =
		json.brief_id === id
			? [json.brief_product_name, json.brief_created_at]
			: json.id === id
				? [json.product_name, json.created_at]
				: [];
	return {
		...NOT_SEEN,
		id,
		product_name: typeof name === 'string' ? name : '',
		created_at: typeof createdAt === 'string' || typeof createdAt === 'number' ? createdAt : '',
	};
}

/** The age of a brief whose time is not known: it may be done, and no get lags behind any more. */
const LONG_AGO_MS = 5 * GET_LAG_MS;

/**
 * Waits until all of these briefs have ended or cannot be waited for. Each is watched once, though several items may
 * name it, and one look at the list serves all of them.
 * @returns gives each brief once it has ended
 */
async function watchBriefs(
	session: WatchSession,
	all: readonly BriefSummary[],
	minutes: number,
): Promise<(brief: BriefSummary) => Promise<Brief>> {
	const { reader, poller, service, clock, signal } = session;
	const deadline = waitDeadline(session, minutes);
	const ids = new Set(all.map(({ id }) => id));
	const looked = firstLook(session, [...ids]);
	const watch = async (brief: BriefSummary): Promise<Brief> => {
		const inLook = (await looked).get(brief.id);
		const now = clock.now();
		// A new brief may be missing at first, and need not be looked at often.
		const since = createdByOurClock(inLook ?? brief, service, clock) ?? now - LONG_AGO_MS;
		const until = { signal, deadline, since, seenAt: inLook && now };
		return await waitForBrief(reader, poller, inLook ?? brief, until);
	};
	const watches = new Map<string, Promise<Brief>>();
	const whenEnded = (brief: BriefSummary) => {
		const begun = watches.get(brief.id) ?? watch(brief);
		watches.set(brief.id, begun);
		return begun;
	};
	await Promise.allSettled(all.map(whenEnded));
	return whenEnded;
}

/**
 * Looks at the briefs with one request, whatever their number: it shows a wrong address or key at once, and which
 * briefs are done already. Briefs that it does not show are left to the looks that follow.
 */
async function firstLook(
	{ reader, signal }: Session,
	ids: string[],
): Promise<Map<string, BriefSummary>> {
	const [only] = ids;
	if (only === undefined) return new Map();
	if (ids.length > 1) {
		const { data } = await reader.briefs({}, signal);
		return new Map(data.map((brief) => [brief.id, brief]));
	}
	const brief = await nullIfUnknown(reader.brief(only, signal));
	return new Map(brief === null ? [] : [[only, brief]]);
}
