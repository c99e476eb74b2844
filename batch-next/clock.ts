import type { Clock } from '../core/api/ports';
import { sleepUntil } from '../core/api/sleep';

/**
 * Gives the time of day, never running back. A wait keeps its length when the wall clock is set back, and ends on time
 * after the computer slept.
 */
export function createClock(wall = Date.now, running = () => performance.now()): Clock {
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
			// Node warns of a leak above ten listeners at a signal, and many may sleep under one. So each has its own.
			const derived = signal && AbortSignal.any([signal]);
			const onAbort = () => {
				clearTimeout(timeout);
				reject(derived?.reason as Error);
			};
			const timeout = setTimeout(() => {
				derived?.removeEventListener('abort', onAbort);
				resolve();
			}, ms);
			derived?.addEventListener('abort', onAbort);
		});
	return {
		now,
		sleep: (ms, signal) => sleepUntil({ now, sleep: timer }, now() + ms, signal),
	};
}
