import { clock } from '../../nodes/shared/node-clock';

const sleep = jest.fn<Promise<void>, [number, AbortSignal?]>();
jest.mock('n8n-workflow', () => ({
	sleep: (ms: number, signal?: AbortSignal) => sleep(ms, signal),
}));

/** As n8n-workflow 2.41 has it: the timer ends with the signal. */
function newSleep(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, ms);
		signal?.addEventListener('abort', () => {
			clearTimeout(timer);
			reject(new Error('of n8n'));
		});
	});
}

/** As older versions have it. */
function oldSleep(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

describe.each([
	['2.41', newSleep, 0],
	['older versions', oldSleep, 1],
] as const)('a sleep with the one of %s', (_version, implementation, timersLeft) => {
	beforeEach(() => sleep.mockImplementation(implementation));

	it('ends when its time is up', async () => {
		const { signal } = new AbortController();
		const slept = clock.sleep(1000, signal);
		await jest.advanceTimersByTimeAsync(1000);
		await expect(slept).resolves.toBeUndefined();
	});

	it('ends at once, with the reason, when the signal is aborted', async () => {
		const controller = new AbortController();
		const slept = clock.sleep(240_000, controller.signal);
		const reason = new Error('stopped');
		controller.abort(reason);
		await expect(slept).rejects.toBe(reason);
		expect(jest.getTimerCount()).toBe(timersLeft);
	});

	it('does not begin if the signal was aborted before', async () => {
		const reason = new Error('stopped');
		await expect(clock.sleep(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('leaves nothing behind on the signal', async () => {
		const { signal } = new AbortController();
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		const slept = clock.sleep(1000, signal);
		const ours = added.mock.calls[0]![1];
		await jest.advanceTimersByTimeAsync(1000);
		await slept;
		expect(removed.mock.calls.map(([, listener]) => listener)).toContain(ours);
	});
});

it('a sleep without a signal is that of n8n', async () => {
	sleep.mockImplementation(newSleep);
	const slept = clock.sleep(5);
	await jest.advanceTimersByTimeAsync(5);
	await expect(slept).resolves.toBeUndefined();
	expect(sleep).toHaveBeenLastCalledWith(5, undefined);
});
