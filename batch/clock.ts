import { performance } from 'node:perf_hooks';
import { AbortHub } from '../service/abort-hub';
import type { Clock } from '../service/ports';

/** Node fires timers beyond 24.8 days at once; and a laptop that slept must not sleep on. */
const LONGEST_SLICE_MS = 60_000;

/**
 * The time of day as it runs on, never back: a wall clock that is set back (or leaps over a suspended night) neither
 * freezes nor hurries anybody who waits.
 */
export function steadyClock(wall = Date.now, running = () => performance.now()): Clock {
	const aborts = new AbortHub();
	let time = wall();
	let mark = running();
	const now = () => {
		const elapsed = running() - mark;
		mark += elapsed;
		time = Math.max(time + elapsed, wall());
		return Math.floor(time);
	};
	const slice = (ms: number, signal?: AbortSignal) =>
		new Promise<void>((resolve, reject) => {
			const timer = setTimeout(() => {
				stopListening?.();
				resolve();
			}, ms);
			const stopListening =
				signal &&
				aborts.onAbort(signal, () => {
					clearTimeout(timer);
					stopListening?.();
					reject(signal.reason as Error);
				});
		});
	return {
		now,
		async sleep(ms, signal) {
			signal?.throwIfAborted();
			const end = now() + ms;
			for (let left = ms; left > 0; left = end - now()) {
				await slice(Math.min(left, LONGEST_SLICE_MS), signal);
			}
		},
	};
}
