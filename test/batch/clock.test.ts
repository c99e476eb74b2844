import { createClock } from '../../batch/clock';

const START = Date.UTC(2026, 10, 20, 9);

/** A clock on a system clock that a test can set. Both run with jest's timers. */
function startComputer() {
	const system = { time: START };
	const start = performance.now();
	const uptime = () => performance.now() - start;
	return { clock: createClock(() => system.time + uptime(), uptime), system };
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** Lets time pass and runs what it wakes. */
async function pass(ms: number): Promise<void> {
	await jest.advanceTimersByTimeAsync(ms);
}

function follow(sleep: Promise<void>): { state: 'asleep' | 'awake' | Error } {
	const sleeper: { state: 'asleep' | 'awake' | Error } = { state: 'asleep' };
	sleep.then(
		() => (sleeper.state = 'awake'),
		(error: unknown) => (sleeper.state = error as Error),
	);
	return sleeper;
}

describe('now', () => {
	test('is the system time in whole milliseconds', async () => {
		const { clock } = startComputer();
		expect(clock.now()).toBe(START);
		await pass(1500);
		expect(clock.now()).toBe(START + 1500);
		expect(createClock(() => 1000.7).now()).toBe(1000);
	});

	test('never runs backwards, whatever the system clock does', async () => {
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
	test('lasts as long as requested, and ends at once if the time is over', async () => {
		const { clock } = startComputer();
		const sleeper = follow(clock.sleep(5000));
		await pass(4999);
		expect(sleeper.state).toBe('asleep');
		await pass(1);
		expect(sleeper.state).toBe('awake');
		await clock.sleep(0);
		await clock.sleep(-5);
		await clock.sleep(NaN);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('of a month wakes once a minute', async () => {
		const { clock } = startComputer();
		let timers = 0;
		const days = 30 * 86_400_000;
		const sleeper = follow(clock.sleep(days));
		for (; sleeper.state === 'asleep'; timers += 1) {
			await jest.advanceTimersToNextTimerAsync();
		}
		expect(clock.now()).toBe(START + days);
		expect(timers).toBe(30 * 24 * 60);
	});

	test('ends within a minute after the computer was asleep', async () => {
		const { clock, system } = startComputer();
		const sleeper = follow(clock.sleep(3_600_000));
		await pass(1000);
		// The uptime stood still meanwhile.
		system.time += 28_800_000;
		await pass(60_000);
		expect(sleeper.state).toBe('awake');
	});

	test('keeps its length when the system clock is set back', async () => {
		const { clock, system } = startComputer();
		const sleeper = follow(clock.sleep(120_000));
		await pass(30_000);
		system.time -= 86_400_000;
		await pass(89_999);
		expect(sleeper.state).toBe('asleep');
		await pass(1);
		expect(sleeper.state).toBe('awake');
	});

	test('ends with the reason of an abort and leaves no timer', async () => {
		const { clock } = startComputer();
		const abort = new AbortController();
		const sleeper = follow(clock.sleep(120_000, abort.signal));
		await pass(70_000);
		const reason = new Error('enough');
		abort.abort(reason);
		await pass(0);
		expect(sleeper.state).toBe(reason);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('does not start after an abort', async () => {
		const { clock } = startComputer();
		const reason = new Error('enough');
		await expect(clock.sleep(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
		await expect(clock.sleep(0, AbortSignal.abort(reason))).rejects.toBe(reason);
		expect(jest.getTimerCount()).toBe(0);
	});
});
