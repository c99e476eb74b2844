import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { parseTimestamp } from '../../core/api/timestamps';
import { isRunning, type Brief, type BriefSummary } from '../../core/api/types';
import type { WaitResult } from '../../core/workspace/brief-poller';
import { makeFailedBriefError, makePollError, makeWaitError } from '../shared/brief-errors';
import { getItemBriefId } from '../shared/brief-locator';
import {
	type BriefFormat,
	mergeBriefWithInput,
	NO_TEXT,
	prefixBriefFields,
	readBriefFormat,
	toBriefOutput,
} from '../shared/brief-output';
import {
	addToInput,
	canContinue,
	getInputFields,
	nameItem,
	toErrorItem,
	toItem,
} from '../shared/items';
import { makeNodeError, makeOperationError, toFailureFields } from '../shared/node-errors';
import { isOutsideCall } from '../shared/outside-call';
import { readOptions } from '../shared/properties';
import { PARALLEL_READS, runInParallel } from '../shared/run-in-parallel';
import { openSession, type Session } from '../shared/session';
import { isTool, runWithErrorItems } from '../shared/tool';

/** An item with a brief to wait for. */
interface Task {
	/** The fields that the item shows. */
	readonly brief: BriefSummary;
	readonly format: BriefFormat;
}

/** An item that goes to Failed at once. */
interface Refused {
	readonly failedItem: INodeExecutionData;
}

type Wait = { readonly result: WaitResult } | { readonly thrown: unknown };

/**
 * Waits for the briefs of all items together:
 *
 *     item                                      output
 *     its brief becomes ready                   Ready
 *     its brief fails                           Failed
 *     Create could not order, or Check Only     Failed, at once
 *     still running at the end of the timeout   an error: Failed or Error, by On Error
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await runWithErrorItems(
		this,
		() => waitForItems(this),
		(errorItems) => toOutputs(this, [], errorItems),
	);
}

async function waitForItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { pollInterval, timeout } = readOptions(context.getNodeParameter('options', 0));
	const tasks = context.getInputData().map((_item, itemIndex) => readTask(context, itemIndex));
	const options = { timeoutMs: timeout * 60_000, pollSeconds: pollInterval };
	const session = await openSession(context, options);
	const briefs = tasks.flatMap((task) => ('brief' in task ? [task.brief] : []));
	const waits = await waitForBriefs(briefs, session);

	const readyItems: INodeExecutionData[] = [];
	const failedItems: INodeExecutionData[] = [];
	for (const [itemIndex, task] of tasks.entries()) {
		if ('failedItem' in task) {
			failedItems.push(task.failedItem);
			continue;
		}
		try {
			const brief = getEndedBrief(context, task, { waits, session, itemIndex });
			if (brief.status === 'failed')
				failedItems.push(await toFailedBriefItem(context, brief, task.format, itemIndex));
			else
				readyItems.push(
					toItem(await toBriefOutput(context, brief, task.format, itemIndex), itemIndex),
				);
		} catch (thrown) {
			const error = makeNodeError(
				context.getNode(),
				thrown,
				session.context.client.now(),
				itemIndex,
			);
			if (!canContinue(context)) throw error;
			failedItems.push(toErrorItem(context, error, itemIndex));
		}
	}
	return toOutputs(context, readyItems, failedItems);
}

/** An AI agent gets the first output alone, so all items of a tool leave through it. */
function toOutputs(
	context: IExecuteFunctions,
	readyItems: INodeExecutionData[],
	failedItems: INodeExecutionData[],
): INodeExecutionData[][] {
	return isTool(context) ? [[...readyItems, ...failedItems]] : [readyItems, failedItems];
}

/** @throws {NodeOperationError} if a parameter is not valid and On Error is not set to continue */
function readTask(context: IExecuteFunctions, itemIndex: number): Task | Refused {
	const { error, planned_action } = getInputFields(context, itemIndex);
	if (isText(error)) return { failedItem: passOn(context, itemIndex) };
	if (isText(planned_action)) return { failedItem: makeCheckOnlyItem(context, itemIndex) };
	try {
		const format = readBriefFormat(context, itemIndex);
		return { brief: readBrief(context, itemIndex), format };
	} catch (thrown) {
		const failure = makeNodeError(context.getNode(), thrown, Date.now(), itemIndex);
		if (!context.continueOnFail()) throw failure;
		return { failedItem: toErrorItem(context, failure, itemIndex) };
	}
}

/** Create has failed for the item and continued. Its error stays as it is. */
function passOn(context: IExecuteFunctions, itemIndex: number): INodeExecutionData {
	const { json = {}, binary } = context.getInputData()[itemIndex] ?? {};
	return { json, ...(binary === undefined ? {} : { binary }), pairedItem: { item: itemIndex } };
}

function makeCheckOnlyItem(context: IExecuteFunctions, itemIndex: number): INodeExecutionData {
	const input = getInputFields(context, itemIndex);
	const product = input.brief_product_name ?? input.product_name;
	const title = "No brief was ordered, because 'Check Only' is on in Create";
	const text = {
		code: 'check_only',
		message: nameItem(context, itemIndex, { product, title }),
		description: "To order the brief, switch off 'Check Only'.",
	} as const;
	const fields = toFailureFields(makeOperationError(context.getNode(), text));
	return { json: addToInput(context, fields, itemIndex), pairedItem: { item: itemIndex } };
}

/** A new brief can be missing at first. If an item does not say that its brief is new, a missing brief is an error. */
const LONG_AGO = '1970-01-01';

function readBrief(context: IExecuteFunctions, itemIndex: number): BriefSummary {
	const id = getItemBriefId(context, itemIndex);
	const fields = getInputFields(context, itemIndex);
	const [name, createdAt] =
		fields.brief_id === id
			? [fields.brief_product_name, fields.brief_created_at]
			: fields.id === id
				? [fields.product_name, fields.created_at]
				: [];
	return {
		id,
		product_name: isText(name) ? name : '',
		created_at: parseTimestamp(createdAt) ?? LONG_AGO,
		status: 'queued',
		title: null,
		updated_at: '',
		finished_at: null,
		url: '',
	};
}

/** Waits until every brief has finished or cannot be waited for. Several items can share a brief. */
async function waitForBriefs(
	briefs: readonly BriefSummary[],
	{ context, deadline, workspace }: Session,
): Promise<Map<string, Wait>> {
	const unique = [...new Map(briefs.map((brief) => [brief.id, brief])).values()];
	const waits = new Map<string, Wait>();
	const wait = async (brief: BriefSummary) => {
		const ended = workspace.poller.waitUntilFinished(brief, deadline, context);
		waits.set(brief.id, await toWait(ended));
	};
	try {
		// One request shows a wrong key at once, and which briefs have finished.
		if (unique.length > 1) await workspace.briefs.readNewestPage(context, 0);
	} catch (thrown) {
		return new Map(unique.map(({ id }) => [id, { thrown }]));
	}
	const isKnownToRun = ({ id }: BriefSummary) => {
		const listed = workspace.briefs.get(id);
		return listed !== undefined && isRunning(listed);
	};
	const others = unique.filter((brief) => !isKnownToRun(brief));
	const reads = runInParallel(others, PARALLEL_READS, wait);
	await Promise.all([reads, ...unique.filter(isKnownToRun).map(wait)]);
	return waits;
}

function toWait(ended: Promise<WaitResult>): Promise<Wait> {
	return ended.then(
		(result) => ({ result }),
		(thrown: unknown) => ({ thrown }),
	);
}

interface EndedWaits {
	readonly waits: ReadonlyMap<string, Wait>;
	readonly session: Session;
	readonly itemIndex: number;
}

/**
 * Returns the brief of an item, which is still running only if the client of an outside call cannot wait any longer.
 * @throws {NodeApiError | NodeOperationError} if the wait ended without the brief
 */
function getEndedBrief(
	context: IExecuteFunctions,
	task: Task,
	{ waits, session, itemIndex }: EndedWaits,
): Brief {
	const node = context.getNode();
	const brief = session.workspace.briefs.get(task.brief.id) ?? task.brief;
	const wait = waits.get(brief.id);
	if (wait === undefined) throw new Error('waitForBriefs waits for every brief');
	if ('thrown' in wait) {
		const now = session.context.client.now();
		throw makePollError(node, brief, wait.thrown, { now, itemIndex });
	}
	const { result } = wait;
	if (result.kind === 'finished') return result.brief;
	if (result.kind === 'late' && isOutsideCall(context)) return { ...NO_TEXT, ...brief };
	throw makeWaitError(node, brief, result, itemIndex);
}

async function toFailedBriefItem(
	context: IExecuteFunctions,
	brief: Brief,
	format: BriefFormat,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const withoutInput = { ...format, includesInput: false };
	const { json } = await toBriefOutput(context, brief, withoutInput, itemIndex);
	const fields = format.includesInput ? prefixBriefFields(json) : { ...json };
	const failure = toFailureFields(makeFailedBriefError(context.getNode(), brief, itemIndex));
	return {
		json: mergeBriefWithInput(context, fields, failure, itemIndex),
		pairedItem: { item: itemIndex },
	};
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
