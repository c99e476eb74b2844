import { leavesInDoubt } from '../api/errors';
import { withFailedTry } from '../api/resend';
import { type OrderEvent, LIFE, type OrderState } from './life';
import { momentIn, notAhead } from './times';

/**
 * Gives the order after an event. Throws if the event cannot happen in this stage, which is a fault of this program.
 */
export function apply(order: OrderState, event: OrderEvent): OrderState {
	const stage = LIFE[order.stage][event.event];
	if (stage === undefined) {
		throw new Error(`“${event.event}” cannot happen to an order in the stage “${order.stage}”`);
	}
	return { ...order, stage, ...changes(order, event) };
}

const NOT_SENT = { isIntended: false, inDoubt: false, finding: null } as const;

function changes(order: OrderState, event: OrderEvent): Partial<OrderState> {
	switch (event.event) {
		case 'got_slot':
			return { slotSince: event.at, isSlotUsed: false, ...unlessInDoubt(order) };
		case 'returned_slot': {
			const staleSlots = order.staleSlots + (event.isStale ? 1 : 0);
			return { notBefore: event.notBefore, staleSlots, answer: null };
		}
		case 'waited':
			if (event.for !== 'list') return { answer: null };
			// The list must be looked at again. By clocks that were set back it would be waited for without end.
			return { finding: null, lastTried: order.lastTried && notAhead(order.lastTried, event.at) };
		case 'looked':
			return { finding: event.finding, lookedAt: event.at };
		case 'intended': {
			const lastTried = momentIn(event);
			const firstTried = order.firstTried ?? lastTried;
			const knownBefore = order.firstTried === null ? event.briefs_known : order.knownBefore;
			const times = { firstTried, lastTried, knownBefore };
			return { isIntended: true, isReserved: true, ...times };
		}
		case 'sent':
			return { isSlotUsed: true, isReserved: true, ...unlessInDoubt(order) };
		case 'turned_away':
			// A 409 may mean that the first try is still at work: then its own brief takes the slot.
			return {
				unjudgedRefusal: event.error,
				inDoubt: order.inDoubt || leavesInDoubt(event.error),
			};
		case 'answered':
			return {
				answer: event.error,
				unjudgedRefusal: null,
				...countAnswer(order, event),
				inDoubt: order.inDoubt || leavesInDoubt(event.error),
			};
		case 'accepted':
			return { briefId: event.brief.id, inDoubt: false, answer: null, isSeen: true };
		// Before it is ordered again it is compared as a new one is.
		case 'withdrawn':
			return { ...NOT_SENT, isLastTry: order.isLastTry || order.inDoubt };
		// A parked order was searched for, and is not searched for again in this run.
		case 'seen':
		case 'parked':
			return { isSeen: true };
		// What was found before its last try says nothing about what came of that.
		case 'given_up':
			return { isGivenUp: true, finding: null };
		case 'queued':
		case 'refused':
		case 'unanswered':
		case 'deferred':
		case 'ended':
		case 'filed':
			return {};
	}
}

/**
 * Forgets what was found before it was sent: that says nothing of what comes of it, and a look for a slot may show
 * more.
 */
function unlessInDoubt({ inDoubt, finding }: OrderState): Partial<OrderState> {
	return { finding: inDoubt ? finding : null };
}

/**
 * Counts an answer. A refusal for want of a slot is no failed try: slots and list disagree, and another slot is needed.
 */
function countAnswer(
	{ tries, slotRefusals }: OrderState,
	{ error, at }: Extract<OrderEvent, { event: 'answered' }>,
): Partial<OrderState> {
	if (error.kind !== 'slots_busy')
		return { slotRefusals, tries: withFailedTry(tries, error.kind, at) };
	return { slotRefusals: slotRefusals + 1, tries: tries && { ...tries, rateLimits: 0 } };
}
