import { NEW_ORDER, type LastingEvent, type OrderState, type RecordStage } from './life';

/** What is put on record of an order, for another process to go on from. */
export type RecordedEvent = LastingEvent | BriefRecorded;

/** The end of its brief. One that is ready is still to be filed, by a process that has yet to see it. */
type BriefRecorded = { type: 'ended'; status: 'ready' | 'failed' } | { type: 'filed' };

const STAGE_AFTER: Readonly<Record<RecordedEvent['type'], RecordStage>> = {
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
const OF_NO_BRIEF: ReadonlySet<RecordedEvent['type']> = new Set([
	...(['intended', 'withdrawn', 'refused', 'unanswered'] as const),
]);

/**
 * Gives the order as another process finds it after this event. Example: intended, accepted, and the process dies. The
 * next one finds it running, with the ID of a brief that it has not seen yet.
 */
export function recall(order: OrderState, event: RecordedEvent): OrderState {
	if (order.briefId !== null && OF_NO_BRIEF.has(event.type)) return order;
	const isOver = event.type === 'ended' && event.status === 'failed';
	const stage = isOver ? 'done' : STAGE_AFTER[event.type];
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
	if (event.type === 'accepted') return { ...next, briefId: event.brief.id };
	if (event.type !== 'intended') return next;
	return { ...next, firstTried: firstTried ?? event.at, lastTried: event.at };
}
