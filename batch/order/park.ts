import type { OrderState, ParkReason } from '../../service/order/life';
import type { WaitTimeout } from '../../service/watch/wait';
import type { Report } from '../events';
import { answerOf, type ParkCause } from '../folder/journal/causes';
import type { Journal } from '../folder/journal/journal';
import type { Records } from '../folder/journal/records';
import { parkedMark } from '../plan/reported';
import { named, type Try } from '../plan/try';

/** Gives why an order is put aside. */
export function causeOf(
	reason: Exclude<ParkReason, 'brief'>,
	{ finding, answer, isGone }: OrderState,
	order: Try,
	records: Records,
): ParkCause {
	const ids = finding?.is === 'unclear' ? finding.ids : [];
	const likely = answer?.brief?.id ?? (ids.length === 1 ? ids[0] : undefined);
	// The brief of another row cannot be given to this one.
	const candidate =
		likely !== undefined && records.ownerOf(likely) === undefined ? { candidate: likely } : {};
	if (reason === 'listed') return { reason, ids, ...candidate };
	const tried = records.of(order.row)?.first_tried ?? '';
	const inDoubt = { ids, ...candidate, tried };
	if (reason === 'unclear') return { reason, ...inDoubt, ...(isGone && { is_gone: true }) };
	return { reason, ...inDoubt, ...(answer !== null && { answer: answerOf(answer) }) };
}

/** Gives why a brief is put aside that has not ended in its time. */
export function lateCause({ brief, unseenFor }: WaitTimeout, timeout: number): ParkCause {
	const status = brief?.status ?? 'running';
	return { reason: 'late', status, waited_ms: timeout, unseen_ms: unseenFor };
}

interface Parked {
	order: Try;
	briefId: string | null;
	/** It was never sent, so that the journal does not know it yet. */
	isUnsent: boolean;
}

/** Puts an order aside: the only place where that is done. */
export async function parkOrder(
	{ order, briefId, isUnsent }: Parked,
	cause: ParkCause,
	{ journal, emit }: { journal: Journal; emit: Report },
): Promise<void> {
	const isKnown = journal.records.reported.has(parkedMark(order.key, cause));
	await journal.append(
		isUnsent
			? { type: 'parked_unsent', ...order, cause }
			: { type: 'parked', key: order.key, cause },
	);
	const known = isKnown ? { known: true as const } : {};
	emit({ event: 'row_parked', ...named(order), brief_id: briefId, ...cause, ...known });
}
