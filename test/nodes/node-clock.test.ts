import { clock } from '../../nodes/shared/node-clock';

const sleep = jest.fn<Promise<void>, [number, AbortSignal?]>();
jest.mock('n8n-workflow', () => ({
	sleep: (ms: number, signal?: AbortSignal) => sleep(ms, signal),
}));

/** The sleep of n8n-workflow 2.41, which clears its timer when the signal is aborted. */
function newSleep(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, ms);
		signal?.addEventListener('abort', () => {
			clearTimeout(timer);
			reject(new Error('of n8n'));
		});
	});
}

/** The sleep of older versions. */
function oldSleep(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe.each([
	['2.41', newSleep, 0],
	['older versions', oldSleep, 1],
] as const)('a sleep with n8n’s sleep of %s', (_version, implementation, timersLeft) => {
	const reason = new Error('stopped');
	beforeEach(() => void sleep.mockImplementation(implementation));

	test('ends after its time', async () => {
		const slept = clock.sleep(1000, new AbortController().signal);
		await jest.advanceTimersByTimeAsync(1000);
		await expect(slept).resolves.toBeUndefined();
	});

	test('ends at once, with the reason, when the signal is aborted', async () => {
		const controller = new AbortController();
		const slept = clock.sleep(240_000, controller.signal);
		controller.abort(reason);
		await expect(slept).rejects.toBe(reason);
		expect(jest.getTimerCount()).toBe(timersLeft);
	});

	test('does not begin if the signal was aborted before', async () => {
		await expect(clock.sleep(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
		expect(jest.getTimerCount()).toBe(0);
	});
});
