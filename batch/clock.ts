import { performance } from 'node:perf_hooks';
import { AbortHub } from '../service/abort-hub';
import type { Clock } from '../service/ports';
import { sleepUntil } from '../service/sleep';

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
	const timer = (ms: number, signal?: AbortSignal) =>
		new Promise<void>((resolve, reject) => {
			const timeout = setTimeout(() => {
				stopListening?.();
				resolve();
			}, ms);
			const stopListening =
				signal &&
				aborts.onAbort(signal, () => {
					clearTimeout(timeout);
					stopListening?.();
					reject(signal.reason as Error);
				});
		});
	return {
		now,
		sleep: (ms, signal) => sleepUntil({ now, sleep: timer }, now() + ms, signal),
	};
}
