import { createClock } from '../../../batch/commands/clock';
import { HOUR } from '../../support/time';

const START = Date.UTC(2026, 10, 20, 9);

/** Returns a clock with a system clock and an uptime that the test sets. */
function startComputer() {
	const system = { time: START };
	const start = performance.now();
	const uptime = () => performance.now() - start;
	return { clock: createClock(() => system.time + uptime(), uptime), system };
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** Lets time pass, and runs the timers that are due. */
async function pass(ms: number): Promise<void> {
	await jest.advanceTimersByTimeAsync(ms);
}

/** Returns a function that returns `awake` once the sleep has ended, or the error that ended it. */
function follow(sleep: Promise<void>): () => unknown {
	let state: unknown = 'asleep';
	sleep.then(
		() => (state = 'awake'),
		(error: unknown) => (state = error),
	);
	return () => state;
}

describe('now', () => {
	test('is the system time in whole milliseconds', async () => {
		const { clock } = startComputer();
		await pass(1500);
		expect(clock.now()).toBe(START + 1500);
		expect(createClock(() => 1000.7).now()).toBe(1000);
	});

	test('never runs backwards when the system clock is set back', async () => {
		const { clock, system } = startComputer();
		let last = clock.now();
		for (const leap of [5000, -9000, 0, -1, 60_000, -100_000]) {
			system.time += leap;
			await pass(7);
			const now = clock.now();
			expect(now).toBeGreaterThanOrEqual(last + 7);
			last = now;
		}
	});
});

describe('sleep', () => {
	test('ends within a minute after the computer was asleep', async () => {
		const { clock, system } = startComputer();
		const getState = follow(clock.sleep(HOUR));
		await pass(1000);
		// The uptime does not advance while the computer is asleep.
		system.time += 8 * HOUR;
		await pass(60_000);
		expect(getState()).toBe('awake');
	});

	test('keeps its length when the system clock is set back', async () => {
		const { clock, system } = startComputer();
		const getState = follow(clock.sleep(120_000));
		await pass(30_000);
		system.time -= 24 * HOUR;
		await pass(89_999);
		expect(getState()).toBe('asleep');
		await pass(1);
		expect(getState()).toBe('awake');
	});

	test('ends with the reason of an abort and leaves no timer', async () => {
		const { clock } = startComputer();
		const abort = new AbortController();
		const getState = follow(clock.sleep(120_000, abort.signal));
		await pass(70_000);
		const reason = new Error('enough');
		abort.abort(reason);
		await pass(0);
		expect(getState()).toBe(reason);
		expect(jest.getTimerCount()).toBe(0);
	});

	test.each([0, NaN])('of %d ms ends at once, or with the reason of an abort', async (ms) => {
		const { clock } = startComputer();
		const reason = new Error('enough');
		await clock.sleep(ms);
		await expect(clock.sleep(ms, AbortSignal.abort(reason))).rejects.toBe(reason);
		expect(jest.getTimerCount()).toBe(0);
	});
});
