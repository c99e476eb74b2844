import { steadyClock } from '../../../batch/clock';

const START = Date.UTC(2026, 10, 20, 9);

/** The two clocks of a computer, as a test sets them; they run with jest's timers. */
function computer() {
	const set = { wall: START };
	const begin = performance.now();
	const since = () => performance.now() - begin;
	return { clock: steadyClock(() => set.wall + since(), since), set };
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** Lets time pass, and whoever was woken go on. */
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

describe('the time', () => {
	test('is that of the wall clock, in whole milliseconds', async () => {
		const { clock } = computer();
		expect(clock.now()).toBe(START);
		await pass(1500);
		expect(clock.now()).toBe(START + 1500);
		expect(steadyClock(() => 1000.7).now()).toBe(1000);
	});

	test('never runs back, whatever the wall clock does', async () => {
		const { clock, set } = computer();
		let last = clock.now();
		for (const leap of [5000, -9000, 0, -1, 60_000, -100_000]) {
			set.wall += leap;
			await pass(7);
			const now = clock.now();
			expect(now).toBeGreaterThanOrEqual(last + 7);
			last = now;
		}
	});
});

describe('sleep', () => {
	test('lasts as long as asked for, and not at all if nothing is left', async () => {
		const { clock } = computer();
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

	test('until next month is no hot loop: it wakes once a minute', async () => {
		const { clock } = computer();
		let timers = 0;
		const days = 30 * 86_400_000;
		const sleeper = follow(clock.sleep(days));
		for (; sleeper.state === 'asleep'; timers += 1) {
			await jest.advanceTimersToNextTimerAsync();
		}
		expect(clock.now()).toBe(START + days);
		expect(timers).toBe(30 * 24 * 60);
	});

	test('is over within a minute after a suspended computer wakes late', async () => {
		const { clock, set } = computer();
		const sleeper = follow(clock.sleep(3_600_000));
		await pass(1000);
		// The running clock stood still meanwhile.
		set.wall += 28_800_000;
		await pass(60_000);
		expect(sleeper.state).toBe('awake');
	});

	test('is neither longer nor shorter when the wall clock is set back', async () => {
		const { clock, set } = computer();
		const sleeper = follow(clock.sleep(120_000));
		await pass(30_000);
		set.wall -= 86_400_000;
		await pass(89_999);
		expect(sleeper.state).toBe('asleep');
		await pass(1);
		expect(sleeper.state).toBe('awake');
	});

	test('ends with the reason of an abort, and leaves no timer behind', async () => {
		const { clock } = computer();
		const abort = new AbortController();
		const sleeper = follow(clock.sleep(120_000, abort.signal));
		await pass(70_000);
		const reason = new Error('enough');
		abort.abort(reason);
		await pass(0);
		expect(sleeper.state).toBe(reason);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('does not begin if the abort came before', async () => {
		const { clock } = computer();
		const reason = new Error('enough');
		await expect(clock.sleep(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
		await expect(clock.sleep(0, AbortSignal.abort(reason))).rejects.toBe(reason);
		expect(jest.getTimerCount()).toBe(0);
	});
});
