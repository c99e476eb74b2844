import { POLL_INTERVAL_MS } from '../../service/limits';
import { shortestAllowed, type PollInterval } from '../../service/poll-interval';

/** The time between two looks, from a given number of seconds. */
export function pollInterval(seconds: number, baseUrl: string): PollInterval {
	const shortest = Math.max(seconds * 1000, shortestAllowed(baseUrl));
	return { shortest, longest: Math.max(shortest, Math.min(2 * shortest, POLL_INTERVAL_MS.max)) };
}
