import { performance } from 'node:perf_hooks';
import { setTimeout as timer } from 'node:timers/promises';
import type { Clock } from '../service/ports';

/** Node fires timers beyond 24.8 days at once; and a laptop that slept must not sleep on. */
const LONGEST_SLICE_MS = 60_000;

/**
 * The time of day as it runs on, never back: a wall clock that is set back (or leaps over a suspended night) neither
 * freezes nor hurries anybody who waits.
 */
export function steadyClock(wall = Date.now, running = () => performance.now()): Clock {
	let time = wall();
	let mark = running();
	const now = () => {
		const elapsed = running() - mark;
		mark += elapsed;
		time = Math.max(time + elapsed, wall());
		return Math.floor(time);
	};
	return {
		now,
		async sleep(ms, signal) {
			const end = now() + ms;
			for (let left = ms; left > 0; left = end - now()) {
				await timer(Math.min(left, LONGEST_SLICE_MS), undefined, { signal }).catch(
					(error: unknown) => {
						signal?.throwIfAborted();
						throw error;
					},
				);
			}
			signal?.throwIfAborted();
		},
	};
}
