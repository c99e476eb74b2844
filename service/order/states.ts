import type { ServiceError } from '../api/errors';
import type { BriefSummary } from '../api/resources';
import type { FailedTries } from '../api/retry';
import type { Moment } from './moment';

/** How far an order is. */
export type Stage =
	/** It has no brief: it was never sent, or certainly nothing came of it. */
	| 'to_order'
	/** In the queue for one of the two slots. */
	| 'waiting'
	/** With a slot, before the last checks. */
	| 'cleared'
	/** Its create is on its way, or was refused, perhaps for want of a slot. */
	| 'sent'
	/** Its create was answered without a brief. */
	| 'answered'
	/** It was sent, or was about to be, without a usable answer: its brief may exist. */
	| 'in_doubt'
	/** Its brief exists, and is being written as far as we know. */
	| 'running'
	/** The service has finished its brief, which is not fetched yet. */
	| 'ended'
	/** Its brief was fetched and kept, or has failed. */
	| 'done'
	/** The service refused it for good. It has no brief. */
	| 'refused'
	/** It waits for next month's allowance, or for a run that may order more. */
	| 'deferred'
	/** It needs attention. */
	| 'parked';

/** What the list shows about an order in doubt, or about a row that may have been ordered before. */
export type Finding =
	| { is: 'found'; brief: BriefSummary }
	/** `isCertain`: the create is so old that the list would show its brief. */
	| { is: 'nothing'; isCertain: boolean }
	/**
	 * These may be its brief; `likely` if there is only one. Unless it is certain, the list may not show its own brief
	 * yet.
	 */
	| { is: 'unclear'; ids: readonly string[]; likely?: BriefSummary; isCertain: boolean };

/** An order, with everything that the next step depends on. Times are milliseconds. */
export interface OrderState {
	readonly stage: Stage;
	/** A try had no usable answer, so a brief may exist. */
	readonly inDoubt: boolean;
	/** An intent is on record: a new process would take the order for one in doubt. */
	readonly isIntended: boolean;
	/** When its key was first and last about to be sent. */
	readonly firstTried: Moment | null;
	readonly lastTried: Moment | null;
	/** How many briefs this process knew before its first try; null if that was in an earlier process. */
	readonly knownBefore: number | null;
	/** How often its intent was recorded since it was last sent. */
	readonly intents: number;
	/** Answers without a brief, including the one that still needs a decision. */
	readonly tries: FailedTries | null;
	readonly refusals: number;
	/** The answer that still needs a decision. */
	readonly answer: ServiceError | null;
	/** A refusal that may be for want of a slot, until a look shows it. */
	readonly refusal: ServiceError | null;
	/** The result and the time of the last search for its brief, by this machine's clock. */
	readonly finding: Finding | null;
	readonly lookedAt: number;
	/** When its slot was seen free, by this machine's clock. */
	readonly slotSince: number;
	/** Whether it was sent since it has this slot, so that its own brief may hold it. */
	readonly isSlotUsed: boolean;
	/** How many slots it returned because the look that showed them was too old. */
	readonly staleSlots: number;
	/** No slot before this time of this machine's clock. */
	readonly notBefore: number;
	/** It counts against what this run may order. */
	readonly isReserved: boolean;
	/** Another try did not help, so this run leaves it in doubt. */
	readonly isGivenUp: boolean;
	readonly briefId: string | null;
	/** This process has seen its brief. */
	readonly isSeen: boolean;
	/** An earlier run parked it. */
	readonly wasParked: boolean;
	/** Its row is no longer in the CSV: we search for its brief and send nothing. */
	readonly isGone: boolean;
}

export const NEW_ORDER: OrderState = {
	stage: 'to_order',
	inDoubt: false,
	isIntended: false,
	firstTried: null,
	lastTried: null,
	knownBefore: null,
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
};
