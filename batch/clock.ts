import { performance } from 'node:perf_hooks';
import { AbortHub } from '../service/abort-hub';
import type { Clock } from '../service/ports';

/**
 * Node fires timers of more than 24.8 days at once, and after a laptop slept the rest of a wait must be computed again.
 */
const LONGEST_SLICE_MS = 60_000;

/**
 * The time of day, never running back. A wait keeps its length when the wall clock is set back, and ends on time after
 * the computer slept.
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
