import type { ErrorKind } from '../../../service/api/errors';
import { apply } from '../../../service/order/apply';
import { type OrderEvent, NEW_ORDER, type OrderState } from '../../../service/order/life';
import type { BriefSummary } from '../../../service/api/resources';
import { momentText } from '../../../service/order/times';
import { anError } from '../../support/builders';

const BRIEF = { id: 'own' } as BriefSummary;

const answered = (kind: ErrorKind): OrderEvent => ({
	event: 'answered',
	at: 1000,
	error: anError(kind),
});
const at = (time: number) => ({ service: time, machine: time });
const error = (event: OrderEvent) => (event.event === 'answered' ? event.error : null);
const unanswered = answered('in_doubt');

type Case = [
	what: string,
	before: Partial<OrderState>,
	event: OrderEvent,
	changes: Partial<OrderState>,
];

test.each<Case>([
	['queues', {}, { event: 'queued' }, { stage: 'waiting' }],
	[
		'gets a slot that it has not used',
		{ stage: 'waiting', isSlotUsed: true },
		{ event: 'got_slot', at: 5 },
		{ stage: 'cleared', slotSince: 5, isSlotUsed: false },
	],
	[
		'gives a slot back that became too old',
		{ stage: 'cleared', staleSlots: 1 },
		{ event: 'returned_slot', notBefore: 7, isStale: true },
		{ stage: 'waiting', notBefore: 7, staleSlots: 2 },
	],
	[
		'gives a slot back that was refused',
		{ stage: 'answered', answer: error(unanswered) },
		{ event: 'returned_slot', notBefore: 7, isStale: false },
		{ stage: 'waiting', notBefore: 7, staleSlots: 0, answer: null },
	],
	[
		'waits for the list, and forgets what that showed',
		{ stage: 'in_doubt', finding: { is: 'nothing', isCertain: false } },
		{ event: 'waited', for: 'list', at: at(9) },
		{ finding: null },
	],
	[
		'waits for the list once, by clocks that were both set back',
		{ stage: 'in_doubt', lastTried: at(3_600_000) },
		{ event: 'waited', for: 'list', at: at(9) },
		{ finding: null, lastTried: at(9) },
	],
	[
		'is given up, and what was found before says nothing of its last try',
		{ stage: 'answered', inDoubt: true, finding: { is: 'nothing', isCertain: false } },
		{ event: 'given_up' },
		{ stage: 'in_doubt', isGivenUp: true, finding: null },
	],
	[
		'waits to be sent again, and has acted on the answer',
		{ stage: 'answered', answer: error(unanswered) },
		{ event: 'waited', for: 'retry', at: at(9) },
		{ stage: 'cleared', answer: null },
	],
	[
		'is looked for',
		{ stage: 'in_doubt' },
		{ event: 'looked', at: 3, finding: { is: 'nothing', isCertain: true } },
		{ lookedAt: 3, finding: { is: 'nothing', isCertain: true } },
	],
	[
		'is put on record for the first time',
		{ stage: 'cleared' },
		{ event: 'intended', ...momentText(at(9)), briefs_known: 4 },
		{
			isIntended: true,
			isReserved: true,
			firstTried: at(9),
			lastTried: at(9),
			knownBefore: 4,
		},
	],
	[
		'is put on record again, with a key as old as before',
		{ stage: 'cleared', firstTried: at(2), lastTried: at(2), knownBefore: 3 },
		{ event: 'intended', ...momentText(at(9)), briefs_known: 4 },
		{
			isIntended: true,
			isReserved: true,
			firstTried: at(2),
			lastTried: at(9),
			knownBefore: 3,
		},
	],
	[
		'is sent',
		{ stage: 'cleared' },
		{ event: 'sent' },
		{ stage: 'sent', isSlotUsed: true, isReserved: true },
	],
	[
		'is accepted',
		{ stage: 'sent', inDoubt: true, answer: error(unanswered) },
		{ event: 'accepted', brief: BRIEF, found: false },
		{ stage: 'running', briefId: 'own', inDoubt: false, answer: null, isSeen: true },
	],
	[
		'gets a slot after a look for a brief of the same content',
		{ stage: 'waiting', finding: { is: 'nothing', isCertain: true } },
		{ event: 'got_slot', at: 1 },
		{ stage: 'cleared', slotSince: 1, finding: null },
	],
	[
		'is withdrawn',
		{
			stage: 'in_doubt',
			inDoubt: true,
			isIntended: true,
			finding: { is: 'nothing', isCertain: true },
		},
		{ event: 'withdrawn', why: '' },
		// What was found out about its tries is not what a new order is compared with.
		{
			stage: 'to_order',
			inDoubt: false,
			isIntended: false,
			finding: null,
			isLastTry: true,
		},
	],
	[
		'is withdrawn without doubt after its last try, which stays its last',
		{ stage: 'answered', isIntended: true, isLastTry: true },
		{ event: 'withdrawn', why: '' },
		{ stage: 'to_order', isIntended: false, isLastTry: true },
	],
	[
		'has failed without an answer',
		{ stage: 'in_doubt', inDoubt: true },
		{ event: 'unanswered' },
		{ stage: 'refused' },
	],
	[
		'is withdrawn after an answer, and looked for again if it is sent again',
		{ stage: 'answered', isIntended: true, finding: { is: 'nothing', isCertain: false } },
		{ event: 'withdrawn', why: '' },
		{ stage: 'to_order', isIntended: false, finding: null },
	],
	[
		'is queued in doubt, and keeps what the look for its own brief showed',
		{ stage: 'in_doubt', inDoubt: true, finding: { is: 'nothing', isCertain: false } },
		{ event: 'queued' },
		{ stage: 'waiting' },
	],
	['is seen', { stage: 'running' }, { event: 'seen' }, { isSeen: true }],
	['is parked', { stage: 'running' }, { event: 'parked' }, { stage: 'parked', isSeen: true }],
	[
		'is given up',
		{ stage: 'answered' },
		{ event: 'given_up' },
		{ stage: 'in_doubt', isGivenUp: true },
	],
	[
		'is given up before it is queued',
		{ stage: 'in_doubt' },
		{ event: 'given_up' },
		{ isGivenUp: true },
	],
	['is refused', { stage: 'answered' }, { event: 'refused' }, { stage: 'refused' }],
	['is deferred', {}, { event: 'deferred' }, { stage: 'deferred' }],
	['has ended', { stage: 'running' }, { event: 'ended' }, { stage: 'ended' }],
	['is filed', { stage: 'ended' }, { event: 'filed' }, { stage: 'done' }],
])('an order %s', (_what, before, event, changes) => {
	const order = { ...NEW_ORDER, ...before };
	expect(apply(order, event)).toEqual({ ...order, ...changes });
});

describe('an answer without a brief', () => {
	test('is in doubt after a conflict, before it is known whether that was for want of a slot', () => {
		const sent: OrderState = { ...NEW_ORDER, stage: 'sent' };
		const turnedAway = (kind: ErrorKind) => {
			const refusal = error(answered(kind))!;
			return apply(sent, { event: 'turned_away', error: refusal }).inDoubt;
		};
		expect(turnedAway('conflict')).toBe(true);
		expect(turnedAway('invalid_input')).toBe(false);
	});

	const tries = { failures: 1, rateLimits: 4, since: 500 };
	const slotRefusals = 3;
	test.each<[ErrorKind, Partial<OrderState>]>([
		['rate_limited', { tries: { ...tries, rateLimits: 5 } }],
		['slots_busy', { tries: { ...tries, rateLimits: 0 }, slotRefusals: 4 }],
		['conflict', { tries: { ...tries, rateLimits: 0, failures: 2 }, inDoubt: true }],
		['in_doubt', { tries: { ...tries, rateLimits: 0, failures: 2 }, inDoubt: true }],
		['service_unavailable', { tries: { ...tries, rateLimits: 0, failures: 2 } }],
	])('%s is counted, and may leave the order in doubt', (kind, changes) => {
		const order: OrderState = { ...NEW_ORDER, stage: 'sent', tries, slotRefusals };
		const event = answered(kind);
		const answer = error(event);
		expect(apply(order, event)).toEqual({ ...order, stage: 'answered', answer, ...changes });
	});

	test('does not end the doubt of an earlier one', () => {
		const order: OrderState = { ...NEW_ORDER, stage: 'sent', inDoubt: true };
		expect(apply(order, answered('invalid_input')).inDoubt).toBe(true);
	});
});

test('what cannot happen to an order is a fault of this program, and named', () => {
	expect(() => apply(NEW_ORDER, { event: 'sent' })).toThrow(
		'“sent” cannot happen to an order in the stage “to_order”',
	);
});
