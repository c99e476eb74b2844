import type { BriefSummary } from '../api/resources';
import { isOlder } from './likeness';
import { NEW_ORDER, type LastingEvent, type OrderState, type RecordStage } from './life';
import { momentIn } from './times';

/** What is put on record of an order, for another process to go on from. */
export type RecordedEvent =
	| Exclude<LastingEvent, { event: 'parked' }>
	/** The reason may be an order's (ParkReason) or one for which its brief is put aside. */
	| { event: 'parked'; reason: string }
	/** The end of its brief. One that is ready is still to be filed, by a process that has yet to see it. */
	| { event: 'ended'; brief: Pick<BriefSummary, 'status'> }
	| { event: 'filed' };

const STAGE_AFTER: Readonly<Record<RecordedEvent['event'], RecordStage>> = {
	intended: 'in_doubt',
	accepted: 'running',
	withdrawn: 'to_order',
	refused: 'refused',
	unanswered: 'refused',
	parked: 'parked',
	ended: 'running',
	filed: 'done',
};

/** Events that may come late, when the brief is known: then it is paid for, and nothing lets the order be sent again (P1). */
const OF_NO_BRIEF: ReadonlySet<RecordedEvent['event']> = new Set([
	...(['intended', 'withdrawn', 'refused', 'unanswered'] as const),
]);

/**
 * Gives the order as another process finds it after this event. Example: intended, accepted, and the process dies. The
 * next one finds it running, with the ID of a brief that it has not seen yet.
 */
export function recall(order: OrderState, event: RecordedEvent): OrderState {
	if (order.briefId !== null && OF_NO_BRIEF.has(event.event)) return order;
	const stage = stageAfter(event);
	const isDoubtful = stage === 'in_doubt';
	const { firstTried, lastTried, briefId, runsUnanswered } = order;
	const next: OrderState = {
		...NEW_ORDER,
		firstTried,
		lastTried,
		briefId,
		runsUnanswered,
		stage,
		inDoubt: isDoubtful,
		isIntended: isDoubtful,
		wasParked: stage === 'parked',
	};
	if (event.event === 'accepted') return { ...next, briefId: event.brief.id };
	if (event.event !== 'intended') return next;
	const lastTriedNow = momentIn(event);
	return { ...next, firstTried: firstTried ?? lastTriedNow, lastTried: lastTriedNow };
}

function stageAfter(event: RecordedEvent): RecordStage {
	if (event.event === 'ended' && event.brief.status === 'failed') return 'done';
	// It was not sent: the next run compares it with the list again.
	if (event.event === 'parked' && event.reason === 'listed') return 'to_order';
	return STAGE_AFTER[event.event];
}

/**
 * Says whether a brief that becomes an order's is paid for by it. One that is found is, if the order was sent and has no
 * answer: then a person or the list says what came of it. One that was there before costs nothing.
 */
export function isPaidBy(
	{ stage, inDoubt, firstTried }: OrderState,
	{ brief, found }: Extract<LastingEvent, { event: 'accepted' }>,
): boolean {
	return found ? inDoubt || stage === 'parked' : !isOlder(brief, firstTried);
}
