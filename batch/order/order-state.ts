import type { Moment } from '../../service/order/times';
import { NEW_ORDER, type LastingEvent, type OrderState } from '../../service/order/life';
import { isOlder } from '../../service/order/likeness';
import type { Now } from '../../service/api/ports';
import type { BriefRecord } from '../folder/journal/brief-record';

export interface Clocks {
	service: Now;
	clock: Now;
}

/** An order as an earlier run left it on record. */
export function orderStateOf(record: BriefRecord | undefined, clocks: Clocks): OrderState {
	// One that was parked before it was sent, or is still to be sent, is no order: it is compared as a new row is.
	if (record === undefined || record.unsent === true || isStillToSend(record)) return NEW_ORDER;
	const { brief_id: briefId, runs_unanswered: runsUnanswered } = record;
	// It may have ended meanwhile.
	const stage = record.stage === 'ended' ? 'running' : record.stage;
	const times = triesOf(record, clocks);
	const state: OrderState = { ...NEW_ORDER, ...times, briefId, stage, runsUnanswered };
	if (stage === 'in_doubt') return { ...state, inDoubt: true, isIntended: true };
	return stage === 'parked' ? { ...state, wasParked: true } : state;
}

function isStillToSend({ stage, service_time }: BriefRecord): boolean {
	return stage === 'to_order' && service_time === undefined;
}

/** Says whether nothing is known to be sent: it is new, or nothing came of it. */
export function isUnsent({ stage, inDoubt }: OrderState): boolean {
	return stage === 'to_order' || (stage === 'cleared' && !inDoubt);
}

/**
 * Says how an order got its brief: new and paid for, or else found in the list or old. A key that the service remembers
 * for long gives the brief of an earlier month, and nothing is paid.
 */
export function acceptanceOf(
	{ brief, isFound }: Extract<LastingEvent, { type: 'accepted' }>,
	{ firstTried }: OrderState,
): { isNew: boolean; isOld: boolean } {
	const isOld = !isFound && isOlder(brief, firstTried);
	return { isNew: !isFound && !isOld, isOld };
}

/** Gives when an order was first and last sent, or about to be. */
export function triesOf(
	record: BriefRecord,
	clocks: Clocks,
): { firstTried: Moment; lastTried: Moment } {
	const { first_tried, service_time, last_tried, last_service_time } = record;
	const first = onServiceClock(first_tried, service_time, clocks);
	const last: Moment = {
		service: onServiceClock(last_tried, last_service_time, clocks),
		machine: Date.parse(last_tried),
	};
	// A retry has its key from when it was asked for, perhaps days before it was sent.
	const sentAt = Math.min(last.machine, last.machine - (last.service - first));
	const madeAt = Date.parse(first_tried);
	const machine = record.generation === 1 ? madeAt : Math.max(madeAt, sentAt);
	return { firstTried: { service: first, machine }, lastTried: last };
}

/**
 * Gives when that was, by the service's clock as it runs now. An order that was never sent has only this machine's time, and
 * was made as long ago as this machine's clock says.
 */
function onServiceClock(at: string, serviceTime: string | undefined, clocks: Clocks): number {
	if (serviceTime !== undefined) return Date.parse(serviceTime);
	return clocks.service.now() - (clocks.clock.now() - Date.parse(at));
}
