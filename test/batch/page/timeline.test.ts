import fc from 'fast-check';
import { entry } from '../../support/batch/journal-events';
import { Batch, START } from '../../support/batch/report-fixtures';
import { HOUR, SECOND } from '../../support/time';

interface Bar {
	lane: number;
	/** In percent of the whole chart, from its left. */
	from: number;
	to: number;
}

/** The bars of a report, made so long after the start, of briefs that were written from one second to another. */
async function barsOf(spans: Array<[from: number, to: number | null]>, ms = 10 * HOUR) {
	const batch = new Batch();
	for (const [from, to] of spans) {
		const key = batch.accept(`Brief ${from}`, START + from * SECOND);
		if (to !== null) batch.record(START + to * SECOND, { ...entry.ended('ready'), key });
	}
	const page = await batch.report(START + ms);
	const lanes = page.split('<div class="lane">').slice(1);
	const bars = lanes.flatMap((html, lane): Array<{ name: number; bar: Bar }> =>
		[...html.matchAll(/left:([\d.]+)%;width:([\d.]+)%[^>]*>(?:<bdi>Brief (\d+))/g)].map(
			([, left, width, name]) => {
				const from = Number(left);
				return { name: Number(name), bar: { lane, from, to: from + Number(width) } };
			},
		),
	);
	return bars.sort((a, b) => a.name - b.name).map(({ bar }) => bar);
}

const lanesOf = async (...spans: Array<[number, number | null]>) =>
	(await barsOf(spans)).map(({ lane }) => lane);

describe('the lanes of the two slots', () => {
	it('take each brief into the first that is free', async () => {
		expect(await lanesOf([0, 4], [4, 8])).toEqual([0, 0]);
		expect(await lanesOf([0, 4], [1, 3], [3, 6], [4, 8], [9, 10])).toEqual([0, 1, 1, 0, 0]);
	});

	it('let no two bars overlap, as long as no more than two ran at a time', async () => {
		const lengths = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 30 });
		await fc.assert(
			fc.asyncProperty(lengths, async (given) => {
				const free: [number, number] = [0, 0];
				const spans = given.map((length): [number, number] => {
					const slot = free[0] <= free[1] ? 0 : 1;
					const from = free[slot];
					free[slot] = from + length;
					return [from, from + length];
				});
				const bars = await barsOf(spans);
				for (const lane of [0, 1]) {
					const ofLane = bars.filter((bar) => bar.lane === lane);
					for (const [i, { from }] of ofLane.entries())
						expect(from).toBeGreaterThanOrEqual((ofLane[i - 1]?.to ?? 0) - 0.02);
				}
			}),
		);
	});

	it('draw a brief that was found late over the one that ends first', async () => {
		expect(await lanesOf([0, 100], [1, 50], [10, 60])).toEqual([0, 1, 1]);
	});

	it('draw a brief without an end for half an hour at most, and not beyond what is known', async () => {
		const first = [0, 3600] as [number, number];
		const widthOf = async (ms: number) => {
			const [, bar] = await barsOf([first, [1, null]], ms);
			return Math.round(bar!.to - bar!.from);
		};
		expect([await widthOf(10 * HOUR), await widthOf(HOUR / 4), await widthOf(-HOUR)]).toEqual([
			...[50, 25, 0],
		]);
	});

	it('bear with a clock that was set back', async () => {
		expect(await barsOf([[100, 0]])).toEqual([{ lane: 0, from: 0, to: 0 }]);
	});
});
