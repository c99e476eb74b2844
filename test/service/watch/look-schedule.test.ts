import { DEFAULT_POLL_INTERVAL } from '../../../service/api/poll-interval';
import { gapForSlots, nextLookAtBriefs } from '../../../service/watch/look-schedule';
import { SECOND } from '../../support/time';

const INTERVAL = DEFAULT_POLL_INTERVAL;
const NOW = 1e12;

/** A brief that is so many seconds old. */
function watched(status: string, age: number, id = 'a') {
	return { brief: { id, status }, since: NOW - age * SECOND };
}

/** Seconds from now to the next look, if the last one was now (or as given). */
function next(briefs: Array<ReturnType<typeof watched>>, lastLook = NOW): number {
	return (nextLookAtBriefs(briefs, lastLook, INTERVAL) - NOW) / SECOND;
}

const gap = (status: string, age: number) => next([watched(status, age)]);

describe('the poll schedule', () => {
	test.each<[string, string, number[]]>([
		['leaves one with several stages to go alone, at any age', 'researching', [60, 60, 60, 60, 60]],
		['does not rely on the stages of one that stays queued', 'queued', [60, 50, 20, 15, 15]],
		['leaves one with a stage to go alone for less, at any age', 'writing', [30, 30, 30, 30, 30]],
		['looks at one that is checked as often as it may', 'checking', [15, 15, 15, 15, 15]],
		['goes by the age if it does not know the status', 'polishing', [30, 30, 20, 15, 15]],
	])('%s: %s', (_, status, gaps) => {
		expect([10, 130, 160, 180, 500].map((age) => gap(status, age))).toEqual(gaps);
	});

	test('thinks a brief done no sooner if it looks more often', () => {
		const often = { shortest: 1.5 * SECOND, longest: 3 * SECOND };
		const gaps = [18, 179, 180].map(
			(age) => nextLookAtBriefs([watched('polishing', age)], NOW, often) - NOW,
		);
		expect(gaps).toEqual([3 * SECOND, 1.5 * SECOND, 1.5 * SECOND]);
	});

	test.each([
		['are checked', 'checking', 200],
		['are in a status that it does not know, and may be done', 'polishing', 180],
	])('looks twice in a shortest interval at two that %s', (_, status, age) => {
		expect(next([watched(status, age), watched(status, age, 'b')])).toBe(7.5);
	});
});

describe('who waits for a slot', () => {
	const gapBehind = (...holders: Array<{ status?: string; age: number }>) => {
		const of = holders.map(({ age, ...rest }) => ({ ...rest, since: -age * SECOND }));
		return gapForSlots(of, 0, INTERVAL) / SECOND;
	};

	test('looks as often as it may if the status of a brief is not known', () => {
		expect(gapBehind({ age: 5 }, { status: 'queued', age: 5 })).toBe(15);
	});
});
