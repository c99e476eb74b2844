import type { ServiceError } from '../errors';
import type { BriefSummary } from '../resources';
import type { FailedTries } from '../retry';

/** How far an order has come. */
export type Stage =
	/** No brief exists of it: it was never sent, or it is certain that nothing came of it. */
	| 'to_order'
	/** It stands in the queue for one of the two slots. */
	| 'waiting'
	/** It has a slot, and is checked once more before it is sent. */
	| 'cleared'
	/** Its create is on its way, or was refused and it is not known yet whether for want of a slot. */
	| 'sent'
	/** Its create was answered, but not with a brief. */
	| 'answered'
	/** It was sent, or was about to be, and no usable answer is known: its brief may exist. */
	| 'in_doubt'
	/** Its brief exists, and is being written as far as is known. */
	| 'running'
	/** Its brief is ready or failed in the service, and not fetched yet. */
	| 'ended'
	/** Its brief was fetched and kept, or is known to have failed. */
	| 'done'
	/** The service refused it for good. No brief exists. */
	| 'refused'
	/** It waits for the next month's allowance, or for a run that may order more. */
	| 'deferred'
	/** A person must look. */
	| 'parked'
	/** Its product was ordered already, with other content: a person must ask for it. */
	| 'changed';

/** What the list shows of an order in doubt, or of one that was perhaps ordered before. */
export type Finding =
	/** This is its brief. */
	| { is: 'found'; brief: BriefSummary }
	/** No brief of it. `isCertain`: its create was sent so long ago that the list would show one. */
	| { is: 'nothing'; isCertain: boolean }
	/** These may be its brief; `likely` where there is only one. Unless that is certain, the list may not show its own yet. */
	| { is: 'unclear'; ids: readonly string[]; likely?: BriefSummary; isCertain: boolean };

/** One order, as far as the next step depends on it. Times are milliseconds. */
export interface OrderState {
	readonly stage: Stage;
	/** A try stayed without a usable answer, so that a brief may exist. */
	readonly inDoubt: boolean;
	/** An intent is on record: a process that starts now would take the order for one in doubt. */
	readonly isIntended: boolean;
	/** When its key was first and last about to be sent, by the service's clock. */
	readonly firstTried: number | null;
	readonly lastTried: number | null;
	/** How often it was put on record since it was last sent. */
	readonly intents: number;
	/** Answers without a brief, the one that is still to be acted on included. */
	readonly tries: FailedTries | null;
	/** Refusals for want of a slot. */
	readonly refusals: number;
	/** The answer that is still to be acted on. */
	readonly answer: ServiceError | null;
	/** A refusal that may be for want of a slot, until a look tells. */
	readonly refusal: ServiceError | null;
	/** What the last look for its brief showed, and when that was by this machine's clock. */
	readonly finding: Finding | null;
	readonly lookedAt: number;
	/** When its slot was seen free, by this machine's clock. */
	readonly slotSince: number;
	/** Whether it was sent since it has its slot, so that its own brief may be what holds the slot. */
	readonly isSlotUsed: boolean;
	/** How many slots were given back because the look that showed them free had become too old. */
	readonly staleSlots: number;
	/** No slot before this time of this machine's clock. */
	readonly notBefore: number;
	/** It counts against what this run may order. */
	readonly isReserved: boolean;
	/** Sending it again did not help: this run leaves it in doubt. */
	readonly isGivenUp: boolean;
	readonly briefId: string | null;
	/** This process has seen its brief. */
	readonly isSeen: boolean;
	/** Put aside for a person by an earlier run. */
	readonly wasParked: boolean;
	/** Its row stands no more in the CSV: its brief is looked for, and nothing is sent. */
	readonly isGone: boolean;
	/** An earlier order of its product may have a brief, and nobody asked for another one. */
	readonly isHeldBack: boolean;
}

/** An order of which nothing was sent. */
export const NEW_ORDER: OrderState = {
	stage: 'to_order',
	inDoubt: false,
	isIntended: false,
	firstTried: null,
	lastTried: null,
	intents: 0,
	tries: null,
	refusals: 0,
	answer: null,
	refusal: null,
	finding: null,
	lookedAt: -Infinity,
	slotSince: -Infinity,
	isSlotUsed: false,
	staleSlots: 0,
	notBefore: -Infinity,
	isReserved: false,
	isGivenUp: false,
	briefId: null,
	isSeen: false,
	wasParked: false,
	isGone: false,
	isHeldBack: false,
};
