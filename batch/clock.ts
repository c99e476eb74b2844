import type { Clock } from '../core/api/ports';
import { sleepUntil } from '../core/api/sleep';

/**
 * Returns a clock that shows the time of day and never runs backwards. A wait keeps its length when the system clock is set
 * back, and ends on time after the computer was asleep.
 */
export function createClock(systemTime = Date.now, uptime = () => performance.now()): Clock {
	let time = systemTime();
	let lastUptime = uptime();
	const now = () => {
		const elapsed = uptime() - lastUptime;
		lastUptime += elapsed;
		time = Math.max(time + elapsed, systemTime());
		return Math.floor(time);
	};
	return {
		now,
		sleep: (ms, signal) => sleepUntil({ now, sleep: setTimer }, now() + ms, signal),
	};
}

function setTimer(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		// Node.js warns about more than ten listeners on one signal, so each timer gets its own signal.
		const own = signal && AbortSignal.any([signal]);
		const onAbort = () => {
			clearTimeout(timer);
			reject(own?.reason as Error);
		};
		const timer = setTimeout(() => {
			own?.removeEventListener('abort', onAbort);
			resolve();
		}, ms);
		own?.addEventListener('abort', onAbort);
	});
}
