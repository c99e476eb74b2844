import { isLoopback } from './connection';

/** The shortest and the longest time between two looks at a running brief, in milliseconds. */
export interface PollInterval {
	shortest: number;
	longest: number;
}

/** The interval that the service recommends (docs/api.md 3). */
export const DEFAULT_POLL_INTERVAL: PollInterval = { shortest: 15_000, longest: 30_000 };

/** Gives the shortest time allowed between two looks: what the service asks for, or any for a sandbox on this machine. */
export function shortestAllowed(baseUrl: string): number {
	return isLoopback(baseUrl) ? 0 : DEFAULT_POLL_INTERVAL.shortest;
}
