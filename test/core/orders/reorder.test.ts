import type { Order } from '../../../core/orders/order';
import { makeSettled, NOW, type BriefFacts } from '../support/facts';
import {
	decide,
	FAILED,
	GOOD,
	hasSeen,
	HIDDEN,
	HIDDEN_2,
	REORDER,
	RUNNING,
	THREE_FAILED,
} from '../support/decisions';
import { DAY, HOUR } from '../../support/time';

/** A reorder uses a brief that was ordered recently, so that an interrupted command can be typed again. */

const ready = makeSettled(GOOD);
const failed = makeSettled(FAILED, { shown: ['B'] });

test.each<[string, Order | null, BriefFacts[], string]>([
	['supersedes the newest brief', ready, [GOOD, { id: 'B', age: 2 * DAY }], 'send, supersedes B'],
	['supersedes a failed brief', failed, [{ ...FAILED, age: HOUR }], 'send, supersedes A'],
	['supersedes the newest of three failed briefs', failed, THREE_FAILED, 'send, supersedes C'],
	['of a new row supersedes the brief that is listed', null, [GOOD], 'send, supersedes A'],
	[
		'uses a recent brief that was replaced',
		failed,
		[FAILED, { id: 'B', age: HOUR }],
		'use B, reused',
	],
	['uses a brief of the last day', ready, [GOOD, { id: 'B', age: 23 * HOUR }], 'use B, reused'],
	['uses no older brief', ready, [GOOD, { id: 'B', age: 25 * HOUR }], 'send, supersedes B'],
	['uses no brief of unknown age', ready, [{ ...GOOD, created_at: '?' }], 'send, supersedes A'],
	['uses a running brief', ready, [{ ...RUNNING, age: 25 * HOUR }], 'use A, reused'],
	[
		'uses a running brief of unknown age',
		ready,
		[{ ...RUNNING, created_at: '?' }],
		'use A, reused',
	],
	['asks about a hidden brief', ready, [GOOD, HIDDEN], 'ask about H'],
])('a reorder %s', (_title, order, listed, expected) => {
	const orders = order === null ? [] : [order];
	expect(decide(order, REORDER, { listed, orders })).toBe(expected);
});

test('a reorder uses no brief that is late or missing, as the user was told', () => {
	const listed = [{ ...RUNNING, id: 'B' }, GOOD];
	const situation = { listed, orders: [ready], givenUp: ['B'] };
	expect(decide(ready, REORDER, situation)).toBe('send, supersedes B');
});

test('a reorder passes over the hidden briefs that the user has seen, and over no others', () => {
	const situation = { listed: [GOOD, HIDDEN, HIDDEN_2], orders: [ready] };
	expect(decide(ready, hasSeen('H', REORDER), situation)).toBe('ask about I H');
	expect(decide(ready, hasSeen('HI', REORDER), situation)).toBe('send, supersedes A');
});

test('a reorder asks about no brief that the row has already', () => {
	const given = makeSettled(HIDDEN, { source: 'given' });
	const situation = { listed: [HIDDEN], orders: [given] };
	expect(decide(given, REORDER, situation)).toBe('send, supersedes H');
});

test.each([
	[DAY, 'use A, reused'],
	[DAY + 1, 'send, supersedes A'],
])('a reorder of a brief whose order was last sent %i ms ago: %s', (age, expected) => {
	const lastRequests = { A: NOW - age };
	for (const created_at of ['?', new Date(NOW - 40 * DAY).toISOString()]) {
		const situation = { listed: [{ ...GOOD, created_at }], orders: [ready], lastRequests };
		expect(decide(ready, REORDER, situation)).toBe(expected);
	}
});

test('a reorder uses a recent brief whose order was last sent long ago', () => {
	const listed = [{ ...GOOD, age: HOUR }];
	const situation = { listed, orders: [ready], lastRequests: { A: NOW - 10 * DAY } };
	expect(decide(ready, REORDER, situation)).toBe('use A, reused');
});
