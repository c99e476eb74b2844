import type { Policy } from '../../../core/orders/decide-order';
import type { Order } from '../../../core/orders/order';
import { makeSettled, makeUnconfirmed, NOW, type BriefFacts } from '../support/facts';
import {
	decide,
	FAILED,
	GOOD,
	hasSeen,
	HIDDEN,
	OTHER,
	REORDER,
	RETRY,
	SPELLED,
} from '../support/decisions';
import { USE } from '../support/orders';
import { MINUTE } from '../../support/time';

/** Orders that might have created a brief. What is sent with an old key is in old-keys.test.ts. */

const young = makeUnconfirmed(20, 20);
const justSent = makeUnconfirmed(5, 5);
const old = makeUnconfirmed(70, 70);
const oldAndBehind = makeUnconfirmed(70, 5);
const replacing = makeUnconfirmed(70, 70, { shown: ['A'] });
const refused = makeUnconfirmed(20, 20, { isRefused: true });
const refusedJustNow = makeUnconfirmed(5, 5, { isRefused: true });
const SENDS_NONE: Policy = { ...USE, canResend: false };

test.each<[string, Order, Policy, BriefFacts[], string]>([
	['has the brief that the list shows', justSent, USE, [GOOD], 'use A, own'],
	['has a failed brief twelve minutes later', young, USE, [FAILED], 'use A, own'],
	['is sent again before that, although a brief failed', justSent, USE, [FAILED], 'send again'],
	['has no brief that was listed before', replacing, USE, [GOOD], 'send again'],
	['is sent again although a hidden brief is listed', young, USE, [HIDDEN], 'send again'],
	['is sent again when it is reordered', young, REORDER, [], 'send again'],
	// With an old key.
	['is sent again if nothing is listed', old, USE, [], 'send again'],
	['is sent again when it is retried', old, RETRY, [], 'send again'],
	['waits if the list can be behind', oldAndBehind, USE, [], 'wait'],
	['waits for a good brief if the list can be behind', oldAndBehind, USE, [FAILED], 'wait'],
	['has its brief although the list can be behind', oldAndBehind, USE, [GOOD], 'use A, own'],
	['waits if its key was sent in the future', makeUnconfirmed(-60, 5), USE, [], 'wait'],
	['asks about each new brief of the product', old, USE, [OTHER, HIDDEN], 'ask about O H'],
	['asks about all if the user has seen one', old, hasSeen('O'), [OTHER, HIDDEN], 'ask about O H'],
	['is sent again if the user has seen all', old, hasSeen('OH'), [OTHER, HIDDEN], 'send again'],
	// By a command that sends no order of an earlier command.
	['is dropped if nothing is listed', young, SENDS_NONE, [], 'drop'],
	['is not dropped while the list can be behind', justSent, SENDS_NONE, [], 'wait'],
	['is not dropped if another brief is listed', young, SENDS_NONE, [OTHER], 'ask about O'],
	['has its brief, whatever the command', justSent, SENDS_NONE, [GOOD], 'use A, own'],
	// The service refuses the order now.
	['is rejected if it was refused and nothing is listed', refused, USE, [], 'failed: rejected'],
	['is not rejected while the list can be behind', refusedJustNow, USE, [], 'wait'],
	['is not rejected if a hidden brief is listed', refused, USE, [HIDDEN], 'ask about H'],
	['has its brief although it was refused', refused, USE, [GOOD], 'use A, own'],
])('an unconfirmed order %s', (_title, order, policy, listed, expected) => {
	expect(decide(order, policy, { listed })).toBe(expected);
});

test.each<[string, BriefFacts, Order, string]>([
	[
		'reuses the brief of another with its content',
		GOOD,
		makeSettled(GOOD, { input: SPELLED }),
		'use A, reused',
	],
	['has the brief of an order with its key', GOOD, makeSettled(GOOD), 'use A, own'],
	[
		'takes its brief back from an order that reuses it',
		GOOD,
		makeSettled(GOOD, { source: 'reused', input: SPELLED }),
		'use A, own',
	],
])('an unconfirmed order %s', (_title, listed, other, expected) => {
	expect(decide(old, USE, { listed: [listed], orders: [other] })).toBe(expected);
});

test('an unconfirmed order has a brief that is found by its name alone without proof', () => {
	const input = { product_name: 'Mug', audience: ' ' };
	const order = makeUnconfirmed(20, 20, { input });
	const listed = [{ id: 'A', shows: { product_name: 'Mug' } }];
	expect(decide(order, USE, { listed })).toBe('use A, own_unproven');
	expect(decide(order, USE, { listed: [...listed, OTHER] })).toBe('use A, own');
});

test('an unconfirmed order has a brief that shows its fields under other names with proof', () => {
	const listed = [{ id: 'A', shows: { title: 'Mug', people: 'Bakers' } }];
	expect(decide(young, USE, { listed })).toBe('use A, own');
});

test.each([
	[57, 0, 'send again'],
	[80, 11, 'wait'],
])(
	'an order first sent %d and last sent %d minutes before the list was read: %s',
	(first, last, expected) => {
		const readAt = NOW - 5 * MINUTE;
		expect(decide(makeUnconfirmed(first + 5, last + 5), USE, { readAt })).toBe(expected);
	},
);
