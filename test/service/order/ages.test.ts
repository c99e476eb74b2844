import {
	CLOCK_DIFFERENCE_MS,
	KEY_TRUSTED_MS,
	KEY_TRUSTED_UNSEEN_MS,
	LIST_LAG_MS,
	SAME_TRY_MS,
} from '../../../service/assumptions';
import {
	isInTime,
	isIntentFresh,
	isSurelyListed,
	readSince,
	keyTrust,
	untilListed,
} from '../../../service/order/ages';

const NOW = Date.UTC(2026, 10, 20, 9);
const ago = (ms: number) => ({ firstTried: NOW - ms, lastTried: NOW - ms });
const NEVER = { firstTried: null, lastTried: null };
const SURELY = LIST_LAG_MS + SAME_TRY_MS;

describe('a key', () => {
	test('is young for ten minutes, trusted for an hour, and then old', () => {
		expect(keyTrust(NEVER, NOW)).toBe('young');
		expect(keyTrust(ago(KEY_TRUSTED_UNSEEN_MS), NOW)).toBe('young');
		expect(keyTrust(ago(KEY_TRUSTED_UNSEEN_MS + 1), NOW)).toBe('trusted');
		expect(keyTrust(ago(KEY_TRUSTED_MS - 1), NOW)).toBe('trusted');
		expect(keyTrust(ago(KEY_TRUSTED_MS), NOW)).toBe('old');
	});

	test('is as old as its first try, however young the last one is', () => {
		expect(keyTrust({ ...ago(0), firstTried: NOW - KEY_TRUSTED_MS }, NOW)).toBe('old');
	});
});

describe('the list', () => {
	test('is certain once it no longer lags behind the last try, which may be a minute late', () => {
		expect(isSurelyListed(ago(SURELY), NOW)).toBe(false);
		expect(isSurelyListed(ago(SURELY + 1), NOW)).toBe(true);
	});

	test('has nothing to show of what was never tried', () => {
		expect(isSurelyListed(NEVER, NOW)).toBe(true);
	});

	test('is waited for until just then, and never longer if a clock was set back', () => {
		expect(untilListed(ago(60_000), NOW)).toBe(SURELY - 60_000 + 1);
		expect(untilListed(ago(-3_600_000), NOW)).toBe(SURELY + 1);
		expect(untilListed(NEVER, NOW)).toBe(SURELY + 1);
	});
});

test('a reading of the list is of use for an order that it shows for certain only if it began late enough', () => {
	const tried = { firstTried: 0, lastTried: NOW - SURELY - 5 };
	expect(readSince(tried, NOW)).toBe(NOW - 4);
	expect(readSince({ ...tried, lastTried: NOW - SURELY }, NOW)).toBe(-Infinity);
	expect(readSince({ ...tried, lastTried: null }, NOW)).toBe(-Infinity);
});

test('a brief is of the time of an order from its first try until the list surely shows its last one', () => {
	const order = { firstTried: NOW, lastTried: NOW + 3_600_000 };
	const last = order.lastTried + SURELY + CLOCK_DIFFERENCE_MS;
	const times = [NOW - CLOCK_DIFFERENCE_MS - 1, NOW - CLOCK_DIFFERENCE_MS, last, last + 1];
	expect(times.map((created) => isInTime(order, created))).toEqual([false, true, true, false]);
	expect(isInTime(NEVER, NOW)).toBe(false);
});

describe('an intent', () => {
	const intent = (ms: number, intents = 1) => ({ isIntended: true, lastTried: NOW - ms, intents });

	test('is fresh for a minute, by whatever clock', () => {
		expect(isIntentFresh(intent(SAME_TRY_MS - 1), NOW)).toBe(true);
		expect(isIntentFresh(intent(SAME_TRY_MS), NOW)).toBe(false);
		expect(isIntentFresh(intent(-SAME_TRY_MS), NOW)).toBe(false);
		expect(isIntentFresh(intent(SAME_TRY_MS - 1, 0), NOW)).toBe(true);
	});

	test('that was withdrawn or never made is not fresh', () => {
		expect(isIntentFresh({ ...intent(0), isIntended: false }, NOW)).toBe(false);
		expect(isIntentFresh({ ...intent(0), lastTried: null }, NOW)).toBe(false);
	});

	test('gets twice the time with each go, up to half of the list’s lag', () => {
		expect(isIntentFresh(intent(SAME_TRY_MS, 2), NOW)).toBe(true);
		expect(isIntentFresh(intent(2 * SAME_TRY_MS, 2), NOW)).toBe(false);
		expect(isIntentFresh(intent(LIST_LAG_MS / 2 - 1, 9), NOW)).toBe(true);
		expect(isIntentFresh(intent(LIST_LAG_MS / 2, 9), NOW)).toBe(false);
	});
});
