import { KEY_TRUSTED_MS, KEY_TRUSTED_UNSEEN_MS } from '../../../service/assumptions';
import { ServiceError, type ErrorKind } from '../../../service/api/errors';
import type { OperationId } from '../../../service/api/operations';
import { endOfWait, factsFor, whenAgain } from '../../../service/order/facts';
import { ALONE } from '../../../service/order/decide';
import { NEW_ORDER, type OrderState, type Wait } from '../../../service/order/life';
import { rig } from '../../support/service/rig';
import { anError } from '../../support/builders';
import { HOUR, MINUTE, SECOND } from '../../support/time';

type Rig = ReturnType<typeof rig>;

/** What holds for an order at this moment, in a process that keeps a record or in one that keeps none. */
function facts(all: Rig, order: Partial<OrderState> = {}, hasRecord = true) {
	const shell = { mayBeListed: () => false, circumstances: () => ALONE };
	const record = hasRecord ? { keep: () => Promise.resolve() } : {};
	return factsFor({ ...NEW_ORDER, ...order }, { ...shell, ...record }, all.tools, {});
}

/** In how many milliseconds a wait is over. */
const waitFor = (all: Rig, wait: Wait, order: Partial<OrderState> = {}) =>
	endOfWait(wait, { ...NEW_ORDER, ...order }, all.tools, {}) - all.clock.now();

describe('a look for the brief of an order', () => {
	const tried = (all: Rig, ms: number) => ({
		firstTried: { service: all.service.now() - ms, machine: all.clock.now() - ms },
	});
	const isDue = (ms: number, hasRecord: boolean) => {
		const all = rig();
		return facts(all, tried(all, ms), hasRecord).isLookDue;
	};

	test('is due before its key is sent again once that is not young any more, if there is a record', () => {
		expect(isDue(KEY_TRUSTED_UNSEEN_MS, true)).toBe(false);
		expect(isDue(KEY_TRUSTED_UNSEEN_MS + 1, true)).toBe(true);
		expect(isDue(KEY_TRUSTED_MS, true)).toBe(true);
	});

	test('is due only once its key is old if there is none, for others may order the same', () => {
		expect(isDue(KEY_TRUSTED_MS - 1, false)).toBe(false);
		expect(isDue(KEY_TRUSTED_MS, false)).toBe(true);
	});

	test('is fresh for fifteen seconds', () => {
		const all = rig();
		const looked = (ms: number) => facts(all, { lookedAt: all.clock.now() - ms }).isLookFresh;
		expect(looked(15 * SECOND)).toBe(true);
		expect(looked(15 * SECOND + 1)).toBe(false);
	});
});

test('a slot is fresh for fifteen seconds, and twice as long each time that one was given back', () => {
	const all = rig();
	const isFresh = (ms: number, staleSlots: number) =>
		facts(all, { slotSince: all.clock.now() - ms, staleSlots }).isSlotFresh;
	expect([isFresh(15 * SECOND, 0), isFresh(15 * SECOND + 1, 0)]).toEqual([true, false]);
	expect([isFresh(30 * SECOND, 1), isFresh(30 * SECOND + 1, 1)]).toEqual([true, false]);
	expect([isFresh(60 * SECOND, 2), isFresh(60 * SECOND + 1, 2)]).toEqual([true, false]);
});

describe('a declared rate limit', () => {
	test('is short up to an hour', async () => {
		const all = rig();
		expect(facts(all).rateLimit).toBe('none');
		await all.meetLimit(3600);
		expect(facts(all).rateLimit).toBe('short');
		await all.clock.pass(HOUR);
		expect(facts(all).rateLimit).toBe('none');
		await all.meetLimit(3601);
		expect(facts(all).rateLimit).toBe('long');
	});

	test('is waited for until it ends, and not at all once it has', async () => {
		const all = rig();
		await all.meetLimit(90);
		expect(waitFor(all, 'rate_limit')).toBe(90 * SECOND);
		await all.clock.pass(90 * SECOND);
		expect(waitFor(all, 'rate_limit')).toBe(0);
	});
});

test('the turn of a month is over two minutes after it', () => {
	const all = rig();
	all.clock.set(Date.UTC(2027, 0, 1) - MINUTE);
	expect(facts(all).isMonthTurning).toBe(true);
	expect(waitFor(all, 'month_turn')).toBe(3 * MINUTE);
	expect(facts(all, {}, false).isMonthTurning).toBe(false);
});

describe('an order', () => {
	test('that was not answered has nothing to wait for, and is not sent again for an answer', () => {
		const all = rig();
		expect(facts(all).again).toBe('never');
		expect(waitFor(all, 'retry')).toBe(0);
	});
});

describe('after an answer without a brief', () => {
	const NOW = 1_000_000;
	const errorOf = (
		kind: ErrorKind,
		retryAt: number | null = null,
		operation: OperationId = 'create_brief',
	) => anError(kind, { operation, status: 429, retryAt });
	const tries = { failures: 1, rateLimits: 1, since: NOW };
	const again = (
		error: ServiceError,
		facts: object = {},
		bounds: Partial<Parameters<typeof whenAgain>[2]> = {},
	) =>
		whenAgain(error, { tries, slotRefusals: 1, inDoubt: false, ...facts }, { now: NOW, ...bounds });

	describe('after a refusal for want of a slot', () => {
		test('named for longer than an hour, it is reported and not waited for', () => {
			expect(again(errorOf('slots_busy', NOW + 3_600_000)).how).toBe('with_another_slot');
			expect(again(errorOf('slots_busy', NOW + 3_600_001))).toEqual({ how: 'never' });
		});
	});

	describe('the slot', () => {
		const limited = (seconds: number) => errorOf('rate_limited', NOW + seconds * SECOND);

		test('is kept over a wait as short as that between two looks, and given back over a longer one', () => {
			expect(again(limited(15))).toEqual({ how: 'with_this_slot', at: NOW + 15 * SECOND });
			expect(again(limited(15.001))).toEqual({ how: 'with_another_slot', at: NOW + 15_001 });
		});
	});

	describe('the create is never sent again', () => {
		test('if the time comes after the deadline', () => {
			const limited = errorOf('rate_limited', NOW + 10 * SECOND);
			expect(again(limited, {}, { deadline: NOW + 10 * SECOND }).how).toBe('with_this_slot');
			expect(again(limited, {}, { deadline: NOW + 10 * SECOND - 1 })).toEqual({ how: 'never' });
		});

		test('if it was the look for a slot that failed', () => {
			expect(again(errorOf('service_unavailable', null, 'list_briefs'))).toEqual({ how: 'never' });
		});
	});
});
