import type { Clock } from '../../core/api/ports';
import { sleepUntil } from '../../core/api/sleep';
import { raceAbort } from '../../core/api/transport';

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
	let timer: NodeJS.Timeout | undefined;
	const passed = () => new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
	return raceAbort(passed, signal).finally(() => clearTimeout(timer));
}
