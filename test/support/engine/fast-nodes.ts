import { clock } from '../../../nodes/shared/node-clock';

let factor = 1;
afterEach(() => {
	factor = 1;
	jest.restoreAllMocks();
});

/** Until the test has ended, the time of the nodes runs so many times as fast: their waits of minutes take a second. */
export function runNodesFast(speed = 100): void {
	factor = speed;
	const begin = Date.now();
	const sleep = clock.sleep.bind(clock);
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(clock, 'now').mockImplementation(() => begin + (Date.now() - begin) * speed);
	jest.spyOn(clock, 'sleep').mockImplementation((ms, signal) => sleep(ms / speed, signal));
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / speed));
}

/** A time of the sandbox as the nodes count it. */
export function inNodeTime(sandboxMs: number, speed: number): number {
	return (sandboxMs * factor) / speed;
}
