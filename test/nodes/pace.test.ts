import { inParallel } from '../../nodes/shared/pace';
import { VirtualClock } from '../support/virtual-clock';

it('at most so many work at a time', async () => {
	const clock = new VirtualClock();
	const start = clock.now();
	await inParallel(Array(500).fill(null), () => clock.sleep(100), 8);
	clock.stop();
	expect(clock.now() - start).toBe(63 * 100);
});

it('the first failure ends the work, and nothing more is begun', async () => {
	const begun: number[] = [];
	const work = (_: unknown, index: number) => {
		begun.push(index);
		return index === 1 ? Promise.reject(new Error('no')) : Promise.resolve();
	};
	await expect(inParallel(Array(10).fill(null), work, 2)).rejects.toThrow('no');
	expect(begun.length).toBeLessThan(5);
});
