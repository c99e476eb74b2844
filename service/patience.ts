import type { ServiceError } from './errors';
import type { PollInterval } from './poll-interval';

/**
 * When to send the same request again, as a time of our clock: waits that double from 2 seconds to a minute, and never
 * before the time that the service named. They are a part of the poll interval, so that they shrink with it in faster
 * time. `failures` counts those in a row, the newest included.
 */
export function retryAt(
	error: ServiceError,
	failures: number,
	now: number,
	{ shortest }: PollInterval,
): number {
	const backoff = Math.min(4, (2 / 15) * 2 ** (failures - 1)) * shortest;
	return Math.max(error.retryAt ?? 0, now + backoff);
}
