import type { BriefSummary } from '../resources';
import type { Wait } from './events';

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
	| 'listed';

/** What is to be done next for an order, and why. */
export type Step =
	| { do: PlainStep; why: string }
	| { do: 'wait'; for: Wait; why: string }
	/** Take a brief of the list for its own. */
	| { do: 'adopt'; brief: BriefSummary; why: string }
	| { do: 'return_slot'; isStale: boolean; why: string }
	| { do: 'park'; reason: ParkReason; why: string };

export type PlainStep =
	| ('queue' | 'take_slot' | 'look' | 'intend' | 'send' | 'look_at_slots' | 'meet_rate_limit')
	| ('withdraw' | 'refuse' | 'defer' | 'hold_back' | 'give_up' | 'get' | 'watch' | 'file')
	/** Nothing is left to do for it in this run. */
	| 'stop';

export function step<Do extends PlainStep>(what: Do, why: string): { do: Do; why: string } {
	return { do: what, why };
}

export function wait(what: Wait, why: string): Step {
	return { do: 'wait', for: what, why };
}

export function adopt(brief: BriefSummary, why: string): Step {
	return { do: 'adopt', brief, why };
}

export function park(reason: ParkReason, why: string): Step {
	return { do: 'park', reason, why };
}

export function returnSlot(isStale: boolean, why: string): Step {
	return { do: 'return_slot', isStale, why };
}
