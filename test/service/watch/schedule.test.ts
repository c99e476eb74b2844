import fc from 'fast-check';
import { DEFAULT_POLL_INTERVAL, shortestAllowed } from '../../../service/poll-interval';
import {
	doneFrom,
	gapAfterLook,
	gapForSlots,
	nearGap,
	type Learnt,
} from '../../../service/watch/schedule';

const INTERVAL = DEFAULT_POLL_INTERVAL;
const S = 1000;

const STATUSES = ['queued', 'researching', 'writing', 'checking', 'polishing'];

/** Seconds that a brief of this status and age (seconds) is left alone, by the shortest interval unless told. */
function gap(status: string, age: number, learnt: Partial<Learnt> = {}, near = 15 * S): number {
	const all = { doneFrom: 180 * S, lastSeen: [], ...learnt };
	return gapAfterLook({ status, age: age * S }, all, INTERVAL, near) / S;
}

/** What is learnt from ten briefs that were last seen in this status. */
const tenLastSeen = (status: string) => ({ lastSeen: Array<string>(10).fill(status) });

describe('the poll schedule', () => {
	test('is that of the vendor: 15 to 30 seconds', () => {
		expect(INTERVAL).toEqual({ shortest: 15 * S, longest: 30 * S });
	});

	test('leaves no brief alone for less than it may, nor for longer than twice the longest interval', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...STATUSES),
				fc.double({ min: 0, max: 1e5, noNaN: true }),
				fc.array(fc.double({ min: 0, max: 1e7, noNaN: true })),
				fc.array(fc.constantFrom(...STATUSES)),
				fc.constantFrom(7.5, 15),
				(status, age, durations, lastSeen, near) => {
					const learnt = { doneFrom: doneFrom(durations, INTERVAL), lastSeen };
					const seconds = gap(status, age, learnt, near * S);
					expect(seconds).toBeGreaterThanOrEqual(near);
					expect(seconds).toBeLessThanOrEqual(60);
				},
			),
		);
	});

	test.each(['queued', 'researching'])(
		'leaves a brief that is %s alone for twice the longest interval, at any age',
		(status) => {
			expect(gap(status, 10, tenLastSeen('checking'))).toBe(60);
			expect(gap(status, 500, tenLastSeen('checking'))).toBe(60);
		},
	);

	test('leaves a brief that is being written alone for the longest interval, at any age', () => {
		expect(gap('writing', 10)).toBe(30);
		expect(gap('writing', 500)).toBe(30);
	});

	test('looks at a brief that is checked as often as it may', () => {
		expect(gap('checking', 10, {}, 7.5 * S)).toBe(7.5);
		expect(gap('checking', 500, {}, 7.5 * S)).toBe(7.5);
	});

	test('goes by the age of a brief in a status that it does not know', () => {
		expect([10, 155, 170].map((age) => gap('polishing', age, {}, 7.5 * S))).toEqual([30, 25, 15]);
		expect(gap('polishing', 180, {}, 7.5 * S)).toBe(7.5);
	});

	test('goes by the age where briefs end without a later stage having been seen', () => {
		const unseen = tenLastSeen('researching');
		expect([10, 155, 170, 400].map((age) => gap('researching', age, unseen))).toEqual([
			30, 25, 15, 15,
		]);
		expect(gap('writing', 400, unseen)).toBe(15);
		expect(gap('queued', 400, unseen)).toBe(60);
	});

	test('knows that from four ends on, of which one in four was so; the last twenty count', () => {
		const ends = (unseen: number, seen: number) => ({
			lastSeen: [...Array<string>(unseen).fill('writing'), ...Array<string>(seen).fill('checking')],
		});
		expect(gap('writing', 400, ends(3, 0))).toBe(30);
		expect(gap('writing', 400, ends(1, 3))).toBe(15);
		expect(gap('writing', 400, ends(1, 4))).toBe(30);
		expect(gap('writing', 400, ends(50, 20))).toBe(30);
	});

	test('does not rely on the stages of the first briefs beyond the age at which they may be done', () => {
		expect([0, 130, 160, 400].map((age) => gap('researching', age))).toEqual([60, 50, 30, 30]);
		const ends = (count: number) => ({ lastSeen: Array<string>(count).fill('checking') });
		expect(gap('researching', 400, ends(3))).toBe(30);
		expect(gap('researching', 400, ends(4))).toBe(60);
	});
});

describe('nearGap', () => {
	test('is half of the shortest interval where two briefs run, for a look at the list shows both', () => {
		expect(nearGap(2, true, INTERVAL)).toBe(7.5 * S);
	});

	test('is the shortest interval where one runs, and after a call for fewer requests', () => {
		expect(nearGap(1, true, INTERVAL)).toBe(15 * S);
		expect(nearGap(2, false, INTERVAL)).toBe(15 * S);
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
		expect(doneFrom([...durations].reverse(), INTERVAL)).toBe(211 * S);
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

test('less than 15 seconds may lie between two looks only on this machine', () => {
	expect(shortestAllowed('https://api.vendor.example/v1')).toBe(15_000);
	expect(shortestAllowed('http://127.0.0.1:4010/v1')).toBe(0);
});

describe('who waits for a slot', () => {
	const gapBehind = (...holders: Array<{ status?: string; age: number }>) => {
		const of = holders.map(({ age, ...rest }) => ({ ...rest, since: -age * S }));
		const learnt = { doneFrom: 180 * S, ...tenLastSeen('checking') };
		return gapForSlots(of, 0, learnt, INTERVAL) / S;
	};

	test('leaves the list alone as long as the brief that needs the next look', () => {
		expect(gapBehind({ status: 'queued', age: 5 }, { status: 'researching', age: 90 })).toBe(60);
		expect(gapBehind({ status: 'queued', age: 5 }, { status: 'writing', age: 150 })).toBe(30);
		expect(gapBehind({ status: 'polishing', age: 160 }, { status: 'queued', age: 5 })).toBe(20);
	});

	test('looks no more often than for a single brief, also where both may end at any moment', () => {
		expect(gapBehind({ status: 'checking', age: 200 }, { status: 'checking', age: 220 })).toBe(15);
	});

	test('looks as often as it may where the status of a brief is not known', () => {
		expect(gapBehind({ age: 5 }, { status: 'queued', age: 5 })).toBe(15);
	});

	test('looks as often as it may where a slot may come free without the end of a brief', () => {
		expect(gapForSlots(null, 0, { doneFrom: 0, lastSeen: [] }, INTERVAL)).toBe(15 * S);
		expect(gapBehind()).toBe(15);
	});
});
