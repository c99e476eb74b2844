import type { Clock } from './sandbox-clock';
import type { Switches } from './switches';
import { limitReached } from './refusal';

const WINDOW_MS = 60_000;

/**
 * Counts the requests of each key in windows of a minute. docs/api.md section 8: the numeric limits are not shown.
 */
export class RequestRate {
	private readonly windows = new Map<string, { startedAt: number; count: number }>();

	constructor(
		private readonly clock: Clock,
		private readonly switches: Switches,
	) {}

	/** Throws a Refusal when the key has used up its window. */
	count(key: string): void {
		const quota = this.switches.requestsPerMinute;
		if (quota <= 0) return;
		const now = this.clock.now();
		let window = this.windows.get(key);
		if (window === undefined || now - window.startedAt >= WINDOW_MS) {
			window = { startedAt: now, count: 0 };
			this.windows.set(key, window);
		}
		window.count += 1;
		if (window.count <= quota) return;
		const waitMs = window.startedAt + WINDOW_MS - now;
		throw limitReached({ policy: 'requests', quota, remaining: 0, waitMs }, this.switches);
	}
}
