import fc from 'fast-check';
import type { BriefRecord } from '../../../batch/journal/records';
import { timeRangesOf, ticksOf } from '../../../batch/results/page/time-axis';
import { lanesOf } from '../../../batch/results/page/lanes';
import { durationToTheSecond, DateFormatter } from '../../../batch/results/page/dates';
import { Batch, MINUTE, START } from '../../support/batch/report-fixtures';

const HOUR = 60 * MINUTE;
const utc = new DateFormatter('UTC');

function ran(...spans: [from: number, to: number | null][]): BriefRecord[] {
	const batch = new Batch();
	for (const [from, to] of spans) {
		const key = batch.accept('x', START + from);
		const facts = {
			title: '',
			url: '',
			error_code: null,
			created_at: '',
			finished_at: '',
			took_ms: 1,
		};
		if (to !== null) batch.record(START + to, { type: 'ended', key, status: 'ready', ...facts });
	}
	return batch.records.all();
}

const lanes = (...spans: [number, number | null][]) =>
	lanesOf(ran(...spans), START + 10 * HOUR).map(({ lane }) => lane);

describe('the lanes of the two slots', () => {
	it('take each brief into the first that is free', () => {
		expect(lanes([0, 4], [4, 8])).toEqual([0, 0]);
		expect(lanes([0, 4], [1, 3], [3, 6], [4, 8], [9, 10])).toEqual([0, 1, 1, 0, 0]);
	});

	it('let no two bars overlap, as long as no more than two ran at a time', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 30 }), (lengths) => {
				const free = [0, 0];
				const spans = lengths.map((length): [number, number] => {
					const slot = (free[0] ?? 0) <= (free[1] ?? 0) ? 0 : 1;
					const from = free[slot] ?? 0;
					free[slot] = from + length;
					return [from, from + length];
				});
				const bars = lanesOf(ran(...spans), START);
				for (const lane of [0, 1]) {
					const ofLane = bars.filter((bar) => bar.lane === lane);
					for (const [i, bar] of ofLane.entries())
						expect(bar.from).toBeGreaterThanOrEqual(ofLane[i - 1]?.to ?? 0);
				}
			}),
		);
	});

	it('draw a brief that was found late over the one that ends first', () => {
		expect(lanes([0, 100], [0, 50], [10, 60])).toEqual([0, 1, 1]);
	});

	it('leave out what the service never took', () => {
		const batch = new Batch();
		batch.intend('x');
		expect(lanesOf(batch.records.all(), START)).toEqual([]);
	});

	it('draw a brief without an end for half an hour at most, and not beyond what is known', () => {
		const bar = (until: number) => lanesOf(ran([0, null]), START + until)[0];
		expect(bar(10 * HOUR)).toMatchObject({ from: START, to: START + HOUR / 2, isOpen: true });
		expect(bar(5)).toMatchObject({ to: START + 5, isOpen: true });
		expect(bar(-HOUR)).toMatchObject({ to: START });
	});

	it('bear with a clock that was set back', () => {
		expect(lanesOf(ran([100, 0]), START)[0]).toMatchObject({ from: START + 100, to: START + 100 });
	});
});

describe('the axis', () => {
	it('has at most eight round times, whatever the length', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 14 * HOUR }), (length) => {
				const [range, ...more] = timeRangesOf([{ from: START, to: START + length }], utc);
				expect(more).toEqual([]);
				const ticks = ticksOf(range!, utc);
				expect(ticks.length).toBeLessThanOrEqual(8);
				for (const { percent } of ticks) {
					expect(percent).toBeGreaterThanOrEqual(0);
					expect(percent).toBeLessThanOrEqual(100);
				}
			}),
		);
		const labels = (length: number) =>
			ticksOf({ from: START, to: START + length }, utc).map(({ label }) => label);
		expect(labels(30_000).slice(0, 2)).toEqual(['09:00:00', '09:00:05']);
		expect(labels(40 * MINUTE).slice(0, 2)).toEqual(['09:00', '09:10']);
		expect(labels(9 * HOUR).slice(0, 2)).toEqual(['10:00', '12:00']);
	});

	it('leaves out the days on which nothing happened', () => {
		const day = 24 * HOUR;
		const spans = [0, day, 12 * day].map((at) => ({ from: START + at, to: START + at + 5 }));
		const ranges = timeRangesOf(spans, utc);
		expect(ranges.map(({ from }) => utc.day(from))).toEqual([
			'Fri 20 Nov',
			'Sat 21 Nov',
			'Wed 2 Dec',
		]);
	});

	it('has both days for a brief that was written over midnight', () => {
		const midnight = Date.parse('2026-11-21T00:00:00Z');
		const spans = [
			{ from: START, to: START + 5 },
			{ from: midnight - 5, to: midnight + 5 },
		];
		expect(timeRangesOf(spans, utc)).toHaveLength(2);
	});

	it.each([
		['2026-10-25T12:00:00Z', 25],
		['2026-03-29T12:00:00Z', 23],
		['2026-06-01T12:00:00Z', 24],
	])('finds that the day around %s has %d hours in Berlin', (noon, hours) => {
		const from = Date.parse(noon);
		const spans = [
			{ from, to: from + 1 },
			{ from: from + 30 * HOUR, to: from + 30 * HOUR },
		];
		const [day] = timeRangesOf(spans, new DateFormatter('Europe/Berlin'));
		expect(day!.to - day!.from).toBe(hours * HOUR);
	});
});

describe('times', () => {
	it('are computed from the day’s start in any zone', () => {
		const zones = [
			'UTC',
			'Europe/Berlin',
			'America/New_York',
			'Asia/Kathmandu',
			'Pacific/Kiritimati',
		];
		const instants = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2035-01-01') });
		fc.assert(
			fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
				const dates = new DateFormatter(zone);
				const start = dates.startOfDay(instant);
				expect(dates.timeToTheSecond(start)).toBe('00:00:00');
				expect(dates.date(start)).toBe(dates.date(instant));
				expect(start).toBeLessThanOrEqual(instant);
			}),
		);
	});

	it.each([
		[0, '0 s'],
		[42_400, '42 s'],
		[4 * MINUTE, '4 min'],
		[250_000, '4 min 10 s'],
		[67 * MINUTE, '1 h 07 min'],
		[51 * HOUR, '2 days 3 h'],
		[-5, '0 s'],
	])('say how long %d ms are: %s', (ms, words) => {
		expect(durationToTheSecond(ms)).toBe(words);
	});

	it('name both days of a span that ends on another day', () => {
		expect(utc.span(START, START + HOUR)).toBe('20 Nov 2026, 09:00–10:00');
		expect(utc.span(START, START + 5)).toBe('20 Nov 2026, 09:00');
		expect(utc.span(START, START + 24 * HOUR)).toBe('20 Nov 2026, 09:00 – 21 Nov 2026, 09:00');
	});
});
