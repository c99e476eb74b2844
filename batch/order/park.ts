import type { OrderState, ParkReason } from '../../service/order/life';
import type { WaitTimeout } from '../../service/watch/wait';
import { answerOf, type ParkCause } from '../folder/journal/causes';
import type { Records } from '../folder/journal/records';
import type { Try } from '../plan/try';

/** Gives why an order is put aside. */
export function causeOf(
	reason: ParkReason,
	{ finding, answer }: OrderState,
	order: Try,
	records: Records,
): ParkCause {
	const ids = finding?.is === 'unclear' ? finding.ids : [];
	const briefId = answer?.brief?.id ?? (ids.length === 1 ? ids[0] : undefined);
	// The brief of another row cannot be given to this one.
	const candidate =
		briefId !== undefined && records.ownerOf(briefId) === undefined ? { candidate: briefId } : {};
	if (reason === 'listed') return { reason, ids, ...candidate };
	const firstTried = records.withKey(order.key)?.first_tried ?? '';
	const inDoubt = { ids, ...candidate, tried: firstTried };
	if (reason === 'unclear') return { reason, ...inDoubt };
	return { reason, ...inDoubt, ...(answer !== null && { answer: answerOf(answer) }) };
}

/** Gives why a brief is put aside that has not ended in its time. */
export function lateCause({ brief, unseenFor }: WaitTimeout, timeout: number): ParkCause {
	const status = brief?.status ?? 'running';
	return { reason: 'late', status, waited_ms: timeout, unseen_ms: unseenFor };
}
