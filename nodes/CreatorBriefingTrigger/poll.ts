import type { IPollFunctions, INodeExecutionData } from 'n8n-workflow';
import { concernsAll } from '../../service/errors';
import { outcomeOf } from '../../service/outcome';
import { BriefingService } from '../../service/service';
import { clock } from '../shared/clock';
import { connectionOf } from '../shared/credential';
import { operationError } from '../shared/errors';
import { linked } from '../shared/items';
import { sendWith } from '../shared/transport';
import { eventOf, type EventName, type PolledEvent } from './events';
import { oneAtATime } from './one-at-a-time';
import { pollError } from './poll-error';
import type { StartMark } from './state';
import { withTimeLimit } from './time-limit';
import { withFailedPoll, type Trouble } from './trouble';

/**
 * Newer versions of n8n abandon a poll after 45 seconds (docs/n8n-behaviour.md, “A poll has a limited time”), so a poll
 * takes no longer than this, unless it has a long list of briefs to read. No request may take more than half of it.
 * Hooks are read in two rounds, a look and the lists, and briefs are asked for one by one in the first half.
 */
const POLL_MS = 30_000;
/** The budget that n8n names for a poll that is not limited. */
const NO_BUDGET_MS = 300_000;

export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return output(await test(this, await openPoll(this)));
	const name = `${this.getWorkflow().id}/${this.getNode().id}`;
	return await oneAtATime(name, () => pollBySchedule.call(this));
}

interface OpenPoll {
	name: EventName;
	event: PolledEvent;
	service: BriefingService;
}

async function openPoll(context: IPollFunctions): Promise<OpenPoll> {
	const half = Math.min(POLL_MS, budgetOf(context)) / 2;
	const name = context.getNodeParameter('triggerOn') as EventName;
	const event = eventOf(context, name, clock.now() + half);
	// A new one for each poll: an old one would sleep out the rate limit of an earlier poll, and a poll must not sleep.
	const send = sendWith(context, await connectionOf(context), half);
	return { name, event, service: new BriefingService(withTimeLimit(send, half), clock) };
}

async function pollBySchedule(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isDurable = budgetOf(this) < NO_BUDGET_MS;
	const before = troubles.get(this);
	const isActivation = before === undefined && !isDurable;
	const { name, event, service } = await openPoll(this);
	const memory = this.getWorkflowStaticData('node');
	const state = memory[name] as StartMark | undefined;
	const outcome = await outcomeOf(event.find(service, state));
	if ('value' in outcome) {
		troubles.set(this, null);
		if (outcome.value.state !== state) memory[name] = outcome.value.state;
		return output(outcome.value.items);
	}
	const { trouble, isTold } = withFailedPoll(before ?? null, outcome.error.kind, clock.now());
	troubles.set(this, trouble);
	if ((isActivation || state === undefined) && !concernsAll(outcome.error.kind)) {
		// An error here would keep the workflow from being published (docs/n8n-behaviour.md, “Publishing polls once and
		// fails with that poll”). The mark says from when on events count in later polls.
		memory[name] = state ?? ({ since: service.now() } satisfies StartMark);
		return null;
	}
	const failure = pollError(this.getNode(), outcome.error, service.now(), trouble);
	// The durable schedule has a back-off of its own, which it can only keep if it is told of each failure.
	if (isTold || isActivation || isDurable) throw failure;
	this.logger.warn(`${this.getNode().name}: ${failure.message}. ${failure.description ?? ''}`);
	return null;
}

/** A test in the editor gets what is there now, and changes nothing. */
async function test(context: IPollFunctions, { event, service }: OpenPoll): Promise<object[]> {
	const outcome = await outcomeOf(event.recent(service));
	if ('error' in outcome) throw pollError(context.getNode(), outcome.error, service.now());
	if (outcome.value.length === 0) throw operationError(context.getNode(), event.nothing);
	return outcome.value;
}

/** Null keeps n8n from starting an execution; an empty list would start one without items. */
function output(items: object[]): INodeExecutionData[][] | null {
	return items.length === 0 ? null : [items.map((json, index) => linked({ json }, index))];
}

/** Older versions have no such method. */
function budgetOf(context: Partial<IPollFunctions>): number {
	return context.getPollBudgetMs?.() ?? NO_BUDGET_MS;
}

/**
 * What polls of each context have met: missing before its first one, null after one that went well. n8n makes one
 * context for the poll by which it activates a workflow and for those that follow, and does not say which is which: the
 * activation is the first poll of a context. Polls that are scheduled durably have a context each, but they have a
 * budget too.
 */
const troubles = new WeakMap<IPollFunctions, Trouble | null>();
