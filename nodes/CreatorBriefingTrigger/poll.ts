import type { IPollFunctions, INodeExecutionData } from 'n8n-workflow';
import { ApiClient } from '../../core/api/client';
import { isCredentialError, isTransient, ServiceError } from '../../core/api/errors';
import { toResult } from '../../core/api/retry';
import { joinSentences } from '../../core/input/text';
import { getConnection } from '../shared/credential';
import { toItem, type Output } from '../shared/items';
import { clock } from '../shared/node-clock';
import { getCode, makeNodeError, makeOperationError } from '../shared/node-errors';
import { makeSend } from '../shared/transport';
import { readBriefFinished } from './brief-finished';
import { readHooksRefreshed } from './hooks-refreshed';
import {
	countFailedPoll,
	describePolls,
	makeTriggerError,
	type PollFailures,
} from './poll-failures';
import type { PolledEvent, SavedState } from './polled-event';

/**
 * Newer versions of n8n abandon a poll after 45 seconds (docs/architecture.md, “Polling triggers”), so a poll takes half a
 * minute, unless it reads a long list of briefs. A request has half of that: hooks are read in two rounds, and single
 * briefs are requested in the first half.
 */
const POLL_MS = 30_000;
/** The budget that n8n names for a poll without a limit. */
const NO_BUDGET_MS = 300_000;
/** n8n can start a poll this much early or late: every 15 minutes must not become every 30. */
const SCHEDULE_ERROR_MS = 30_000;

/**
 * Polls an event when n8n's schedule calls the node. A poll never sleeps: the next poll repeats a request that failed.
 *
 *     publish     saves where to start. An outage does not keep the workflow from being published
 *     12:01       nothing new: returns null, which starts no execution
 *     12:02       429, Retry-After: 300: logged
 *     12:03       sends no request
 *     12:08       two new items: starts the workflow, and n8n saves the state
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return toNodeOutput(await testEvent(this));
	const history = getHistory(this);
	// n8n's schedule starts a poll each minute, even if the last poll has not ended. Both would return the same items.
	if (history.isPolling) return null;
	history.isPolling = true;
	try {
		return await pollOnSchedule(this, history);
	} finally {
		history.isPolling = false;
	}
}

/** What this process knows about the polls of a node. Times are by this machine's clock. */
interface PollHistory {
	isPolling: boolean;
	polledAt: number;
	/** When the service allows the next request. */
	retryAt: number;
	failures: PollFailures | null;
}

const NO_POLLS: PollHistory = { isPolling: false, polledAt: 0, retryAt: 0, failures: null };
const histories = new Map<string, PollHistory>();

function getHistory(context: IPollFunctions): PollHistory {
	const id = `${context.getWorkflow().id}/${context.getNode().id}`;
	const history = histories.get(id) ?? { ...NO_POLLS };
	histories.set(id, history);
	return history;
}

interface OpenPoll {
	readonly event: PolledEvent;
	readonly client: ApiClient;
}

/** @throws {NodeOperationError} if the parameters or the credential cannot be used */
async function openPoll(context: IPollFunctions, history: PollHistory): Promise<OpenPoll> {
	const half = Math.min(POLL_MS, getBudget(context)) / 2;
	const event: PolledEvent =
		context.getNodeParameter('triggerOn') === 'briefFinished'
			? readBriefFinished(context, clock.now() + half)
			: readHooksRefreshed(context);
	const connection = await getConnection(context);
	const send = makeSend(context, connection, half);
	// With this deadline, a request after a rate limit throws at once instead of waiting.
	const client = new ApiClient(send, clock, {
		deadline: clock.now(),
		onAnswer: (error) => (history.retryAt = Math.max(history.retryAt, error?.retryAt ?? 0)),
	});
	return { event, client };
}

/** Returns what a test in the editor shows, and saves nothing. */
async function testEvent(context: IPollFunctions): Promise<Output[]> {
	const { event, client } = await openPoll(context, { ...NO_POLLS });
	const result = await toResult(event.findRecent(client));
	if ('error' in result) throw makeNodeError(context.getNode(), result.error, client.now());
	if (result.value.length === 0) throw makeOperationError(context.getNode(), event.nothingFound);
	return result.value;
}

async function pollOnSchedule(
	context: IPollFunctions,
	history: PollHistory,
): Promise<INodeExecutionData[][] | null> {
	const isDurable = getBudget(context) < NO_BUDGET_MS;
	const isActivation = !isDurable && !knownContexts.has(context);
	knownContexts.add(context);
	if (isActivation) history.failures = null;
	let opened: OpenPoll | null = null;
	try {
		opened = await openPoll(context, history);
		const items = await findNewItems(context, opened, history, isActivation);
		if (items !== null) history.failures = null;
		return toNodeOutput(items ?? []);
	} catch (thrown) {
		const now = opened?.client.now() ?? clock.now();
		const error = makeTriggerError(context.getNode(), thrown, now);
		const canPass = thrown instanceof ServiceError && isTransient(thrown.kind);
		const kind = { code: getCode(error), canPass };
		const { failures, shouldReport } = countFailedPoll(history.failures, kind);
		history.failures = failures;
		if (isActivation && canPublish(thrown)) return null;
		if (isActivation) throw error;
		const polls = describePolls(failures, history.retryAt, now);
		error.description = joinSentences(error.description ?? '', polls);
		// The durable schedule backs off by itself, for which it needs every failure.
		if (shouldReport || isDurable) throw error;
		context.logger.warn(`${context.getNode().name}: ${error.message}. ${error.description}`);
		return null;
	}
}

/**
 * True if the workflow can be published although the first poll has failed. An error that is thrown would prevent that
 * (docs/architecture.md, “Polling triggers”), so it is thrown only if the user has to correct the credential or a parameter.
 */
function canPublish(thrown: unknown): boolean {
	return thrown instanceof ServiceError && !isCredentialError(thrown.kind);
}

/** Polls the service and saves the state. Returns null if the poll is too early; an activation always polls. */
async function findNewItems(
	context: IPollFunctions,
	{ event, client }: OpenPoll,
	history: PollHistory,
	isActivation: boolean,
): Promise<Output[] | null> {
	const now = clock.now();
	const isEarly = now < history.polledAt + event.intervalMs - SCHEDULE_ERROR_MS;
	if (!isActivation && (isEarly || now < history.retryAt)) return null;
	history.polledAt = now;
	history.retryAt = 0;
	// A context keeps its mode for all of its polls, but with the durable schedule each poll has another context.
	const isFirstPoll = isActivation || getBudget(context) < NO_BUDGET_MS;
	const isPublished = isFirstPoll && context.getActivationMode() === 'activate';
	// In the data of the workflow: the data of the node is lost when the user renames the node.
	const savedStates = context.getWorkflowStaticData('global');
	const key = `creatorBriefing/${context.getNode().id}/${event.name}`;
	const state = savedStates[key] as unknown as SavedState | undefined;
	const result = await toResult(event.find(client, state, isPublished));
	if ('error' in result) {
		// Later polls start from the time of the first failed poll.
		if (state === undefined) savedStates[key] = { since: client.now() };
		throw result.error;
	}
	savedStates[key] = result.value.state;
	return result.value.items;
}

/** An empty list would start an execution without items. */
function toNodeOutput(items: Output[]): INodeExecutionData[][] | null {
	return items.length === 0 ? null : [items.map(toItem)];
}

function getBudget(context: Partial<IPollFunctions>): number {
	return context.getPollBudgetMs?.() ?? NO_BUDGET_MS;
}

/**
 * The contexts that have polled. n8n makes one context for the poll by which it activates a workflow and for the polls
 * that follow, so the first poll of a context is an activation. With the durable schedule, each poll has another context,
 * and a budget.
 */
const knownContexts = new WeakSet<IPollFunctions>();
