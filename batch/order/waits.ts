import type { SlotWaitReport } from '../../service/watch/slots';
import type { EventOf } from '../folder/events';
import type { Journal } from '../folder/journal/journal';

/** A shorter wait is over before anybody asks. */
const LONG_MS = 60_000;

/** Tells of a wait, and puts a long one on record, for `status`. */
export function tellWait(wait: EventOf<'waits' | 'waits_for_slot'>, journal: Journal): void {
	const isLong = Date.parse(wait.until) - Date.parse(wait.since) >= LONG_MS;
	// If it cannot be written, the next line cannot either, and says so.
	if (isLong) void journal.append(wait).catch(() => undefined);
	else journal.tell(wait);
}

export function waitForSlot(report: SlotWaitReport): EventOf<'waits_for_slot'> {
	const { cause, since, until, holders } = report;
	const running = holders.map(({ id, product_name, since: from, isOurs }) => ({
		brief_id: id,
		product_name,
		since: timeOf(from),
		ours: isOurs,
	}));
	return {
		event: 'waits_for_slot',
		cause,
		since: timeOf(since),
		until: timeOf(until),
		running,
	};
}

export function timeOf(ms: number): string {
	return new Date(ms).toISOString();
}
