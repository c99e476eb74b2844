import type { Wait } from '../../service/order/life';
import type { RunEvent } from '../events';
import type { LongWait } from '../folder/journal/events';
import type { Journal } from '../folder/journal/journal';
import { slotWaitText } from '../order/slot-wait';

/** A shorter wait is over before anybody asks. */
const LONG_MS = 60_000;

const WAITED_FOR: Readonly<Record<Wait, string>> = {
	rate_limit: 'the service takes no more requests for now',
	retry: 'the service is down or cannot answer',
	month_turn: 'the month turns, and an order could count in either one',
	list: 'the list of briefs has to show first whether a row was ordered',
};

/** Puts a long wait on record, for `status`. */
export function keepWait(event: RunEvent, journal: Journal): void {
	const wait = longWaitOf(event);
	// If it cannot be written, the next event cannot either, and says so.
	if (wait !== null) void journal.append({ type: 'waiting', ...wait }).catch(() => undefined);
}

/** Gives the wait that an event reports; null if it reports no long one. */
function longWaitOf(event: RunEvent): LongWait | null {
	if (event.event !== 'waiting' && event.event !== 'waiting_for_slot') return null;
	const { since, until } = event;
	if (Date.parse(until) - Date.parse(since) < LONG_MS) return null;
	return {
		what: event.event === 'waiting' ? WAITED_FOR[event.for] : slotWaitText(event),
		since,
		until,
	};
}
