import type { Clock } from './ports';

/**
 * Node.js fires timers of more than 24.8 days at once, and after a computer was asleep the rest of a wait must be
 * computed again.
 */
const MAX_SLEEP_MS = 60_000;

/**
 * Sleeps until a time of this machine's clock.
 * @throws the signal's reason when it is aborted
 */
export async function sleepUntil(clock: Clock, time: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	for (let rest; (rest = time - clock.now()) > 0;) {
		await clock.sleep(Math.min(rest, MAX_SLEEP_MS), signal);
	}
}

/**
 * Returns true when the promise resolves, or false at the deadline.
 * @throws the signal's reason when it is aborted
 */
export async function raceDeadline(
	promise: Promise<unknown>,
	deadline: number,
	clock: Clock,
	signal?: AbortSignal,
): Promise<boolean> {
	const race = new AbortController();
	// Node.js warns about more than ten listeners on one signal, so each caller gets its own signal.
	const either = signal === undefined ? race.signal : AbortSignal.any([signal, race.signal]);
	const timeout = sleepUntil(clock, deadline, either).then(() => false);
	try {
		return await Promise.race([promise.then(() => true), timeout]);
	} finally {
		race.abort();
	}
}

/** True for the reason of an aborted signal: a DOMException, which is not an Error on every platform. */
export function isAbort(thrown: unknown): boolean {
	return (thrown as { name?: unknown } | undefined)?.name === 'AbortError';
}
