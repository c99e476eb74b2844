import fc from 'fast-check';
import { DEFAULT_POLL_INTERVAL, shortestAllowed } from '../../../service/poll-interval';
import { doneFrom, isStageAway, pollGap } from '../../../service/watch/schedule';

const INTERVAL = DEFAULT_POLL_INTERVAL;
const S = 1000;

/** Looks at briefs of these durations one after the other, learning from each. */
function simulate(durations: number[]): { looks: number; latency: number } {
	const seen: number[] = [];
	let looks = 0;
	let late = 0;
	for (const duration of durations) {
		const from = doneFrom(seen, INTERVAL);
		let age = 0;
		while (age < duration) {
			age += pollGap(age, from, INTERVAL);
			looks += 1;
		}
		late += age - duration;
		seen.push(age);
	}
	return { looks: looks / durations.length, latency: late / durations.length / S };
}

describe('the poll schedule', () => {
	test('is that of the vendor: 15 to 30 seconds', () => {
		expect(INTERVAL).toEqual({ shortest: 15 * S, longest: 30 * S });
	});

	test('leaves a gap between the shortest and the longest interval, at any age', () => {
		fc.assert(
			fc.property(
				fc.double({ min: 0, max: 1e7, noNaN: true }),
				fc.array(fc.double({ min: 0, max: 1e7, noNaN: true })),
				(age, durations) => {
					const gap = pollGap(age, doneFrom(durations, INTERVAL), INTERVAL);
					expect(gap).toBeGreaterThanOrEqual(INTERVAL.shortest);
					expect(gap).toBeLessThanOrEqual(INTERVAL.longest);
				},
			),
		);
	});

	test('is slow until the first briefs can be done, meets that moment, and is quick from there', () => {
		const gaps = [0, 30, 150, 155, 165, 170, 180, 400].map((age) =>
			pollGap(age * S, 180 * S, INTERVAL),
		);
		expect(gaps.map((gap) => gap / S)).toEqual([30, 30, 30, 25, 15, 15, 15, 15]);
	});

	test('costs 12 to 13 looks a brief and finds it after 8 to 9 seconds, for briefs of 3 to 6 minutes', () => {
		const durations = Array.from({ length: 2000 }, (_, i) => (180 + ((i * 7919) % 1800) / 10) * S);
		const { looks, latency } = simulate(durations);
		expect(looks).toBeGreaterThan(11.5);
		expect(looks).toBeLessThan(13);
		expect(latency).toBeGreaterThan(7);
		expect(latency).toBeLessThan(9);
	});

	test('is not led astray by early failures: others are found as soon as before', () => {
		const durations = Array.from({ length: 2000 }, (_, i) =>
			i % 12 === 0 ? (5 + (i % 35)) * S : (180 + ((i * 7919) % 1800) / 10) * S,
		);
		const { looks, latency } = simulate(durations);
		expect(looks).toBeLessThan(12.5);
		expect(latency).toBeLessThan(10);
	});
});

describe('doneFrom', () => {
	test('is three minutes until eight durations are known', () => {
		expect(doneFrom([], INTERVAL)).toBe(180 * S);
		expect(doneFrom(Array<number>(7).fill(300 * S), INTERVAL)).toBe(180 * S);
		expect(doneFrom(Array<number>(8).fill(300 * S), INTERVAL)).toBe(300 * S);
	});

	test('is the 5 % quantile of the last 200, without the early failures', () => {
		const durations = Array.from({ length: 200 }, (_, i) => (201 + i) * S);
		expect(doneFrom(durations, INTERVAL)).toBe(211 * S);
		expect(doneFrom([...Array<number>(500).fill(100 * S), ...durations], INTERVAL)).toBe(211 * S);
		expect(doneFrom([...durations, 10 * S, 59 * S], INTERVAL)).toBe(212 * S);
		expect(doneFrom([...Array<number>(8).fill(60 * S)], INTERVAL)).toBe(60 * S);
	});

	test('keeps its meaning in faster time', () => {
		expect(doneFrom([], { shortest: 100, longest: 200 })).toBe(1200);
		expect(doneFrom(Array<number>(8).fill(3000), { shortest: 100, longest: 200 })).toBe(3000);
	});

	test('leaves the list that it is given as it is', () => {
		const durations = [300, 200, 400, 250, 350, 280, 240, 220].map((seconds) => seconds * S);
		const before = [...durations];
		doneFrom(durations, INTERVAL);
		expect(durations).toEqual(before);
	});
});

describe('isStageAway', () => {
	test.each(['queued', 'researching', 'writing'])(
		'a brief that is %s has a stage between it and its end',
		(status) => {
			expect(isStageAway(status, [])).toBe(true);
		},
	);

	test.each(['checking', 'reviewing'])('a brief that is %s may end at any time', (status) => {
		expect(isStageAway(status, [])).toBe(false);
	});

	test('is given up when most briefs end without having been seen in the last stage', () => {
		const unseen = Array<string>(3).fill('writing');
		expect(isStageAway('writing', unseen)).toBe(true);
		expect(isStageAway('writing', [...unseen, 'checking'])).toBe(false);
		expect(isStageAway('writing', [...unseen, 'checking', 'checking', 'checking'])).toBe(true);
	});

	test('only the last twenty count', () => {
		const old = Array<string>(50).fill('writing');
		expect(isStageAway('writing', [...old, ...Array<string>(20).fill('checking')])).toBe(true);
	});
});

test('less than 15 seconds may lie between two looks only on this machine', () => {
	expect(shortestAllowed('https://api.vendor.example/v1')).toBe(15_000);
	expect(shortestAllowed('http://127.0.0.1:4010/v1')).toBe(0);
});
