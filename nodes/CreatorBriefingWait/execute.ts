import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isText } from '../../core/api/error-details';
import { parseTimestamp } from '../../core/api/timestamps';
import { isRunning, type Brief, type BriefSummary } from '../../core/api/types';
import { PARALLEL_READS, runInParallel } from '../../core/parallel';
import { makeFailedBriefError } from '../shared/brief-errors';
import { getItemBriefId } from '../shared/brief-locator';
import {
	type BriefFormat,
	readBriefFormat,
	toBriefFields,
	toBriefOutput,
} from '../shared/brief-output';
import { makeWaitError, waitForBrief, type BriefWait } from '../shared/brief-wait';
import { addToInput, getInputFields } from '../shared/input-fields';
import {
	nameItem,
	runWithErrorItems,
	toErrorFields,
	toErrorItemOrThrow,
	toItem,
} from '../shared/items';
import {
	canWaitAgain,
	getCodeMeaning,
	makeOperationError,
	toFailureFields,
} from '../shared/node-errors';
import { clock } from '../shared/node-clock';
import { isOutsideCall } from '../shared/outside-call';
import { readOptions } from '../shared/properties';
import { openSession, type Session } from '../shared/session';
import { NO_TEXT } from '../shared/simplify';
import { isTool } from '../shared/tool';

/** An item with a brief to wait for. */
interface Task {
	readonly itemIndex: number;
	/** The fields that the item shows. */
	readonly brief: BriefSummary;
	readonly format: BriefFormat;
	/** Whether Create might not have ordered the item, so that the ID is the user's own, such as the ID of a row. */
	readonly isDoubtful: boolean;
}

/** An item of output, and the output that it leaves through. */
interface EndedItem {
	readonly output: 'ready' | 'failed' | 'not_ordered';
	readonly item: INodeExecutionData;
}

/**
 * Waits for the briefs of all items together:
 *
 *     item                                      output
 *     its brief becomes ready                   Ready
 *     its brief fails                           Failed
 *     Create left or only checked it            Not Ordered, at once
 *     it has any other error of Create          Failed, at once
 *     still running at the end of the timeout   an error: Failed or Error, by On Error
 *
 * An item that was still running can be passed to this node again.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await runWithErrorItems(
		this,
		async () => toOutputs(this, await waitForItems(this)),
		(errorItems) => toOutputs(this, errorItems.map(toFailed)),
	);
}

async function waitForItems(context: IExecuteFunctions): Promise<EndedItem[]> {
	const options = context.getNodeParameter('options', 0);
	const { pollInterval, timeout } = readOptions(options);
	const tasks = context.getInputData().map((_item, itemIndex) => readTask(context, itemIndex));
	const session = await openSession(context, {
		timeoutMs: options.timeout === 0 ? 0 : timeout * 60_000,
		pollSeconds: pollInterval,
	});
	const briefs = tasks.flatMap((task) => ('brief' in task ? [task.brief] : []));
	const waits = await waitForBriefs(briefs, session);
	const ended: EndedItem[] = [];
	for (const task of tasks)
		ended.push('brief' in task ? await finishTask(context, task, waits, session) : task);
	return ended;
}

/** An AI agent gets the first output alone, so all items of a tool leave through it. */
function toOutputs(
	context: IExecuteFunctions,
	ended: readonly EndedItem[],
): INodeExecutionData[][] {
	const select = (output: EndedItem['output']) =>
		ended.filter((each) => each.output === output).map(({ item }) => item);
	const outputs = [select('ready'), select('failed'), select('not_ordered')];
	return isTool(context) ? [outputs.flat()] : outputs;
}

function toFailed(item: INodeExecutionData): EndedItem {
	return { output: 'failed', item };
}

/**
 * Reads the brief of an item, or refuses the item.
 * @throws {NodeOperationError} if a parameter is not valid and On Error is Stop
 */
function readTask(context: IExecuteFunctions, itemIndex: number): Task | EndedItem {
	const { error, planned_action } = getInputFields(context, itemIndex);
	if (isText(error)) return copyInputItem(context, itemIndex);
	if (isText(planned_action))
		return { output: 'not_ordered', item: makeCheckOnlyItem(context, itemIndex) };
	const { json = {} } = context.getInputData()[itemIndex] ?? {};
	try {
		const format = readBriefFormat(context, itemIndex);
		const isDoubtful = canWaitAgain(json) && json.code !== 'still_running';
		return { itemIndex, format, brief: readBrief(context, itemIndex), isDoubtful };
	} catch (thrown) {
		// Create could not order it: the service was away.
		if (canWaitAgain(json)) return copyInputItem(context, itemIndex);
		return toFailed(toErrorItemOrThrow(context, thrown, Date.now(), itemIndex));
	}
}

/** Create has failed for the item and continued. Its error stays as it is. */
function copyInputItem(context: IExecuteFunctions, itemIndex: number): EndedItem {
	const { json = {}, binary } = context.getInputData()[itemIndex] ?? {};
	const item = {
		json,
		...(binary === undefined ? {} : { binary }),
		pairedItem: { item: itemIndex },
	};
	const isNotOrdered =
		getCodeMeaning(json.code).isNotOrdered === true || isText(json.planned_action);
	return { output: isNotOrdered ? 'not_ordered' : 'failed', item };
}

function makeCheckOnlyItem(context: IExecuteFunctions, itemIndex: number): INodeExecutionData {
	const title = "No brief was ordered, because 'Check Only' is on in Create";
	const text = {
		code: 'check_only',
		message: nameItem(context, itemIndex, title),
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
	const prefix = fields.brief_id === id ? 'brief_' : '';
	const isFromCreate = fields[`${prefix}id`] === id;
	const name = isFromCreate ? fields[`${prefix}product_name`] : '';
	const createdAt = isFromCreate ? fields[`${prefix}created_at`] : null;
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
	session: Session,
): Promise<ReadonlyMap<string, BriefWait>> {
	const { context, workspace } = session;
	const unique = [...new Map(briefs.map((brief) => [brief.id, brief])).values()];
	const waits = new Map<string, BriefWait>();
	const wait = async (brief: BriefSummary) => {
		waits.set(brief.id, await waitForBrief(brief, session));
	};
	try {
		// One request shows a wrong key at once, and which briefs have finished. A single look needs it, too.
		if (unique.length > 1 || session.deadline <= clock.now())
			await workspace.briefs.readNewestPage(context, 0);
	} catch (thrown) {
		return new Map(unique.map(({ id }) => [id, { kind: 'unreadable', thrown }]));
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

/** @throws {NodeFailure} if the wait ended without the brief and On Error is Stop */
async function finishTask(
	context: IExecuteFunctions,
	task: Task,
	waits: ReadonlyMap<string, BriefWait>,
	session: Session,
): Promise<EndedItem> {
	const { itemIndex, format } = task;
	const wait = waits.get(task.brief.id);
	if (wait === undefined) throw new Error('waitForBriefs waits for every brief');
	if (wait.kind === 'not_found' && task.isDoubtful) return copyInputItem(context, itemIndex);
	try {
		const brief = getEndedBrief(context, task, wait, session);
		if (brief.status === 'failed') {
			const failure = makeFailedBriefError(context.getNode(), brief, itemIndex);
			const json = toErrorFields(
				context,
				failure,
				itemIndex,
				toBriefFields(context, brief, format),
			);
			return toFailed({ json, pairedItem: { item: itemIndex } });
		}
		const output = await toBriefOutput(context, brief, format, itemIndex);
		return { output: 'ready', item: toItem(output, itemIndex) };
	} catch (thrown) {
		const now = session.context.client.now();
		return toFailed(toErrorItemOrThrow(context, thrown, now, itemIndex));
	}
}

/**
 * Returns the brief of an item, which is still running only if the client of an outside call cannot wait any longer.
 * @throws {NodeFailure} if the wait ended without the brief
 */
function getEndedBrief(
	context: IExecuteFunctions,
	{ brief: asked, itemIndex }: Task,
	wait: BriefWait,
	session: Session,
): Brief {
	if (wait.kind === 'finished') return wait.brief;
	const node = context.getNode();
	const brief = session.workspace.briefs.get(asked.id) ?? asked;
	if (wait.kind === 'late' && isOutsideCall(context)) return { ...NO_TEXT, ...brief };
	const now = session.context.client.now();
	throw makeWaitError(node, brief, wait, { now, itemIndex });
}
