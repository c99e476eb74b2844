import type { SlotWaitReport } from '../../service/watch/slots';
import type { RunEvent } from '../events';

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

export function timeOf(ms: number): string {
	return new Date(ms).toISOString();
}
