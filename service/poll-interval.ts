import { isLoopback } from './connection';
import { POLL_INTERVAL_MS } from './limits';

/** The shortest and the longest time between two looks at a running brief, in milliseconds. */
export interface PollInterval {
	shortest: number;
	longest: number;
}

export const DEFAULT_POLL_INTERVAL: PollInterval = {
	shortest: POLL_INTERVAL_MS.min,
	longest: POLL_INTERVAL_MS.max,
};

/**
 * The shortest time allowed between two looks: what the service asks for, or any time for a sandbox on this machine.
 */
export function shortestAllowed(baseUrl: string): number {
	return isLoopback(baseUrl) ? 0 : POLL_INTERVAL_MS.min;
}
