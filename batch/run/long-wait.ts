import type { RunEvent } from '../events';
import type { LongWait } from '../folder/journal/journal-events';
import type { Journal } from '../folder/journal/journal';

/** A shorter wait is over before anybody asks. */
const LONG_MS = 60_000;

/** Puts a long wait on record, for `status`. */
export function keepWait(event: RunEvent, journal: Journal): void {
	const wait = longWaitOf(event);
	// If it cannot be written, the next event cannot either, and says so.
	if (wait !== null) void journal.append({ type: 'waiting', wait }).catch(() => undefined);
}

/** Gives the wait that an event reports; null if it reports no long one. */
function longWaitOf(event: RunEvent): LongWait | null {
	if (event.event !== 'waiting' && event.event !== 'waiting_for_slot') return null;
	const { since, until } = event;
	if (Date.parse(until) - Date.parse(since) < LONG_MS) return null;
	if (event.event === 'waiting') return { for: event.for, since, until };
	const { cause, briefs } = event;
	return { for: 'slot', cause, briefs, since, until };
}
