import { isLoopback } from '../../service/base-url';
import { POLL_INTERVAL_MS } from '../../service/limits';
import type { PollInterval } from '../../service/poll-interval';

/**
 * The time between two looks, from a number of seconds that somebody gave. API.md section 8 asks for 15 to 30; less is
 * for a sandbox on this machine only.
 */
export function pollInterval(seconds: number, baseUrl: string): PollInterval {
	const asked = seconds * 1000;
	const shortest = isLoopback(baseUrl) ? asked : Math.max(asked, POLL_INTERVAL_MS.min);
	return { shortest, longest: Math.max(shortest, Math.min(2 * shortest, POLL_INTERVAL_MS.max)) };
}
