import type { ServiceError } from '../api/errors';
import type { BriefSummary } from '../api/resources';
import type { Moment } from './moment';
import type { Finding } from './states';

/** What must be on record before anything else is done, for another process to go on from. */
export type LastingEvent =
	/** About to be sent. `known` is how many briefs this process knows. */
	| { type: 'intended'; at: Moment; known: number }
	/** `found` in the list, or named by the answer. */
	| { type: 'accepted'; brief: BriefSummary; found: boolean }
	/** Nothing came of it. */
	| { type: 'withdrawn'; why: string }
	| { type: 'refused' }
	| { type: 'parked'; reason: ParkReason };

/** What only this process needs to know. Times are by this machine's clock. */
export type PassingEvent =
	| { type: 'queued' }
	| { type: 'got_slot'; at: number }
	| { type: 'returned_slot'; notBefore: number; isStale: boolean }
	| { type: 'waited'; for: Wait; at: Moment }
	| { type: 'looked'; at: number; finding: Finding }
	| { type: 'sent' }
	/** It was refused, perhaps for want of a slot. */
	| { type: 'turned_away'; error: ServiceError }
	| { type: 'answered'; at: number; error: ServiceError }
	| { type: 'deferred' }
	/** Sending it again does not help now. */
	| { type: 'given_up' };

/**
 * What comes of a brief that exists: it is known to this process, has ended, was fetched and kept, or cannot be had now,
 * which is put on record like every other reason to park.
 */
export type BriefEvent =
	{ type: 'seen' | 'ended' | 'filed' } | Extract<LastingEvent, { type: 'parked' }>;

/** What happens to an order. */
export type OrderEvent = LastingEvent | PassingEvent | BriefEvent;
export type EventType = OrderEvent['type'];

/** Why a row is put aside for a person. */
export type ParkReason =
	/** One of several briefs may be its own, and its key is too old to be sent again. */
	| 'unclear'
	/** The service refuses it, but an earlier try stayed without an answer. */
	| 'refused_in_doubt'
	/** No answer came, run after run or while others got theirs. */
	| 'unanswered'
	/** Its create was answered with the brief of another order. */
	| 'other_brief'
	/** A brief of its product that no record knows is listed, and does not show what it was made from. */
	| 'listed'
	/** Its brief cannot be had now. Whoever follows the brief knows why. */
	| 'brief';

/** What can hold an order up. */
export type Wait =
	/** The service declared a rate limit. */
	| 'rate_limit'
	/** Near the turn of a month it is not known in which month a create counts. */
	| 'month_turn'
	/** Until the list shows for certain what came of it. */
	| 'list'
	/** Before the same create is sent again. */
	| 'retry';
