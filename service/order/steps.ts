import type { BriefSummary } from '../api/resources';
import type { ParkReason, Wait } from './events';

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
	| ('withdraw' | 'refuse' | 'defer' | 'give_up' | 'get' | 'watch' | 'file')
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
