import fc from 'fast-check';
import type { Order } from '../../../batch/folder/records';
import { lanesOf } from '../../../batch/page/report-page';
import { entry } from '../../support/batch/journal-events';
import { Batch, START } from '../../support/batch/report-fixtures';
import { HOUR } from '../../support/time';

function ran(...spans: [from: number, to: number | null][]): Order[] {
	const batch = new Batch();
	for (const [from, to] of spans) {
		const key = batch.accept('x', START + from);
		if (to !== null) batch.record(START + to, { ...entry.ended('ready'), key });
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

	it('draw a brief without an end for half an hour at most, and not beyond what is known', () => {
		const bar = (until: number) => lanesOf(ran([0, null]), START + until)[0];
		expect(bar(10 * HOUR)).toMatchObject({ from: START, to: START + HOUR / 2, hasNoEnd: true });
		expect(bar(5)).toMatchObject({ to: START + 5, hasNoEnd: true });
		expect(bar(-HOUR)).toMatchObject({ to: START });
	});

	it('bear with a clock that was set back', () => {
		expect(lanesOf(ran([100, 0]), START)[0]).toMatchObject({ from: START + 100, to: START + 100 });
	});
});
