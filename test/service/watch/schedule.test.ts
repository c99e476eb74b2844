import fc from 'fast-check';
import { DEFAULT_POLL_INTERVAL } from '../../../service/api/poll-interval';
import { gapForSlots, nextLookAtBriefs, type WatchedBrief } from '../../../service/watch/schedule';
import { SECOND } from '../../support/time';

const INTERVAL = DEFAULT_POLL_INTERVAL;
const NOW = 1e12;

const STATUSES = ['queued', 'researching', 'writing', 'checking', 'polishing'];

/** A brief that is so many seconds old. */
function watched(status: string, age: number, id = 'a'): WatchedBrief {
	return { brief: { id, status }, since: NOW - age * SECOND };
}

/** Seconds from now to the next look, if the last one was now (or as given). */
function next(briefs: WatchedBrief[], lastLook = NOW): number {
	return (nextLookAtBriefs(briefs, lastLook, INTERVAL) - NOW) / SECOND;
}

const gap = (status: string, age: number) => next([watched(status, age)]);

describe('the poll schedule', () => {
	test('leaves no brief alone for less than the shortest interval, nor for longer than twice the longest', () => {
		fc.assert(
			fc.property(fc.constantFrom(...STATUSES), fc.integer({ min: 0, max: 1e5 }), (status, age) => {
				expect(gap(status, age)).toBeGreaterThanOrEqual(15);
				expect(gap(status, age)).toBeLessThanOrEqual(60);
			}),
		);
	});

	test.each<[string, string, number[]]>([
		['leaves one with several stages to go alone, at any age', 'researching', [60, 60, 60, 60, 60]],
		['does not rely on the stages of one that stays queued', 'queued', [60, 50, 20, 15, 15]],
		['leaves one with a stage to go alone for less, at any age', 'writing', [30, 30, 30, 30, 30]],
		['looks at one that is checked as often as it may', 'checking', [15, 15, 15, 15, 15]],
		['goes by the age if it does not know the status', 'polishing', [30, 30, 20, 15, 15]],
	])('%s: %s', (_, status, gaps) => {
		expect([10, 130, 160, 180, 500].map((age) => gap(status, age))).toEqual(gaps);
	});

	test('keeps its meaning in faster time', () => {
		const faster = { shortest: 100, longest: 200 };
		const gapAt = (age: number) =>
			nextLookAtBriefs([{ ...watched('polishing', 0), since: NOW - age }], NOW, faster) - NOW;
		expect([1000, 1050, 1150, 1200].map(gapAt)).toEqual([200, 150, 100, 100]);
	});

	test('asks for no look while nobody waits', () => {
		expect(next([])).toBe(Infinity);
	});

	test('is that of the first brief that needs a look', () => {
		expect(next([watched('writing', 10), watched('checking', 200)])).toBe(15);
	});

	test.each([
		['are checked', 'checking', 200],
		['are in a status that it does not know, and may be done', 'polishing', 180],
	])('looks twice in a shortest interval at two that %s', (_, status, age) => {
		expect(next([watched(status, age), watched(status, age, 'b')])).toBe(7.5);
	});

	test('looks at one alone once in a shortest interval, however many wait for it', () => {
		expect(next([watched('checking', 200), watched('checking', 200)])).toBe(15);
	});

	test('counts for each from when whoever waits for it saw it', () => {
		const seen = { ...watched('checking', 200), seenAt: NOW - 5 * SECOND };
		expect(next([seen], -Infinity)).toBe(10);
		expect(next([seen, watched('checking', 200)], NOW - 15 * SECOND)).toBe(0);
	});

	test('counts from the creation of a brief that is younger than the last look', () => {
		expect(next([watched('writing', 10)], NOW - 60 * SECOND)).toBe(20);
		expect(next([watched('writing', 10)], -Infinity)).toBe(20);
	});
});

describe('who waits for a slot', () => {
	const gapBehind = (...holders: Array<{ status?: string; age: number }>) => {
		const of = holders.map(({ age, ...rest }) => ({ ...rest, since: -age * SECOND }));
		return gapForSlots(of, 0, INTERVAL) / SECOND;
	};

	test('leaves the list alone as long as the brief that needs the next look', () => {
		expect(gapBehind({ status: 'queued', age: 5 }, { status: 'researching', age: 90 })).toBe(60);
		expect(gapBehind({ status: 'queued', age: 5 }, { status: 'writing', age: 150 })).toBe(30);
		expect(gapBehind({ status: 'polishing', age: 160 }, { status: 'queued', age: 5 })).toBe(20);
	});

	test('looks no more often than for a single brief, also if both may end at any moment', () => {
		expect(gapBehind({ status: 'checking', age: 200 }, { status: 'checking', age: 220 })).toBe(15);
	});

	test('looks as often as it may if the status of a brief is not known', () => {
		expect(gapBehind({ age: 5 }, { status: 'queued', age: 5 })).toBe(15);
	});

	test('looks as often as it may if a slot may come free without the end of a brief', () => {
		expect(gapForSlots(null, 0, INTERVAL)).toBe(15 * SECOND);
		expect(gapBehind()).toBe(15);
	});
});
