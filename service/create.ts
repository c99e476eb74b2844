import { LONGEST_RATE_WAIT_MS, type ErrorKind, type ServiceError } from './errors';
import type { BriefPoller, WaitOptions } from './brief-poller';
import { outcomeOf } from './outcome';
import { retryAt } from './patience';
import type { Clock } from './ports';
import type { Brief, BriefInput } from './resources';
import type { PollInterval } from './schedule';
import { sleepUntil } from './sleep';
import type { BriefingService } from './service';

/** Answers to one create that leave it open or undone, before somebody is told. The waits add up to two minutes. */
const MAX_FAILURES = 7;
const MAX_CONFLICTS = 3;
/** Rate limits in a row: as long as a quarter of an hour where the service names no time itself. */
const MAX_RATE_LIMITS = 15;

/** What came of the tries so far to create one brief. */
export interface Tries {
	failures: number;
	conflicts: number;
	refusals: number;
	/** Rate limits in a row, the newest included. */
	rateLimits?: number;
}

export type NextStep =
	/** Send the same bytes with the same key again. The slot stays ours: the brief may exist already. */
	| { do: 'send-again'; at: number }
	/** Nothing was created: give the slot back and wait for one. */
	| { do: 'wait-for-slot'; notBefore: number }
	| { do: 'give-up' };

/** The ladder from a create that failed to what to do next. `tries` includes this one. Times are of our clock. */
export function nextStep(
	error: ServiceError,
	tries: Tries,
	now: number,
	interval: PollInterval,
): NextStep {
	switch (error.kind) {
		// The list showed a free slot and the service did not: they disagree, so it gets more time at each refusal.
		case 'slots_busy': {
			const wait = interval.shortest * Math.min(4, 2 ** (tries.refusals - 1));
			return { do: 'wait-for-slot', notBefore: Math.max(error.retryAt ?? 0, now + wait) };
		}
		case 'rate_limited': {
			const { rateLimits = 1 } = tries;
			const at = retryAt(error, rateLimits, now, interval);
			// Too long to be waited out; and to come back before the time is not allowed either.
			if (at - now > LONGEST_RATE_WAIT_MS || rateLimits >= MAX_RATE_LIMITS)
				return { do: 'give-up' };
			return { do: 'send-again', at };
		}
		case 'in_doubt':
		case 'service_unavailable':
		case 'unreadable_answer':
			if (tries.failures >= MAX_FAILURES) return { do: 'give-up' };
			return { do: 'send-again', at: retryAt(error, tries.failures, now, interval) };
		// The first request with this key may still be at work in the service (IETF draft for Idempotency-Key, 409).
		case 'conflict':
			if (error.status !== 409 || tries.conflicts >= MAX_CONFLICTS) return { do: 'give-up' };
			return { do: 'send-again', at: retryAt(error, tries.conflicts, now, interval) };
		case 'invalid_input':
		case 'key_refused':
		case 'scope_missing':
		case 'licence_missing':
		case 'not_found':
		case 'allowance_used_up':
			return { do: 'give-up' };
	}
}

export interface CreateTools {
	service: BriefingService;
	poller: BriefPoller;
	clock: Clock;
	interval: PollInterval;
}

export interface CreateOrder {
	input: BriefInput;
	key: string;
}

export interface CreateOptions extends WaitOptions {
	/** Look for a slot a single time and stop where both are taken. */
	once?: boolean;
	/** It was sent before, and nobody knows what came of that: its brief may run already. */
	inDoubt?: boolean;
	/**
	 * Called with the slot in hand before each time that the create is sent. `inDoubt` tells that an earlier time stayed
	 * without a usable answer, so that the brief may exist and its key be old.
	 */
	beforeSend?: (inDoubt: boolean) => Promise<void>;
}

/**
 * Creates one brief: takes a slot, sends the create, and sends it again with the same key for as long as that can
 * help. Two at a time and the service's limits are kept by the BriefPoller and the service that are handed in.
 * @throws {ServiceError} of a kind that waiting does not cure, or the last one after many tries, or the last one where
 *   the next try would come after the deadline
 * @throws {WaitTimeout} when no slot came free before the deadline
 */
export async function createBrief(
	tools: CreateTools,
	order: CreateOrder,
	options: CreateOptions = {},
): Promise<Brief> {
	const { poller, clock, interval } = tools;
	const { signal, deadline, once, inDoubt = false } = options;
	const tries: Tries = { failures: 0, conflicts: 0, refusals: 0, rateLimits: 0 };
	const course: Course = { tries, inDoubt, isSent: false };
	let notBefore = -Infinity;
	// How old the look may be that showed a free slot. Grows, so that a slow service cannot keep us looking.
	let freshFor = interval.longest;
	for (;;) {
		const permit = await poller.takeSlot({ signal, deadline, once, notBefore });
		const grantedAt = clock.now();
		// Whoever waits for a slot again stands first in the queue, and needs none meanwhile.
		let isQueueing = false;
		try {
			await untilReady(tools, options, course);
			// After a rate limit, the turn of a month or a computer that slept others may have the slot.
			const isStale = clock.now() - grantedAt > freshFor;
			const sent = isStale
				? { notBefore: clock.now() }
				: await sendPatiently(tools, order, options, course);
			if ('brief' in sent) {
				permit.accepted(sent.brief);
				return sent.brief;
			}
			if (isStale) freshFor *= 2;
			({ notBefore } = sent);
			isQueueing = true;
		} finally {
			if (course.isSent || (course.inDoubt && !isQueueing)) permit.keepInDoubt();
			else permit.release();
		}
	}
}

/** How far one create has come. */
interface Course {
	tries: Tries;
	/** A try stayed open, so the brief may exist. */
	inDoubt: boolean;
	/** On its way, and nothing is heard of it yet. */
	isSent: boolean;
}

/**
 * Sends a create with the slot in hand, again where that can help.
 * @returns the brief, or when to ask for a slot again: nothing came of it
 * @throws {ServiceError} where sending it again cannot help
 */
async function sendPatiently(
	tools: CreateTools,
	order: CreateOrder,
	options: CreateOptions,
	course: Course,
): Promise<{ brief: Brief } | { notBefore: number }> {
	const { service, clock, interval } = tools;
	const { signal, deadline = Infinity, once } = options;
	for (;;) {
		course.isSent = true;
		const outcome = await outcomeOf(service.createBrief(order.input, order.key, signal));
		// A signal that aborts it throws, and leaves it on its way. Of all else it is known from here on what is open.
		course.isSent = false;
		if ('value' in outcome) return { brief: outcome.value };
		const { error } = outcome;
		course.inDoubt ||= leavesInDoubt(error);
		count(course.tries, error.kind);
		const step = nextStep(error, course.tries, clock.now(), interval);
		const isTooLate = step.do === 'send-again' && step.at > deadline;
		if (step.do === 'give-up' || isTooLate || (once && step.do === 'wait-for-slot')) {
			throw course.inDoubt ? error.asInDoubt() : error;
		}
		if (step.do === 'wait-for-slot') return step;
		// Nothing came of it, and the wait is long: others may have the slot meanwhile, and so a new look is due.
		if (!course.inDoubt && !once && step.at - clock.now() > interval.shortest) {
			return { notBefore: step.at };
		}
		await sleepUntil(clock, step.at, signal);
		await untilReady(tools, options, course);
	}
}

/** What is decided before the create must not be an hour old when it is sent: first the rate limit, then the rest. */
async function untilReady(
	{ service }: CreateTools,
	{ signal, beforeSend }: CreateOptions,
	{ inDoubt }: Course,
): Promise<void> {
	// A limit that is too long to be waited for ends the create itself.
	await outcomeOf(service.whenOpen(signal));
	await beforeSend?.(inDoubt);
}

/** Whether this answer leaves it open if the brief was created. */
function leavesInDoubt({ kind }: ServiceError): boolean {
	return kind === 'in_doubt' || kind === 'conflict';
}

function count(tries: Tries, kind: ErrorKind): void {
	tries.rateLimits = kind === 'rate_limited' ? (tries.rateLimits ?? 0) + 1 : 0;
	if (kind === 'slots_busy') tries.refusals += 1;
	else if (kind === 'conflict') tries.conflicts += 1;
	else if (kind !== 'rate_limited') tries.failures += 1;
}
