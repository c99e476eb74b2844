import type { IPollFunctions, INodeExecutionData } from 'n8n-workflow';
import { concernsAll, isTransient, ServiceError } from '../../service/api/errors';
import { outcomeOf } from '../../service/api/outcome';
import type { BriefingService } from '../../service/api/service';
import { clock } from '../shared/node-clock';
import { connectionOf } from '../shared/credential';
import { codeOf, nodeErrorFrom, operationError } from '../shared/node-errors';
import { linked, type Output } from '../shared/items';
import { serviceAt } from '../shared/service-at';
import { sendWith } from '../shared/transport';
import { briefFinished } from './brief-finished';
import { hooksRefreshed } from './hooks-refreshed';
import { readMemory, remember, type PolledEvent, type Memory } from './state';
import { pollError, withFailedPoll, type Trouble } from './trouble';

/**
 * Newer versions of n8n abandon a poll after 45 seconds (docs/n8n-behaviour.md, “A poll has a limited time”), so a poll
 * takes no longer than this, unless it has a long list of briefs to read. No request may take more than half of it.
 * Hooks are read in two rounds, a look and the lists, and briefs are asked for one by one in the first half.
 */
const POLL_MS = 30_000;
/** The budget that n8n names for a poll that is not limited. */
const NO_BUDGET_MS = 300_000;
/** n8n may start a poll this much early or late: every 15 minutes must not become every 30. */
const UNPUNCTUAL_MS = 30_000;

export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return output(await test(this));
	const name = `${this.getWorkflow().id}/${this.getNode().id}`;
	// n8n's schedule starts a poll each minute, even if the last one has not ended. Two would start from the same state
	// and fire twice.
	if (atWork.has(name)) return null;
	atWork.add(name);
	try {
		return await pollBySchedule(this);
	} finally {
		atWork.delete(name);
	}
}

const atWork = new Set<string>();

/** @throws {NodeOperationError} if the parameters or the credential cannot be used */
async function openPoll(context: IPollFunctions) {
	const half = Math.min(POLL_MS, budgetOf(context)) / 2;
	const event: PolledEvent =
		context.getNodeParameter('triggerOn') === 'briefFinished'
			? briefFinished(context, clock.now() + half)
			: hooksRefreshed(context);
	// A new one for each poll: an old one would sleep through the rate limit of an earlier poll, and a poll must not sleep.
	const connection = await connectionOf(context);
	const service = serviceAt(connection.baseUrl, sendWith(context, connection, half));
	return { event, service };
}

/** Gets what is there now, for a test in the editor, and changes nothing. */
async function test(context: IPollFunctions): Promise<Output[]> {
	const { event, service } = await openPoll(context);
	const outcome = await outcomeOf(event.findRecent(service));
	if ('error' in outcome) throw pollError(context.getNode(), outcome.error, service.now());
	if (outcome.value.length === 0) throw operationError(context.getNode(), event.nothing);
	return outcome.value;
}

async function pollBySchedule(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isDurable = budgetOf(context) < NO_BUDGET_MS;
	const isActivation = !isDurable && !troubles.has(context);
	const before = troubles.get(context) ?? null;
	troubles.set(context, before);
	let now = () => clock.now();
	try {
		const { event, service } = await openPoll(context);
		now = () => service.now();
		const items = await findNew(context, event, service, isActivation);
		if (items !== null) troubles.set(context, null);
		return output(items ?? []);
	} catch (thrown) {
		const failure =
			thrown instanceof ServiceError
				? pollError(context.getNode(), thrown, now())
				: nodeErrorFrom(context.getNode(), thrown, now());
		const code = codeOf(failure);
		const mayPass = thrown instanceof ServiceError && isTransient(thrown.kind);
		const { trouble, isReported } = withFailedPoll(before, { code, mayPass }, clock.now());
		troubles.set(context, trouble);
		// An error would keep the workflow from being published (docs/n8n-behaviour.md, “Publishing polls once and fails with
		// that poll”), which is right for what only a person can cure here.
		if (isActivation && thrown instanceof ServiceError && !concernsAll(thrown.kind)) return null;
		if (isActivation) throw failure;
		const since = `Polls have been failing since ${new Date(trouble.since).toISOString()}.`;
		failure.description = `${failure.description ?? ''} ${since}`.trim();
		// The durable schedule has its own back-off, which only works if it hears of each failure.
		if (isReported || isDurable) throw failure;
		context.logger.warn(`${context.getNode().name}: ${failure.message}. ${failure.description}`);
		return null;
	}
}

/**
 * Asks the service, and remembers what it said. Gives null if it is not yet time to ask; the first poll after
 * publishing always asks.
 */
async function findNew(
	context: IPollFunctions,
	event: PolledEvent,
	service: BriefingService,
	isActivation: boolean,
): Promise<Output[] | null> {
	const memory = readMemory(context, event.name);
	const checkedAt = clock.now();
	if (!isActivation && isHeldBack(memory, event.interval, checkedAt)) return null;
	const isPublished = isActivation && context.getActivationMode() === 'activate';
	const state = isPublished && event.startsFromNow ? undefined : memory?.state;
	const outcome = await outcomeOf(event.find(service, state));
	const isFound = 'value' in outcome;
	remember(context, event.name, {
		checkedAt,
		notBefore: service.rateLimit()?.until ?? (isFound ? null : outcome.error.retryAt),
		// If nothing could be read, the mark says from when on events count in later polls.
		state: isFound ? outcome.value.state : (state ?? { since: service.now() }),
	});
	if (!isFound) throw outcome.error;
	return outcome.value.items;
}

function isHeldBack(memory: Memory | undefined, interval: number, now: number): boolean {
	if (memory === undefined) return false;
	const { checkedAt, notBefore } = memory;
	return now < (notBefore ?? 0) || now < checkedAt + interval - UNPUNCTUAL_MS;
}

/** Null keeps n8n from starting an execution; an empty list would start one without items. */
function output(items: Output[]): INodeExecutionData[][] | null {
	return items.length === 0 ? null : [items.map(linked)];
}

/** Gives the time that n8n leaves a poll. Older versions have no method that says it. */
function budgetOf(context: Partial<IPollFunctions>): number {
	return context.getPollBudgetMs?.() ?? NO_BUDGET_MS;
}

/**
 * The trouble that polls of each context have met: missing before its first one, null after a success. n8n makes one
 * context for the poll by which it activates a workflow and for those that follow, and does not say which is which: the
 * activation is the first poll of a context. Polls that are scheduled durably have a context each, but they have a
 * budget too.
 */
const troubles = new WeakMap<IPollFunctions, Trouble | null>();
