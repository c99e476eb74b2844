import { durationOf } from '../../sandbox/briefs/life';
import { benches, MINUTE } from '../support/sandbox/bench';

const start = benches();

async function history(seed: string): Promise<unknown> {
	const bench = await start({ seed, slots: 20, failureShare: 0.3 });
	for (const name of ['Lamp', 'Mop', 'Serum', 'Sneakers', 'Mug']) await bench.create(name);
	bench.pass(6 * MINUTE);
	const listed = (await bench.get('/briefs')).body;
	const briefs = [];
	for (const { id } of listed.data) briefs.push((await bench.get(`/briefs/${String(id)}`)).body);
	return { listed, briefs, hooks: (await bench.get('/content-iq/hooks?limit=80')).body };
}

describe('a seed', () => {
	it('decides everything', async () => {
		expect(await history('a')).toEqual(await history('a'));
	});

	it('and another decides otherwise', async () => {
		expect(await history('a')).not.toEqual(await history('b'));
	});

	it('gives each brief a duration by its ordinal alone', async () => {
		const one = await start({ seed: 'a', slots: 20 });
		const other = await start({ seed: 'a', slots: 20, failureShare: 1 });
		for (const name of ['Lamp', 'Mop', 'Serum']) await one.create(name);
		other.sandbox.addBrief();
		for (const name of ['Pan', 'Old (discontinued)', 'Mug']) {
			other.pass(1000);
			await other.create(name);
		}
		const durations = one.sandbox.briefs().map(({ durationMs }) => durationMs);
		const created = other.sandbox.briefs().filter(({ ordinal }) => ordinal !== null);
		expect(created.map(({ durationMs }) => durationMs)).toEqual(durations);
		expect(durations).toEqual([0, 1, 2].map((ordinal) => durationOf('a', ordinal)));
	});

	it('spreads the durations over 3 to 6 minutes', () => {
		const minutes = Array.from({ length: 1000 }, (_, ordinal) => durationOf('a', ordinal) / MINUTE);
		expect(Math.min(...minutes)).toBeGreaterThanOrEqual(3);
		expect(Math.max(...minutes)).toBeLessThanOrEqual(6);
		expect(Math.min(...minutes)).toBeLessThan(3.05);
		expect(Math.max(...minutes)).toBeGreaterThan(5.95);
		const mean = minutes.reduce((sum, value) => sum + value, 0) / minutes.length;
		expect(Math.abs(mean - 4.5)).toBeLessThan(0.1);
	});
});
