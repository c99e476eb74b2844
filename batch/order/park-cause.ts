import type { OrderState, ParkReason } from '../../service/order/life';
import { answerOf, type ParkCause } from '../folder/journal/causes';
import type { Records } from '../folder/records';

/**
 * Gives why an order is put aside, with the facts by which a person can decide.
 * @param firstTried the time of its first try, ISO 8601
 */
export function parkCause(
	reason: ParkReason,
	{ finding, answer }: OrderState,
	firstTried: string,
	records: Records,
): ParkCause {
	const ids = finding?.is === 'unclear' ? finding.ids : [];
	const briefId = answer?.brief?.id ?? (ids.length === 1 ? ids[0] : undefined);
	// The brief of another row cannot be given to this one.
	const candidate =
		briefId !== undefined && records.ownerOf(briefId) === undefined ? { candidate: briefId } : {};
	if (reason === 'listed') return { reason, ids, ...candidate };
	const inDoubt = { ids, ...candidate, tried: firstTried };
	if (reason === 'unclear') return { reason, ...inDoubt };
	return { reason, ...inDoubt, ...(answer !== null && { answer: answerOf(answer) }) };
}
