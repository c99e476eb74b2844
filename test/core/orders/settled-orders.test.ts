import { decideOrder, type Policy } from '../../../core/orders/decide-order';
import type { Order } from '../../../core/orders/order';
import { BAKERS, makeFacts, makeRejected, makeSettled, type BriefFacts } from '../support/facts';
import {
	decide,
	FAILED,
	FAILED_B,
	GOOD,
	HIDDEN,
	makeRequest,
	OTHER,
	REORDER,
	RETRY,
	RUNNING,
	SPELLED,
	summarize,
	THREE_FAILED,
} from '../support/decisions';
import { USE } from '../support/orders';
import { DAY } from '../../support/time';

/** Orders that have a brief or were rejected. Reorders are in reorder.test.ts. */

describe('an order that has its brief', () => {
	const ready = makeSettled(GOOD);
	const failed = makeSettled(FAILED, { shown: ['S'] });
	const APPEARED: BriefFacts = { id: 'B', age: DAY };
	const REPLACED: BriefFacts = { id: 'S', age: 20 * DAY };

	test.each<[string, Order, Policy, BriefFacts[], string]>([
		['keeps it', ready, USE, [GOOD], 'keep'],
		['keeps it if the list does not show it', ready, USE, [], 'keep'],
		['keeps it although a newer brief is listed', ready, USE, [GOOD, APPEARED], 'keep'],
		['keeps it when ready rows are retried', ready, RETRY, [GOOD], 'keep'],
		['keeps it while it is being written', makeSettled(RUNNING), RETRY, [RUNNING], 'keep'],
		['has failed with it', failed, USE, [FAILED], 'failed: brief_failed'],
		['has failed by the newest status', ready, USE, [FAILED], 'failed: brief_failed'],
		['has not failed by the newest status', failed, USE, [GOOD], 'keep'],
		['has failed with a brief that is not listed', failed, USE, [], 'failed: brief_failed'],
		['takes a good brief that has appeared', failed, USE, [FAILED, APPEARED], 'use B, reused'],
		['takes no failed brief', failed, USE, [FAILED, FAILED_B], 'failed: brief_failed'],
		[
			'takes no brief that it has replaced',
			failed,
			USE,
			[FAILED, REPLACED],
			'failed: brief_failed',
		],
		[
			'does not ask, because it orders nothing',
			failed,
			USE,
			[FAILED, HIDDEN],
			'failed: brief_failed',
		],
		['supersedes it by retry', failed, RETRY, [FAILED], 'send, supersedes A'],
		['takes a good brief by retry', failed, RETRY, [FAILED, APPEARED], 'use B, reused'],
		['takes no replaced brief by retry', failed, RETRY, [FAILED, REPLACED], 'send, supersedes A'],
		[
			'supersedes a newer failed brief by retry',
			failed,
			RETRY,
			[FAILED, FAILED_B],
			'send, supersedes B',
		],
		['asks by retry', failed, RETRY, [FAILED, HIDDEN], 'ask about H'],
		['is retried three times at most', failed, RETRY, THREE_FAILED, 'failed: three_failed_briefs'],
	])('%s', (_title, order, policy, listed, expected) => {
		expect(decide(order, policy, { listed, orders: [order] })).toBe(expected);
	});

	test.each([
		[DAY, 'O'],
		[20 * DAY, 'A'],
	])('that was given %i ms ago can supersede it, whatever it shows: %s', (age, expected) => {
		const given: BriefFacts = { ...OTHER, status: 'failed', age };
		const order = makeSettled(given, { source: 'given' });
		const situation = { listed: [given, FAILED], orders: [order] };
		expect(decide(order, RETRY, situation)).toBe(`send, supersedes ${expected}`);
	});
});

describe('a rejected order', () => {
	const rejected = makeRejected({ supersedes: { kind: 'brief', id: 'S' } });

	test.each<[string, Policy, BriefFacts[], string]>([
		['has failed', USE, [], 'failed: rejected'],
		['has failed although a brief has appeared', USE, [GOOD], 'failed: rejected'],
		[
			'supersedes the same by retry, although a brief failed',
			RETRY,
			[FAILED],
			'send, supersedes S',
		],
		['uses a good brief by retry', RETRY, [GOOD], 'use A, reused'],
		['is superseded by reorder', REORDER, [GOOD], 'send, supersedes rejected_order'],
	])('%s', (_title, policy, listed, expected) => {
		expect(decide(rejected, policy, { listed })).toBe(expected);
	});

	test('sends its key again by retry', () => {
		const decision = decideOrder(makeRequest(rejected, RETRY), makeFacts({}));
		expect(decision).toMatchObject({ kind: 'send', order: { key: rejected.key } });
	});

	test('is superseded by its key, whatever the sequence of its fields', () => {
		const { product_name, audience } = BAKERS;
		const request = makeRequest(rejected, REORDER, { audience, product_name });
		const supersedes = { kind: 'rejected_order', key: rejected.key };
		const decision = decideOrder(request, makeFacts({}));
		expect(decision).toMatchObject({ kind: 'send', order: { supersedes } });
	});

	test('with another body is not superseded', () => {
		const request = makeRequest(rejected, REORDER, SPELLED);
		const decision = decideOrder(request, makeFacts({ listed: [GOOD] }));
		expect(summarize(decision)).toBe('send, supersedes A');
	});
});
