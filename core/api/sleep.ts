import type { Clock } from './ports';

/**
 * Node fires timers of more than 24.8 days at once, and after a computer slept the rest of a wait must be computed
 * again.
 */
const LONGEST_SLEEP_MS = 60_000;

/** Sleeps until a time of this machine's clock. Rejects with the signal's reason when it is aborted. */
export async function sleepUntil(clock: Clock, time: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	for (let rest; (rest = time - clock.now()) > 0;) {
		await clock.sleep(Math.min(rest, LONGEST_SLEEP_MS), signal);
	}
}
