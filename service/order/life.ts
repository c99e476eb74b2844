import type { ServiceError } from '../api/errors';
import type { BriefSummary } from '../api/resources';
import type { FailedTries } from '../api/resend';
import type { Moment, MomentText } from './times';

/** The stage that an order has come to. */
export type Stage =
	/** It has no brief: it was never sent, or certainly nothing came of it. */
	| 'to_order'
	/** It needs one of the two slots. */
	| 'waiting'
	/** With a slot, before the last checks. */
	| 'cleared'
	/** Its create is on its way, or was refused, perhaps for want of a slot. */
	| 'sent'
	/** Its create was answered without a brief, or is not sent because the service would refuse it now. */
	| 'answered'
	/** It was sent, or was about to be, without a usable answer: its brief may exist. */
	| 'in_doubt'
	/** Its brief exists, and is being written as far as we know. */
	| 'running'
	/** The service has finished its brief, which is not fetched yet. */
	| 'ended'
	/** Its brief was fetched and kept, or has failed. */
	| 'done'
	/** The service refused it for good, or answered none of its creates. It has no brief. */
	| 'refused'
	/** It waits for next month's allowance, or for a run that may order more. */
	| 'deferred'
	/** It needs attention. */
	| 'parked';

/** The stages in which a process may leave an order: what is on record of it. */
export type RecordStage = Extract<
	Stage,
	'to_order' | 'in_doubt' | 'running' | 'done' | 'refused' | 'parked'
>;

/** The list's word about an order in doubt, or about a row that may have been ordered before. */
export type Finding =
	| { is: 'found'; brief: BriefSummary }
	/** `isCertain`: the create is so old that the list would show its brief. */
	| { is: 'nothing'; isCertain: boolean }
	/**
	 * These may be its brief; `likelyBrief` if there is only one. Unless it is certain, the list may not show its own
	 * brief yet.
	 */
	| { is: 'unclear'; ids: readonly string[]; likelyBrief?: BriefSummary; isCertain: boolean };

/** An order, with everything that the next step depends on. Times are milliseconds. */
export interface OrderState {
	readonly stage: Stage;
	/** A try had no usable answer, so a brief may exist. */
	readonly inDoubt: boolean;
	/** An intent is on record: a new process would take the order for one in doubt. */
	readonly isIntended: boolean;
	/** The times at which its key was first and last about to be sent. */
	readonly firstTried: Moment | null;
	readonly lastTried: Moment | null;
	/** The number of briefs that this process knew before its first try; null if that was in an earlier process. */
	readonly knownBefore: number | null;
	/** Answers without a brief, including the one that still needs a decision. */
	readonly tries: FailedTries | null;
	readonly slotRefusals: number;
	/** The answer that still needs a decision. */
	readonly answer: ServiceError | null;
	/** A refusal that may be for want of a slot, until a look shows it. */
	readonly unjudgedRefusal: ServiceError | null;
	/** The result and the time of the last search for its brief, by this machine's clock. */
	readonly finding: Finding | null;
	readonly lookedAt: number;
	/** The time at which its slot was seen free, by this machine's clock. */
	readonly slotSince: number;
	/** It was sent since it has this slot, so that its own brief may hold it. */
	readonly isSlotUsed: boolean;
	/** The number of slots that it returned because the look that showed them was too old. */
	readonly staleSlots: number;
	/** No slot before this time of this machine's clock. */
	readonly notBefore: number;
	/** It counts against what this run may order. */
	readonly isReserved: boolean;
	/** Another try did not help, so this run leaves it in doubt. */
	readonly isGivenUp: boolean;
	/** So many runs came to their end without an answer to it, each after the list was certain of the tries before. */
	readonly runsUnanswered: number;
	/** It was in doubt and withdrawn by this process, which sends it once more only. */
	readonly isLastTry: boolean;
	readonly briefId: string | null;
	/** This process has seen its brief. */
	readonly isSeen: boolean;
	/** An earlier run parked it. */
	readonly wasParked: boolean;
	/** No row of this run is its own: it was taken out, edited or left out. We look for its brief and send nothing. */
	readonly hasNoRow: boolean;
}

export const NEW_ORDER: OrderState = {
	stage: 'to_order',
	inDoubt: false,
	isIntended: false,
	firstTried: null,
	lastTried: null,
	knownBefore: null,
	tries: null,
	slotRefusals: 0,
	answer: null,
	unjudgedRefusal: null,
	finding: null,
	lookedAt: -Infinity,
	slotSince: -Infinity,
	isSlotUsed: false,
	staleSlots: 0,
	notBefore: -Infinity,
	isReserved: false,
	isGivenUp: false,
	runsUnanswered: 0,
	isLastTry: false,
	briefId: null,
	isSeen: false,
	wasParked: false,
	hasNoRow: false,
};

/**
 * An event that must be on record before anything else is done, for another process to go on from. A journal has it with
 * the facts that only its shell knows.
 */
export type LastingEvent =
	/** About to be sent. `briefs_known` is how many briefs this process knows. */
	| ({ event: 'intended'; briefs_known: number } & MomentText)
	/** `found`: in the list, or given by a person. */
	| { event: 'accepted'; brief: BriefSummary; found: boolean }
	/** Nothing came of it. */
	| { event: 'withdrawn'; why: string }
	| { event: 'refused' }
	/** No create was answered in as many runs as it may be tried, and the list is certain that it has no brief. */
	| { event: 'unanswered' }
	| { event: 'parked'; reason: ParkReason };

/** An event that only this process needs to know. Times are by this machine's clock. */
export type PassingEvent =
	| { event: 'queued' }
	| { event: 'got_slot'; at: number }
	| { event: 'returned_slot'; notBefore: number; isStale: boolean }
	| { event: 'waited'; for: Wait; at: Moment }
	| { event: 'looked'; at: number; finding: Finding }
	| { event: 'sent' }
	/** It was refused, perhaps for want of a slot. */
	| { event: 'turned_away'; error: ServiceError }
	| { event: 'answered'; at: number; error: ServiceError }
	| { event: 'deferred' }
	/** Sending it again does not help now. */
	| { event: 'given_up' };

/**
 * The end of a step with a brief that exists: it is known to this process, has ended, was fetched and kept, or cannot
 * be had now. Whoever follows the brief has put on record what must be.
 */
export interface BriefEvent {
	event: 'seen' | 'ended' | 'filed' | 'parked';
}

/** Anything that happens to an order. */
export type OrderEvent = LastingEvent | PassingEvent | BriefEvent;
export type EventType = OrderEvent['event'];

/** The reason why a row is put aside for a person. */
export type ParkReason =
	/** One of several briefs may be its own, and its key is too old to be sent again. */
	| 'unclear'
	/** Its create was answered with the brief of another order. */
	| 'other_brief'
	/** A brief of its product that no record knows is listed, and does not show what it was made from. */
	| 'listed';

/** A thing that can hold an order up. */
export type Wait =
	/** The service declared a rate limit. */
	| 'rate_limit'
	/** Near the turn of a month it is not known in which month a create counts. */
	| 'month_turn'
	/** Until the list shows for certain what came of it. */
	| 'list'
	/** Before the same create is sent again. */
	| 'retry';

/** The next thing to be done for an order, and why. */
export type Step =
	| { do: PlainStep; why: string }
	| { do: 'wait'; for: Wait; why: string }
	/** Take a brief of the list for its own. */
	| { do: 'take_over'; brief: BriefSummary; why: string }
	| { do: 'return_slot'; isStale: boolean; why: string }
	| { do: 'park'; reason: ParkReason; why: string };

export type PlainStep =
	| ('queue' | 'take_slot' | 'look' | 'intend' | 'send' | 'look_at_slots' | 'meet_rate_limit')
	| ('withdraw' | 'refuse' | 'fail' | 'defer' | 'give_up' | 'get' | 'watch' | 'file')
	/** Nothing is left to do for it in this run. */
	| 'stop';

export function step<Do extends PlainStep>(what: Do, why: string): { do: Do; why: string } {
	return { do: what, why };
}

export function wait(what: Wait, why: string): Step {
	return { do: 'wait', for: what, why };
}

export function takeOver(brief: BriefSummary, why: string): Step {
	return { do: 'take_over', brief, why };
}

export function park(reason: ParkReason, why: string): Step {
	return { do: 'park', reason, why };
}

export function returnSlot(isStale: boolean, why: string): Step {
	return { do: 'return_slot', isStale, why };
}

/** The parts of an order's way, one after the other. */
const PARTS = ['recover', 'take_over', 'order', 'watch', 'file'] as const;
export type Part = (typeof PARTS)[number];

/** Says whether a step belongs to a later part of its way than this one. */
export function isBeyond(last: Part, order: OrderState, step: Step): boolean {
	return PARTS.indexOf(partOf(order, step)) > PARTS.indexOf(last);
}

function partOf({ stage }: OrderState, { do: what }: Step): Part {
	if (what === 'watch' || what === 'file') return what;
	if (stage === 'to_order' && (what === 'look' || what === 'take_over' || what === 'park'))
		return 'take_over';
	// What an earlier run left: until it is known what came of it.
	if (stage === 'in_doubt' || stage === 'parked' || stage === 'running') return 'recover';
	return 'order';
}

/** The life of an order: what can happen in each stage, and the stage that follows. Nothing else can happen. */
export const LIFE: Readonly<Record<Stage, Partial<Record<EventType, Stage>>>> = {
	to_order: {
		looked: 'to_order',
		accepted: 'running',
		parked: 'parked',
		queued: 'waiting',
		deferred: 'deferred',
	},
	waiting: { got_slot: 'cleared', answered: 'answered' },
	cleared: {
		waited: 'cleared',
		looked: 'cleared',
		intended: 'cleared',
		withdrawn: 'cleared',
		unanswered: 'refused',
		returned_slot: 'waiting',
		sent: 'sent',
		accepted: 'running',
		answered: 'answered',
		deferred: 'deferred',
		given_up: 'in_doubt',
		parked: 'parked',
	},
	sent: { accepted: 'running', turned_away: 'sent', answered: 'answered' },
	answered: {
		waited: 'cleared',
		returned_slot: 'waiting',
		withdrawn: 'to_order',
		refused: 'refused',
		given_up: 'in_doubt',
	},
	in_doubt: {
		looked: 'in_doubt',
		waited: 'in_doubt',
		queued: 'waiting',
		withdrawn: 'to_order',
		unanswered: 'refused',
		accepted: 'running',
		given_up: 'in_doubt',
		parked: 'parked',
	},
	running: { seen: 'running', ended: 'ended', parked: 'parked' },
	ended: { filed: 'done', parked: 'parked' },
	parked: { looked: 'parked', accepted: 'running', seen: 'running', parked: 'parked' },
	done: {},
	refused: {},
	deferred: {},
};
