import type { ServiceError } from '../errors';
import type { BriefSummary } from '../resources';
import type { Finding } from './states';

/** What must be on record before anything else is done, for another process to go on from. */
export type LastingEvent =
	/** About to be sent. `at` is by the service's clock. */
	| { type: 'intended'; at: number }
	/** `found` in the list, or told by the answer. */
	| { type: 'accepted'; brief: BriefSummary; found: boolean }
	/** Nothing came of it. */
	| { type: 'withdrawn'; why: string }
	| { type: 'refused' }
	| { type: 'parked'; why: string }
	/** Its brief was fetched and kept. */
	| { type: 'filed' };

/** What only this process needs to know. Times are by this machine's clock. */
export type PassingEvent =
	| { type: 'queued' }
	| { type: 'got_slot'; at: number }
	| { type: 'returned_slot'; notBefore: number; isStale: boolean }
	| { type: 'waited'; for: Wait }
	| { type: 'looked'; at: number; finding: Finding }
	| { type: 'sent' }
	/** It was refused, perhaps for want of a slot. */
	| { type: 'turned_away'; error: ServiceError }
	| { type: 'answered'; at: number; error: ServiceError }
	| { type: 'deferred' }
	| { type: 'held_back' }
	/** Sending it again does not help now. */
	| { type: 'given_up' }
	/** Its brief is known to this process. */
	| { type: 'seen' }
	| { type: 'ended' };

/** What happens to an order. */
export type OrderEvent = LastingEvent | PassingEvent;
export type EventType = OrderEvent['type'];

/** What can hold an order up. */
export type Wait =
	/** The service declared a rate limit. */
	| 'rate_limit'
	/** Near the turn of a month nobody can say in which month a create counts. */
	| 'month_turn'
	/** Until the list shows for certain what came of it. */
	| 'list'
	/** Before the same create is sent again. */
	| 'retry';
