import type { Clock } from './ports';

/** Timers of more than 24.8 days ring at once; and a computer that slept meanwhile must not sleep on. */
const LONGEST_SLEEP_MS = 60_000;

/** Sleeps until a time of our clock. Rejects with the signal's reason as soon as it is aborted. */
export async function sleepUntil(clock: Clock, time: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	for (let left; (left = time - clock.now()) > 0;) {
		await clock.sleep(Math.min(left, LONGEST_SLEEP_MS), signal);
	}
}
