import type { BriefInput } from '../../../core/api/types';
import { toContentId } from '../../../core/input/content';
import {
	decideAnswer,
	decideOrder,
	type Decision,
	type OrderRequest,
	type Policy,
} from '../../../core/orders/decide-order';
import type { Order, Superseded } from '../../../core/orders/order';
import {
	BAKERS,
	makeBrief,
	makeFacts,
	makeOrder,
	makeRejected,
	makeSettled,
	makeUnconfirmed,
	NOW,
	type BriefFacts,
	type Situation,
} from '../support/facts';
import { USE } from '../support/orders';
import { DAY, HOUR, MINUTE } from '../../support/time';

const COOKS: BriefInput = { product_name: 'Mug', audience: 'Cooks' };
const SPELLED: BriefInput = { product_name: 'Mug', audience: 'BAKERS' };

const USES = USE;
const RETRIES: Policy = { ...USE, wish: 'retry_failed' };
const REORDERS: Policy = { ...USE, wish: 'reorder' };
const DOES_NOT_SEND: Policy = { ...USE, canResend: false };
const hasSeen = (ids: string, policy = USE): Policy => ({ ...policy, seen: new Set(ids) });

const GOOD: BriefFacts = { id: 'A' };
const FAILED: BriefFacts = { id: 'A', status: 'failed' };
const RUNNING: BriefFacts = { id: 'A', status: 'writing', age: 5 * MINUTE };
const HIDDEN: BriefFacts = { id: 'H', shows: {} };
const OTHER: BriefFacts = { id: 'O', shows: COOKS };

function makeRequest(
	order: Order | null,
	policy: Policy,
	{ input = BAKERS, comparedLater = '' }: { input?: BriefInput; comparedLater?: string } = {},
): OrderRequest {
	const contentId = toContentId(input);
	return { input, contentId, order, policy, comparedLater: new Set(comparedLater) };
}

/** Decides about the input of `order`, or about the usual input before anything is decided. */
function decide(order: Order | null, policy: Policy, situation: Situation): string {
	const request = makeRequest(order, policy, { input: order?.input ?? BAKERS });
	return summarize(decideOrder(request, makeFacts(situation)));
}

/** Returns a decision in words. */
function summarize(decision: Decision): string {
	switch (decision.kind) {
		case 'use':
			return `use ${decision.brief.id}, ${decision.source}`;
		case 'failed':
			return `failed: ${decision.reason}`;
		case 'ask':
			return `ask about ${decision.briefIds.join(' ')}`;
		case 'send':
			return decision.order.state.kind === 'unconfirmed'
				? 'send again'
				: `send, supersedes ${describeSuperseded(decision.order.supersedes)}`;
		default:
			return decision.kind;
	}
}

function describeSuperseded(superseded: Superseded): string {
	return superseded.kind === 'brief' ? superseded.id : superseded.kind;
}

/** Returns the briefs that a new order has passed over. */
function findShown(policy: Policy, situation: Situation, comparedLater = ''): string {
	const request = makeRequest(null, policy, { comparedLater });
	const decision = decideOrder(request, makeFacts(situation));
	if (decision.kind !== 'send') throw new Error(`not sent, but ${summarize(decision)}`);
	return [...decision.order.shown].sort().join('');
}

describe('before anything is decided', () => {
	test.each<[string, Policy, BriefFacts[], string]>([
		['nothing is listed', USES, [], 'send, supersedes nothing'],
		['a brief of the product has other content', USES, [OTHER], 'send, supersedes nothing'],
		['a brief of the content is listed', USES, [GOOD], 'use A, reused'],
		['a brief of the content is being written', USES, [RUNNING], 'use A, reused'],
		['a brief of the content has failed', USES, [FAILED], 'use A, reused'],
		[
			'several briefs of the content are listed',
			USES,
			[GOOD, { id: 'B', age: DAY }, { id: 'C', age: MINUTE, status: 'failed' }],
			'use B, reused',
		],
		[
			'all briefs of the content have failed',
			USES,
			[FAILED, { ...FAILED, id: 'B', age: DAY }],
			'use B, reused',
		],
		['a brief hides its input', USES, [HIDDEN], 'ask about H'],
		['a brief cannot be fetched', USES, [{ id: 'H', shows: null }], 'ask about H'],
		['one brief hides its input, and another does not', USES, [HIDDEN, GOOD], 'use A, reused'],
		['the user has seen the hidden brief', hasSeen('H'), [HIDDEN], 'send, supersedes nothing'],
		[
			'the user has seen one of two hidden briefs',
			hasSeen('H'),
			[HIDDEN, { ...HIDDEN, id: 'I', age: DAY }],
			'ask about I H',
		],
		// retry, and Use It Unless It Failed.
		['retry: a good brief is listed', RETRIES, [GOOD], 'use A, reused'],
		['retry: a brief is being written', RETRIES, [RUNNING], 'use A, reused'],
		['retry: a brief has failed', RETRIES, [FAILED], 'send, supersedes A'],
		['retry: nothing is listed', RETRIES, [], 'send, supersedes nothing'],
		[
			'retry: two briefs have failed',
			RETRIES,
			[
				{ ...FAILED, age: DAY },
				{ ...FAILED, id: 'B' },
			],
			'send, supersedes A',
		],
		[
			'retry: the times of two failed briefs are equal',
			RETRIES,
			[FAILED, { ...FAILED, id: 'B' }],
			'send, supersedes B',
		],
		[
			'retry: the time of a failed brief cannot be read',
			RETRIES,
			[
				{ ...FAILED, created_at: 'soon' },
				{ ...FAILED, id: 'B', age: 0 },
			],
			'send, supersedes A',
		],
		[
			'retry: three briefs have failed',
			RETRIES,
			[FAILED, { ...FAILED, id: 'B' }, { ...FAILED, id: 'C' }],
			'failed: three_failed_briefs',
		],
		[
			'retry: one of three failed more than 90 days ago',
			RETRIES,
			[FAILED, { ...FAILED, id: 'B' }, { ...FAILED, id: 'C', age: 91 * DAY }],
			'send, supersedes B',
		],
		['retry: a brief hides its input', RETRIES, [FAILED, HIDDEN], 'ask about H'],
	])('%s', (_title, policy, listed, expected) => {
		expect(decide(null, policy, { listed })).toBe(expected);
	});

	test('a brief of another order with the content is used, whatever it shows', () => {
		const orders = [makeSettled({ id: 'O' }, { input: SPELLED })];
		expect(decide(null, USES, { listed: [OTHER], orders })).toBe('use O, reused');
	});

	test('a brief of an order with other content is not used, whatever it shows', () => {
		const orders = [makeSettled({ id: 'A' }, { input: COOKS })];
		expect(decide(null, USES, { listed: [GOOD], orders })).toBe('send, supersedes nothing');
	});

	test('a brief of an order with the content is used although the list does not show it', () => {
		expect(decide(null, USES, { orders: [makeSettled({ id: 'A' })] })).toBe('use A, reused');
	});
});

describe('outside Reuse Within', () => {
	const within = (days: number, wish: Policy['wish'] = 'use'): Policy => ({
		...USE,
		wish,
		reuseWithinMs: days * DAY,
	});

	test.each<[string, Policy, BriefFacts[], string]>([
		['the newest brief is superseded', within(5), [GOOD], 'send, supersedes A'],
		['a failed brief is superseded', within(5), [FAILED], 'send, supersedes A'],
		['a younger brief is used', within(5), [GOOD, { id: 'B', age: 4 * DAY }], 'use B, reused'],
		[
			'a younger failed brief is used',
			within(5),
			[GOOD, { ...FAILED, id: 'B', age: 4 * DAY }],
			'use B, reused',
		],
		[
			'a younger failed brief is superseded by retry',
			within(5, 'retry_failed'),
			[GOOD, { ...FAILED, id: 'B', age: 4 * DAY }],
			'send, supersedes B',
		],
		[
			'a brief without a readable time is used',
			within(5),
			[{ ...GOOD, created_at: '?' }],
			'use A, reused',
		],
		[
			'three failed briefs stop the order',
			within(5),
			[FAILED, { ...FAILED, id: 'B' }, { ...FAILED, id: 'C' }],
			'failed: three_failed_briefs',
		],
	])('%s', (_title, policy, listed, expected) => {
		expect(decide(null, policy, { listed })).toBe(expected);
	});
});

describe('a brief that this execution has ordered', () => {
	const hasOrdered = (ids: string, policy: Policy): Policy => ({
		...policy,
		resultsOfExecution: new Set(ids),
	});

	test.each<[string, Policy, BriefFacts[], string]>([
		['is the result although it failed', RETRIES, [FAILED], 'use A, reused'],
		['is the result although it is old', { ...USE, reuseWithinMs: 0 }, [GOOD], 'use A, reused'],
		['is the result although a good brief is listed', USES, [FAILED, { id: 'B' }], 'use A, reused'],
		[
			'with other content is no result',
			RETRIES,
			[{ ...FAILED, shows: COOKS }],
			'send, supersedes nothing',
		],
	])('%s', (_title, policy, listed, expected) => {
		expect(decide(null, hasOrdered('A', policy), { listed })).toBe(expected);
	});
});

describe('an order that has its brief', () => {
	const readyOrder = makeSettled(GOOD);
	const failedOrder = makeSettled(FAILED, { shown: ['S'] });
	const APPEARED: BriefFacts = { id: 'B', age: DAY };
	const SUPERSEDED: BriefFacts = { id: 'S', age: 20 * DAY };

	test.each<[string, Order, Policy, BriefFacts[], string]>([
		['keeps it', readyOrder, USES, [GOOD], 'keep'],
		['keeps it if the list does not show it', readyOrder, USES, [], 'keep'],
		['keeps it although a newer brief is listed', readyOrder, USES, [GOOD, APPEARED], 'keep'],
		['keeps it when ready rows are retried', readyOrder, RETRIES, [GOOD], 'keep'],
		['keeps it while it is being written', makeSettled(RUNNING), RETRIES, [RUNNING], 'keep'],
		['has failed with it', failedOrder, USES, [FAILED], 'failed: brief_failed'],
		['has failed by the newest status', readyOrder, USES, [FAILED], 'failed: brief_failed'],
		['has not failed by the newest status', failedOrder, USES, [GOOD], 'keep'],
		['has failed with a brief that is not listed', failedOrder, USES, [], 'failed: brief_failed'],
		[
			'takes a good brief that has appeared',
			failedOrder,
			USES,
			[FAILED, APPEARED],
			'use B, reused',
		],
		[
			'takes no failed brief that has appeared',
			failedOrder,
			USES,
			[FAILED, { ...APPEARED, status: 'failed' }],
			'failed: brief_failed',
		],
		[
			'never goes back to a good brief that it was to replace',
			failedOrder,
			USES,
			[FAILED, SUPERSEDED],
			'failed: brief_failed',
		],
		[
			'asks about no hidden brief, because it orders nothing',
			failedOrder,
			USES,
			[FAILED, HIDDEN],
			'failed: brief_failed',
		],
		['is retried', failedOrder, RETRIES, [FAILED], 'send, supersedes A'],
		['is retried with a good brief', failedOrder, RETRIES, [FAILED, APPEARED], 'use B, reused'],
		[
			'is retried without the brief that it was to replace',
			failedOrder,
			RETRIES,
			[FAILED, SUPERSEDED],
			'send, supersedes A',
		],
		[
			'is retried after a newer failed brief',
			failedOrder,
			RETRIES,
			[FAILED, { ...APPEARED, status: 'failed' }],
			'send, supersedes B',
		],
		['is retried after a question', failedOrder, RETRIES, [FAILED, HIDDEN], 'ask about H'],
		[
			'is retried three times at most',
			failedOrder,
			RETRIES,
			[FAILED, { ...FAILED, id: 'B' }, { ...FAILED, id: 'C' }],
			'failed: three_failed_briefs',
		],
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
		expect(decide(order, RETRIES, situation)).toBe(`send, supersedes ${expected}`);
	});
});

describe('reorder', () => {
	const order = makeSettled(GOOD);

	test.each<[string, Order | null, BriefFacts[], string]>([
		['supersedes the newest brief', order, [GOOD, { id: 'B', age: 2 * DAY }], 'send, supersedes B'],
		['supersedes a failed brief', makeSettled(FAILED), [FAILED], 'send, supersedes A'],
		[
			'supersedes the newest brief although three have failed',
			makeSettled(FAILED),
			[FAILED, { ...FAILED, id: 'B' }, { ...FAILED, id: 'C' }],
			'send, supersedes C',
		],
		['of a new row supersedes the brief that is listed', null, [GOOD], 'send, supersedes A'],
		[
			'goes back to a brief that its order was to replace, if it is recent',
			makeSettled(FAILED, { shown: ['B'] }),
			[FAILED, { id: 'B', age: HOUR }],
			'use B, reused',
		],
		// Recently ordered.
		['uses a brief that is being written', order, [GOOD, { ...RUNNING, id: 'B' }], 'use B, reused'],
		[
			'uses a brief that is being written whose time cannot be read',
			order,
			[GOOD, { ...RUNNING, id: 'B', created_at: '?' }],
			'use B, reused',
		],
		[
			'uses a brief of the last 24 hours',
			order,
			[GOOD, { id: 'B', age: 23 * HOUR }],
			'use B, reused',
		],
		['uses no older brief', order, [GOOD, { id: 'B', age: 25 * HOUR }], 'send, supersedes B'],
		[
			'uses no ready brief whose time cannot be read',
			order,
			[GOOD, { id: 'B', created_at: '?' }],
			'send, supersedes B',
		],
		[
			'uses no failed brief',
			makeSettled({ ...FAILED, age: HOUR }),
			[{ ...FAILED, age: HOUR }],
			'send, supersedes A',
		],
		[
			'uses a brief that has been written for a day',
			order,
			[GOOD, { ...RUNNING, id: 'B', age: 25 * HOUR }],
			'use B, reused',
		],
		// Briefs that hide their input.
		['asks about a hidden brief', order, [GOOD, HIDDEN], 'ask about H'],
	])('%s', (_title, before, listed, expected) => {
		const orders = before === null ? [] : [before];
		expect(decide(before, REORDERS, { listed, orders })).toBe(expected);
	});

	test('uses no brief that is late or missing, as the user was told', () => {
		const listed = [{ ...RUNNING, id: 'B', age: HOUR }, GOOD];
		const situation = { listed, orders: [order], givenUp: ['B'] };
		expect(decide(order, REORDERS, situation)).toBe('send, supersedes B');
	});

	test('passes over the hidden briefs that the user has seen, and over no others', () => {
		const listed = [GOOD, HIDDEN, { ...HIDDEN, id: 'I' }];
		const situation = { listed, orders: [order] };
		expect(decide(order, hasSeen('H', REORDERS), situation)).toBe('ask about I H');
		expect(decide(order, hasSeen('HI', REORDERS), situation)).toBe('send, supersedes A');
	});

	test.each([
		[DAY, 'use A, reused'],
		[DAY + 1, 'send, supersedes A'],
	])('uses a brief whose order was last sent %i ms ago: %s', (age, expected) => {
		const lastRequests = { A: NOW - age };
		for (const created_at of ['?', new Date(NOW - 40 * DAY).toISOString()]) {
			const situation = { listed: [{ ...GOOD, created_at }], orders: [order], lastRequests };
			expect(decide(order, REORDERS, situation)).toBe(expected);
		}
	});

	test('uses a recent brief whose order was last sent long ago', () => {
		const listed = [{ ...GOOD, age: HOUR }];
		const situation = { listed, orders: [order], lastRequests: { A: NOW - 10 * DAY } };
		expect(decide(order, REORDERS, situation)).toBe('use A, reused');
	});

	test('asks about no brief that the row has already', () => {
		const given = makeSettled(HIDDEN, { source: 'given' });
		expect(decide(given, REORDERS, { listed: [HIDDEN], orders: [given] })).toBe(
			'send, supersedes H',
		);
	});
});

describe('a rejected order', () => {
	const rejected = makeRejected({ supersedes: { kind: 'brief', id: 'S' } });

	test.each<[string, Policy, BriefFacts[], string]>([
		['has failed', USES, [], 'failed: rejected'],
		['has failed although a brief has appeared', USES, [GOOD], 'failed: rejected'],
		['sends its key again when it is retried', RETRIES, [], 'send, supersedes S'],
		['sends its key again although a brief has failed', RETRIES, [FAILED], 'send, supersedes S'],
		['uses a good brief when it is retried', RETRIES, [GOOD], 'use A, reused'],
		['is superseded when it is reordered', REORDERS, [], 'send, supersedes rejected_order'],
		[
			'is superseded although a brief is listed',
			REORDERS,
			[GOOD],
			'send, supersedes rejected_order',
		],
	])('%s', (_title, policy, listed, expected) => {
		expect(decide(rejected, policy, { listed })).toBe(expected);
	});

	test('with this key is sent again when it is retried', () => {
		const decision = decideOrder(makeRequest(rejected, RETRIES), makeFacts({}));
		expect(decision).toMatchObject({ kind: 'send', order: { key: rejected.key } });
	});

	test('is superseded by its key, whatever the sequence of its fields', () => {
		const { product_name, audience } = BAKERS;
		const request = makeRequest(rejected, REORDERS, { input: { audience, product_name } });
		const supersedes = { kind: 'rejected_order', key: rejected.key };
		const decision = decideOrder(request, makeFacts({}));
		expect(decision).toMatchObject({ kind: 'send', order: { supersedes } });
	});

	test('with another body is not superseded', () => {
		const request = makeRequest(rejected, REORDERS, { input: SPELLED });
		const decision = decideOrder(request, makeFacts({ listed: [GOOD] }));
		expect(summarize(decision)).toBe('send, supersedes A');
	});
});

describe('a draft in its turn', () => {
	const draft = makeOrder({ shown: ['S', 'T'] });
	const BEFORE: BriefFacts[] = [{ id: 'S' }, { id: 'T', shows: {} }];

	test.each<[string, Policy, BriefFacts[], string]>([
		['is sent if nothing has appeared', USES, BEFORE, 'send, supersedes nothing'],
		['uses a brief that has appeared', USES, [...BEFORE, GOOD], 'use A, reused'],
		['uses a failed brief that has appeared', RETRIES, [...BEFORE, FAILED], 'use A, reused'],
		['uses a brief that has appeared when reordered', REORDERS, [...BEFORE, GOOD], 'use A, reused'],
		['asks about a hidden brief that has appeared', USES, [...BEFORE, HIDDEN], 'ask about H'],
		[
			'asks about a hidden brief that has appeared after the user has seen another',
			hasSeen('T', REORDERS),
			[...BEFORE, HIDDEN],
			'ask about H',
		],
		[
			'is sent if the user has seen the brief',
			hasSeen('H'),
			[...BEFORE, HIDDEN],
			'send, supersedes nothing',
		],
	])('%s', (_title, policy, listed, expected) => {
		expect(decide(draft, policy, { listed })).toBe(expected);
	});

	test('adds the briefs of the product that it passes over to those that were listed', () => {
		const listed = [...BEFORE, OTHER, HIDDEN, { id: 'P' }];
		const orders = [makeSettled({ id: 'P' }, { input: COOKS })];
		const request = makeRequest(draft, hasSeen('H'));
		const decision = decideOrder(request, makeFacts({ listed, orders }));
		const shown = decision.kind === 'send' ? [...decision.order.shown].sort() : [];
		expect(shown).toEqual(['H', 'O', 'S', 'T']);
	});
});

describe('an unconfirmed order', () => {
	const young = makeUnconfirmed(20, 20);
	const justSent = makeUnconfirmed(5, 5);
	const old = makeUnconfirmed(70, 70);
	const oldAndBehind = makeUnconfirmed(70, 5);
	const refused = makeUnconfirmed(20, 20, { isRefused: true });
	const refusedJustNow = makeUnconfirmed(5, 5, { isRefused: true });

	test.each<[string, Order, Policy, BriefFacts[], string]>([
		['is sent again while its key is young', young, USES, [], 'send again'],
		['has the brief that the list shows', young, USES, [GOOD], 'use A, own'],
		['has the brief that the list shows at once', justSent, USES, [GOOD], 'use A, own'],
		['has a failed brief twelve minutes later', young, USES, [FAILED], 'use A, own'],
		['is sent again before that, although a brief failed', justSent, USES, [FAILED], 'send again'],
		[
			'has no brief that was listed before',
			makeUnconfirmed(70, 70, { shown: ['A'] }),
			USES,
			[GOOD],
			'send again',
		],
		['is sent again although a hidden brief is listed', young, USES, [HIDDEN], 'send again'],
		['is sent again if it is old and nothing is listed', old, USES, [], 'send again'],
		['waits if it is old and the list can be behind', oldAndBehind, USES, [], 'wait'],
		['has its brief although the list can be behind', oldAndBehind, USES, [GOOD], 'use A, own'],
		[
			'waits although a brief failed, while the list can be behind',
			oldAndBehind,
			USES,
			[FAILED],
			'wait',
		],
		['asks about a hidden brief if it is old', old, USES, [HIDDEN], 'ask about H'],
		[
			'asks about every new brief of the product if it is old',
			old,
			USES,
			[OTHER, HIDDEN],
			'ask about O H',
		],
		[
			'is sent again if the user has seen these briefs',
			old,
			hasSeen('OH'),
			[OTHER, HIDDEN],
			'send again',
		],
		[
			'asks about all again if the user has seen one',
			old,
			hasSeen('O'),
			[OTHER, HIDDEN],
			'ask about O H',
		],
		['is sent again when it is reordered', young, REORDERS, [], 'send again'],
		['is sent again when it is retried', old, RETRIES, [], 'send again'],
		// A command that sends no order of an earlier command.
		['is dropped if it is not sent and nothing is listed', young, DOES_NOT_SEND, [], 'drop'],
		['is not dropped while the list can be behind', justSent, DOES_NOT_SEND, [], 'wait'],
		['is not dropped if a hidden brief is listed', young, DOES_NOT_SEND, [HIDDEN], 'ask about H'],
		['is not dropped if another brief is listed', young, DOES_NOT_SEND, [OTHER], 'ask about O'],
		['has its brief, whatever the command', justSent, DOES_NOT_SEND, [GOOD], 'use A, own'],
		// The service refuses the order now.
		['is rejected if it was refused and nothing is listed', refused, USES, [], 'failed: rejected'],
		['is not rejected while the list can be behind', refusedJustNow, USES, [], 'wait'],
		['is not rejected if a hidden brief is listed', refused, USES, [HIDDEN], 'ask about H'],
		['has its brief although it was refused', refused, USES, [GOOD], 'use A, own'],
		// A clock was set.
		['waits if its key seems to be sent in the future', makeUnconfirmed(-60, 5), USES, [], 'wait'],
	])('%s', (_title, order, policy, listed, expected) => {
		expect(decide(order, policy, { listed })).toBe(expected);
	});

	test('asks about no brief that another order owns', () => {
		const orders = [makeSettled({ id: 'O' }, { input: COOKS })];
		expect(decide(old, USES, { listed: [OTHER], orders })).toBe('send again');
	});

	test('reuses the brief of another order with its content', () => {
		const orders = [makeSettled({ id: 'A' }, { input: SPELLED })];
		expect(decide(old, USES, { listed: [GOOD], orders })).toBe('use A, reused');
	});

	test('has the brief of an order with its key', () => {
		expect(decide(old, USES, { listed: [GOOD], orders: [makeSettled(GOOD)] })).toBe('use A, own');
	});

	test('takes its brief back from an order that only reuses it', () => {
		const orders = [makeSettled(GOOD, { source: 'reused', input: SPELLED })];
		expect(decide(old, USES, { listed: [GOOD], orders })).toBe('use A, own');
	});

	test('has a brief that is found by its name alone without proof', () => {
		const input = { product_name: 'Mug' };
		const order = makeUnconfirmed(20, 20, { input });
		const listed = [{ id: 'A', shows: input }];
		expect(decide(order, USES, { listed })).toBe('use A, own_unproven');
		expect(decide(order, USES, { listed: [...listed, OTHER] })).toBe('use A, own');
	});

	test.each([
		[58, 0, 'wait'],
		[57.9, 0, 'send again'],
		[80, 12, 'send again'],
		[80, 11.9, 'wait'],
	])(
		'whose key was first sent %d and last sent %d minutes before the list was read: %s',
		(first, last, expected) => {
			const readAt = NOW - 5 * MINUTE;
			expect(decide(makeUnconfirmed(first + 5, last + 5), USES, { readAt })).toBe(expected);
		},
	);
});

describe('a new order', () => {
	test('has the briefs of the product that were listed, without those that other content has paid for', () => {
		const listed = [FAILED, OTHER, HIDDEN, { id: 'P' }, { id: 'Q', product_name: 'Pan' }];
		const orders = [makeSettled({ id: 'P' }, { input: COOKS })];
		expect(findShown(hasSeen('H', RETRIES), { listed, orders })).toBe('AHO');
	});

	test('has the own briefs of its content that the list does not show', () => {
		const orders = [makeSettled({ ...FAILED, age: DAY }), makeSettled({ ...FAILED, id: 'B' })];
		expect(findShown(RETRIES, { orders })).toBe('AB');
	});

	test('neither asks about nor passes over a hidden brief that is compared later', () => {
		const situation = { listed: [OTHER, HIDDEN] };
		expect(findShown(USES, situation, 'H')).toBe('O');
	});

	test('asks about the hidden briefs that are not compared later', () => {
		const request = makeRequest(null, USES, { comparedLater: 'H' });
		const facts = makeFacts({ listed: [HIDDEN, { ...HIDDEN, id: 'I' }] });
		expect(summarize(decideOrder(request, facts))).toBe('ask about I');
	});
});

describe('a brief that came back under the key', () => {
	/** Returns what the next order supersedes; null if the order uses the brief. */
	function decideAbout(brief: BriefFacts, policy: Policy, shown: readonly string[]): string | null {
		const order = makeUnconfirmed(0, 0, { shown });
		const request = { ...makeRequest(order, policy), order };
		const next = decideAnswer(request, makeBrief(brief), makeFacts({}));
		return next === null ? null : describeSuperseded(next);
	}

	test.each<[string, BriefFacts, Policy, readonly string[], string | null]>([
		['is used if it was not listed', FAILED, RETRIES, ['B'], null],
		['is used if it was listed, and is wanted', GOOD, USES, ['A'], null],
		['is used if it was listed and failed, and is wanted', FAILED, USES, ['A'], null],
		['is superseded if a retry was to replace it', FAILED, RETRIES, ['A'], 'A'],
		['is used by a retry if it did not fail', GOOD, RETRIES, ['A'], null],
		['is superseded if a reorder was to replace it', GOOD, REORDERS, ['A'], 'A'],
		['is used by a reorder if it is recent', { ...GOOD, age: HOUR }, REORDERS, ['A'], null],
		['is superseded outside Reuse Within', GOOD, { ...USE, reuseWithinMs: 5 * DAY }, ['A'], 'A'],
		[
			'is used if this execution has ordered it',
			FAILED,
			{ ...RETRIES, resultsOfExecution: new Set('A') },
			['A'],
			null,
		],
	])('%s', (_title, brief, policy, shown, expected) => {
		expect(decideAbout(brief, policy, shown)).toBe(expected);
	});
});
