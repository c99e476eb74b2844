import { DEFAULT_POLL_INTERVAL } from '../../../service/poll-interval';
import type { BriefSummary } from '../../../service/resources';
import {
	WatchedBriefs,
	failedFor,
	foundOn,
	isPageWorthReading,
	mayBeTooNew,
	type WatchedBrief,
} from '../../../service/watch/watched-briefs';

const NOW = 1e12;
const S = 1000;

const brief = (id: string, status = 'writing'): BriefSummary => ({
	id,
	status,
	product_name: '',
	title: null,
	created_at: NOW,
	updated_at: NOW,
	finished_at: null,
	url: '',
});

function watched(status: string, ageSeconds = 0, isStartKnown = true): WatchedBrief {
	return { brief: brief('a', status), since: NOW - ageSeconds * S, isStartKnown };
}

function all(briefs: WatchedBrief[], durations: number[] = []): WatchedBriefs<WatchedBrief> {
	const these = new WatchedBriefs<WatchedBrief>(durations.map((seconds) => seconds * S));
	for (const one of briefs) these.all.add(one);
	return these;
}

/** Seconds from now to the next look, where the last one was at this time. */
function next(these: WatchedBriefs<WatchedBrief>, lastLook = NOW): number {
	return (these.nextLook(lastLook, DEFAULT_POLL_INTERVAL) - NOW) / S;
}

describe('the next look at watched briefs', () => {
	test('is never needed while none is watched', () => {
		expect(next(all([]))).toBe(Infinity);
	});

	test.each([
		['that may end soon, a shortest interval later', 'checking', 200, 15],
		['that is too young to end, a longest interval later', 'polishing', 60, 30],
		['that has a stage to go, a longest interval later at any age', 'writing', 200, 30],
		['that has several stages to go, two longest intervals later', 'researching', 60, 60],
		['that reaches the age at which the first ones end, at that age', 'polishing', 160, 20],
	])('is due for one %s', (_case, status, age, seconds) => {
		expect(next(all([watched(status, age)]))).toBe(seconds);
	});

	test('is due for the first that needs it', () => {
		expect(next(all([watched('writing', 10), watched('checking', 200)]))).toBe(15);
	});

	test('is due twice in a shortest interval where two run, unless requests are to be fewer', () => {
		const other = { ...watched('writing', 10), brief: brief('b') };
		const two = all([other, watched('checking', 200)]);
		expect(next(two)).toBe(7.5);
		expect((two.nextLook(NOW, DEFAULT_POLL_INTERVAL, false) - NOW) / S).toBe(15);
	});

	test('counts for each from when whoever waits for it saw it', () => {
		const seen = { ...watched('checking', 200), seenAt: NOW - 5 * S };
		expect(next(all([seen]), -Infinity)).toBe(10);
		expect(next(all([seen, watched('checking', 200)]), NOW - 15 * S)).toBe(0);
	});

	test('counts from the creation of a brief that is younger than the last look', () => {
		expect(next(all([watched('writing', 10)]), NOW - 60 * S)).toBe(20);
		expect(next(all([watched('writing', 10)]), -Infinity)).toBe(20);
	});
});

describe('what is learnt from briefs that ended', () => {
	const eight = Array<number>(8).fill(300);

	/** Whether a brief is left alone until it is 300 seconds old, as eight that took so long suggest. */
	const expectsMore = (these: WatchedBriefs<WatchedBrief>) => {
		these.all.add(watched('polishing', 280));
		return next(these) === 20;
	};

	function afterEnds(isStartKnown: boolean, status = 'ready') {
		const these = all([]);
		for (const seconds of eight) {
			these.observe(watched('checking', seconds, isStartKnown), brief('a', status), NOW);
		}
		return these;
	}

	test('is how long they take, from earlier runs and from this one', () => {
		expect(expectsMore(all([]))).toBe(false);
		expect(expectsMore(all([], eight))).toBe(true);
		expect(expectsMore(afterEnds(true))).toBe(true);
		expect(expectsMore(afterEnds(true, 'failed'))).toBe(true);
	});

	test('is nothing from one whose start is not known, nor from one that runs on', () => {
		expect(expectsMore(afterEnds(false))).toBe(false);
		expect(expectsMore(afterEnds(true, 'checking'))).toBe(false);
	});

	test('leaves the durations that were given as they are', () => {
		const given: number[] = [];
		new WatchedBriefs(given).observe(watched('checking', 300), brief('a', 'ready'), NOW);
		expect(given).toEqual([]);
	});

	test.each([
		['ready', 15],
		['failed', 30],
		['checking', 30],
	])('is that their last stage is too short to be seen, if they became %s', (status, seconds) => {
		const these = all([]);
		for (let i = 0; i < 4; i += 1) {
			these.observe(watched('writing', 10, false), brief('a', status), NOW);
		}
		these.all.add(watched('writing', 200));
		expect(next(these)).toBe(seconds);
	});
});

test('a watched brief is known as it was seen last', () => {
	const one = watched('queued');
	all([one]).observe(one, brief('a', 'researching'), NOW);
	expect(one.brief.status).toBe('researching');
});

test('the only watched brief is one that has no other beside it', () => {
	const [one, other] = [watched('queued'), watched('queued')];
	expect(all([]).only()).toBeUndefined();
	expect(all([one]).only()).toBe(one);
	expect(all([one, other]).only()).toBeUndefined();
});

test('a page shows those of the watched briefs that are on it, also where two watch one', () => {
	const [a, b] = [watched('queued'), watched('queued')];
	const missing = { ...watched('queued'), brief: brief('missing') };
	const page = [brief('another'), brief('a', 'ready')];
	expect(foundOn(page, new Set([a, missing, b]))).toEqual([
		[a, page[1]],
		[b, page[1]],
	]);
});

test('older pages are read while they may bring more than as many gets would', () => {
	const worthReading = (missing: number) =>
		[0, 1, 2, 3].filter((olderPages) => isPageWorthReading(missing, olderPages));
	expect([0, 1, 2, 3, 4].map(worthReading)).toEqual([[], [], [0], [0, 1], [0, 1, 2]]);
});

test('a brief may be too new to be shown for two minutes', () => {
	expect(mayBeTooNew(NOW, NOW + 120 * S)).toBe(true);
	expect(mayBeTooNew(NOW, NOW + 120 * S + 1)).toBe(false);
});

test('how long a brief could not be looked at counts from its first failure', () => {
	const one = watched('writing', 500);
	expect(failedFor(one, NOW)).toBe(0);
	expect(failedFor(one, NOW + 30 * S)).toBe(30 * S);
	expect(failedFor(one, NOW + 70 * S)).toBe(70 * S);
});
