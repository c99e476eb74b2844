import type { SandboxClock } from './clock';
import { rateLimited } from './refusals';

const WINDOW_MS = 60_000;

/** Counts the requests of each key in windows of a minute. docs/api.md section 8 leaves the number open. */
export class RequestRate {
	private readonly windows = new Map<string, { startedAt: number; count: number }>();

	constructor(private readonly clock: SandboxClock) {}

	/** Throws a Refusal beyond the quota. A quota of 0 is no limit. */
	count(key: string, quota: number): void {
		const now = this.clock.now();
		let window = this.windows.get(key);
		if (window === undefined || now - window.startedAt >= WINDOW_MS) {
			window = { startedAt: now, count: 0 };
			this.windows.set(key, window);
		}
		window.count += 1;
		if (quota === 0 || window.count <= quota) return;
		throw rateLimited({ quota, waitMs: window.startedAt + WINDOW_MS - now });
	}
}
