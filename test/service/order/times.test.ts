import {
	CLOCK_DIFFERENCE_MS,
	CLOCKS_WRONG_MS,
	KEY_TRUSTED_MS,
	KEY_TRUSTED_UNSEEN_MS,
	LIST_DISORDER_MS,
	LIST_LAG_MS,
	SAME_TRY_MS,
} from '../../../service/assumptions';
import {
	isInTime,
	isIntentFresh,
	isSurelyAfter,
	isSurelyBefore,
	isSurelyListed,
	listedSince,
	readSince,
	keyTrust,
	untilListed,
	momentAt,
	notAhead,
	type Moment,
} from '../../../service/order/times';
import { HOUR, MINUTE } from '../../support/time';

const TIME = Date.UTC(2026, 10, 20, 9);
const NOW: Moment = { service: TIME, machine: TIME };
/** A moment so long ago by the service's clock and by our own. */
const before = (service: number, own = service): Moment => ({
	service: TIME - service,
	machine: TIME - own,
});
const ago = (service: number, own = service) => ({
	firstTried: before(service, own),
	lastTried: before(service, own),
});
const NEVER = { firstTried: null, lastTried: null };
const SURELY = LIST_LAG_MS + SAME_TRY_MS;

test('an instant of the service’s clock is as far from now by this machine’s clock', () => {
	const clocks = { service: { now: () => TIME }, clock: { now: () => 5000 } };
	expect(momentAt(TIME - 2000, clocks)).toEqual({ service: TIME - 2000, machine: 3000 });
});

describe('a key', () => {
	test('is young for ten minutes, trusted for an hour, and then old', () => {
		expect(keyTrust(NEVER, NOW)).toBe('young');
		expect(keyTrust(ago(KEY_TRUSTED_UNSEEN_MS), NOW)).toBe('young');
		expect(keyTrust(ago(KEY_TRUSTED_UNSEEN_MS + 1), NOW)).toBe('trusted');
		expect(keyTrust(ago(KEY_TRUSTED_MS - 1), NOW)).toBe('trusted');
		expect(keyTrust(ago(KEY_TRUSTED_MS), NOW)).toBe('old');
	});

	test('is as old as the older of both clocks says, and old if one says that it is to come', () => {
		expect(keyTrust(ago(MINUTE, 20 * MINUTE), NOW)).toBe('trusted');
		expect(keyTrust(ago(2 * HOUR, MINUTE), NOW)).toBe('old');
		expect(keyTrust(ago(-CLOCK_DIFFERENCE_MS, MINUTE), NOW)).toBe('young');
		expect(keyTrust(ago(-CLOCK_DIFFERENCE_MS - 1, MINUTE), NOW)).toBe('old');
		expect(keyTrust(ago(MINUTE, -HOUR), NOW)).toBe('old');
	});
});

describe('the list', () => {
	test('is certain once it no longer lags behind the last try, which may be a minute late', () => {
		expect(isSurelyListed(ago(SURELY), NOW)).toBe(false);
		expect(isSurelyListed(ago(SURELY + 1), NOW)).toBe(true);
	});

	test('is certain only if both clocks say so, but for one that says that the try is to come', () => {
		expect(isSurelyListed(ago(SURELY + 1, MINUTE), NOW)).toBe(false);
		expect(isSurelyListed(ago(MINUTE, SURELY + 1), NOW)).toBe(false);
		expect(isSurelyListed(ago(-HOUR, SURELY + 1), NOW)).toBe(true);
		expect(isSurelyListed(ago(-HOUR, MINUTE), NOW)).toBe(false);
		expect(isSurelyListed(ago(-HOUR), NOW)).toBe(false);
	});

	test('is waited for once by clocks that both say that the try is to come', () => {
		const { lastTried } = ago(-HOUR, -MINUTE - CLOCK_DIFFERENCE_MS);
		expect(notAhead(lastTried, NOW)).toBe(NOW);
		expect(notAhead(before(-HOUR, MINUTE), NOW)).toEqual(before(-HOUR, MINUTE));
	});

	test('is waited for until just then, and never longer if a clock was set back', () => {
		expect(untilListed(ago(60_000), NOW)).toBe(SURELY - 60_000 + 1);
		expect(untilListed(ago(-3_600_000), NOW)).toBe(SURELY + 1);
		expect(untilListed(NEVER, NOW)).toBe(SURELY + 1);
	});
});

test('a reading of the list is of use for an order that it shows for certain only if it began late enough', () => {
	const since = (tried: ReturnType<typeof ago> | typeof NEVER, isGivenUp = false) =>
		readSince({ ...tried, isGivenUp }, NOW);
	expect(since(ago(SURELY + 5))).toBe(TIME - 4);
	expect(since(ago(-HOUR, SURELY + 5))).toBe(TIME - 4);
	expect(since(ago(SURELY))).toBe(-Infinity);
	expect(since(NEVER)).toBe(-Infinity);
	expect(since(ago(HOUR), true)).toBe(TIME);
});

test('a brief is of the time of an order from its first try until the list surely shows its last one', () => {
	const order = { firstTried: NOW, lastTried: before(-HOUR) };
	const last = TIME + HOUR + SURELY + CLOCK_DIFFERENCE_MS;
	const times = [TIME - CLOCK_DIFFERENCE_MS - 1, TIME - CLOCK_DIFFERENCE_MS, last, last + 1];
	expect(times.map((created) => isInTime(order, created))).toEqual([false, true, true, false]);
	expect(isInTime(NEVER, TIME)).toBe(false);
	expect(isInTime(order, null)).toBe(false);
	const [from, to] = [
		{ ...order, firstTried: null },
		{ ...order, lastTried: null },
	];
	expect([isInTime(from, TIME), isInTime(to, TIME)]).toEqual([false, false]);
	const firstEver = { firstTried: before(TIME), lastTried: before(TIME) };
	expect([isInTime(firstEver, 0), isInTime(firstEver, null)]).toEqual([true, false]);
	// By one of the clocks.
	const apart = ago(0, 5 * HOUR);
	const both = [TIME, TIME - 5 * HOUR, TIME - 2 * HOUR];
	expect(both.map((created) => isInTime(apart, created))).toEqual([true, true, false]);
});

test('a brief is surely of another time only if it is a day away by both clocks', () => {
	const order = before(0, HOUR);
	const first = TIME - HOUR - CLOCKS_WRONG_MS;
	expect([isSurelyBefore(first, order), isSurelyBefore(first - 1, order)]).toEqual([false, true]);
	const last = TIME + SURELY + CLOCKS_WRONG_MS;
	expect([isSurelyAfter(last, order), isSurelyAfter(last + 1, order)]).toEqual([false, true]);
	expect([isSurelyBefore(null, order), isSurelyAfter(null, order)]).toEqual([false, false]);
});

test('the list is read down to ten minutes before the first try by the earlier clock', () => {
	expect(listedSince(ago(HOUR, 2 * HOUR), NOW)).toBe(TIME - 2 * HOUR - LIST_DISORDER_MS);
	expect(listedSince(ago(3 * HOUR, HOUR), NOW)).toBe(TIME - 3 * HOUR - LIST_DISORDER_MS);
	expect(listedSince(ago(-HOUR), NOW)).toBe(TIME - LIST_DISORDER_MS);
	expect(listedSince(NEVER, NOW)).toBe(TIME - LIST_DISORDER_MS);
});

test('an intent is fresh for a minute, by whatever clock, unless it was withdrawn or never made', () => {
	const isFresh = (ms: number, own = ms) =>
		isIntentFresh({ isIntended: true, lastTried: before(ms, own) }, NOW);
	expect([isFresh(SAME_TRY_MS - 1), isFresh(SAME_TRY_MS)]).toEqual([true, false]);
	expect([isFresh(1 - SAME_TRY_MS), isFresh(-SAME_TRY_MS)]).toEqual([true, false]);
	expect([isFresh(0, SAME_TRY_MS), isFresh(SAME_TRY_MS, 0)]).toEqual([false, false]);
	expect(isIntentFresh({ isIntended: false, lastTried: before(0) }, NOW)).toBe(false);
	expect(isIntentFresh({ isIntended: true, lastTried: null }, NOW)).toBe(false);
});
