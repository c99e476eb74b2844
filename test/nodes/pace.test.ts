import { afterAnswer, FIRST_PACE, inParallel } from '../../nodes/shared/pace';
import { VirtualClock } from '../support/virtual-clock';

const LATENCY = 100;

/** Reads items from a service that takes as many at a time as `allowed`, and asks the rest to slow down. */
async function read(count: number, allowed = Infinity) {
	const clock = new VirtualClock();
	const start = clock.now();
	let pace = FIRST_PACE;
	let lastRateLimited = -Infinity;
	let [running, refused] = [0, 0];
	const seen: number[] = [];
	const get = async (): Promise<void> => {
		running += 1;
		const isRefused = running > allowed;
		await clock.sleep(LATENCY);
		running -= 1;
		if (!isRefused) return;
		refused += 1;
		lastRateLimited = clock.now();
		await clock.sleep(1000);
		await get();
	};
	const work = async () => {
		await get();
		seen.push(running);
		pace = afterAnswer(pace, lastRateLimited, clock.now());
	};
	await inParallel(Array(count).fill(null), work, () => Math.floor(pace.limit));
	clock.stop();
	return { took: clock.now() - start, refused, pace };
}

it('500 items take five round trips', async () => {
	expect((await read(500)).took).toBe(5 * LATENCY);
	expect((await read(20)).took).toBe(LATENCY);
	expect((await read(0)).took).toBe(0);
});

it('a service that takes few at a time is soon asked for few', async () => {
	const { refused, pace } = await read(2000, 30);
	expect(refused).toBeLessThan(300);
	expect(pace.limit).toBeLessThan(45);
	expect(pace.limit).toBeGreaterThan(4);
});

it('many calls for fewer requests in one round halve the pace once', () => {
	const cut = afterAnswer({ limit: 80, cutAt: -Infinity }, 1000, 1100);
	expect(cut).toEqual({ limit: 40, cutAt: 1100 });
	expect(afterAnswer(cut, 1050, 1200).limit).toBeGreaterThan(40);
	expect(afterAnswer(cut, 1150, 1200).limit).toBe(20);
	expect(afterAnswer({ limit: 1, cutAt: 0 }, 5, 6).limit).toBe(1);
});

it('the first failure ends the work, and nothing more is begun', async () => {
	const begun: number[] = [];
	const work = (_: unknown, index: number) => {
		begun.push(index);
		return index === 1 ? Promise.reject(new Error('no')) : Promise.resolve();
	};
	await expect(inParallel(Array(10).fill(null), work, () => 2)).rejects.toThrow('no');
	expect(begun.length).toBeLessThan(5);
});
