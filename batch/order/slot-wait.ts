import type { SlotWaitReport } from '../../service/watch/slots';
import { EXIT, Failure } from '../failure';
import { minuteOf } from '../text';
import type { RunEvent } from '../events';
import { slotWaitText } from '../wait-text';

type SlotWaitEvent = Extract<RunEvent, { event: 'waiting_for_slot' }>;

export function waitingForSlot({ cause, since, until, holders }: SlotWaitReport): SlotWaitEvent {
	const briefs = holders.map(({ id, product_name, since: from, isOurs }) => ({
		brief_id: id,
		product_name,
		since: timeOf(from),
		ours: isOurs,
	}));
	return { event: 'waiting_for_slot', cause, since: timeOf(since), until: timeOf(until), briefs };
}

/** The end of a run that waited for a slot for as long as a run may. */
export function noSlotFailure(report: SlotWaitReport): Failure {
	const event = waitingForSlot(report);
	return new Failure(
		`Nothing could be ordered since ${minuteOf(event.since)}: ${slotWaitText(event)}`,
		'Run the same command again: rows that were not ordered are pending. If a running brief never ends, ask the vendor’s support about it.',
		EXIT.stoppedEarly,
	);
}

export function timeOf(ms: number): string {
	return new Date(ms).toISOString();
}
