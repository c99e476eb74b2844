import { apply } from '../../../service/order/apply';
import { type OrderEvent, NEW_ORDER, type OrderState } from '../../../service/order/life';
import { momentText } from '../../../service/order/times';
import { anError } from '../../support/builders';

const at = (time: number) => ({ service: time, machine: time });
const LOST = anError('in_doubt');
const BUSY = anError('slots_busy');
const tries = { failures: 1, rateLimits: 4, since: 500 };

type Case = [
	what: string,
	before: Partial<OrderState>,
	event: OrderEvent,
	changes: Partial<OrderState>,
];

test.each<Case>([
	[
		'gives a slot back that became too old',
		{ stage: 'cleared', staleSlots: 1 },
		{ event: 'returned_slot', notBefore: 7, isStale: true },
		{ stage: 'waiting', notBefore: 7, staleSlots: 2 },
	],
	[
		'waits for the list once, by clocks that were both set back',
		{ stage: 'in_doubt', lastTried: at(3_600_000) },
		{ event: 'waited', for: 'list', at: at(9) },
		{ finding: null, lastTried: at(9) },
	],
	[
		'waits to be sent again, and has acted on the answer',
		{ stage: 'answered', answer: LOST },
		{ event: 'waited', for: 'retry', at: at(9) },
		{ stage: 'cleared', answer: null },
	],
	[
		'is put on record again, with a key as old as before',
		{ stage: 'cleared', firstTried: at(2), lastTried: at(2), knownBefore: 3 },
		{ event: 'intended', ...momentText(at(9)), briefs_known: 4 },
		{ isIntended: true, isReserved: true, lastTried: at(9) },
	],
	[
		'is sent',
		{ stage: 'cleared' },
		{ event: 'sent' },
		{ stage: 'sent', isSlotUsed: true, isReserved: true },
	],
	[
		'gets a slot after a look for a brief of the same content',
		{ stage: 'waiting', finding: { is: 'nothing', isCertain: true } },
		{ event: 'got_slot', at: 1 },
		{ stage: 'cleared', slotSince: 1, finding: null },
	],
	[
		'is withdrawn without doubt after its last try, which stays its last',
		{ stage: 'answered', isIntended: true, isLastTry: true },
		{ event: 'withdrawn', why: '' },
		{ stage: 'to_order', isIntended: false, isLastTry: true },
	],
	[
		'is withdrawn after an answer, and looked for again if it is sent again',
		{ stage: 'answered', isIntended: true, finding: { is: 'nothing', isCertain: false } },
		{ event: 'withdrawn', why: '' },
		{ stage: 'to_order', isIntended: false, finding: null },
	],
	[
		'is refused for the slots once more, and meets no rate limit in a row',
		{ stage: 'sent', tries, slotRefusals: 3 },
		{ event: 'answered', at: 1000, error: BUSY },
		{ stage: 'answered', answer: BUSY, tries: { ...tries, rateLimits: 0 }, slotRefusals: 4 },
	],
])('an order %s', (_what, before, event, changes) => {
	const order = { ...NEW_ORDER, ...before };
	expect(apply(order, event)).toEqual({ ...order, ...changes });
});

test('what cannot happen to an order is a fault of this program, and named', () => {
	expect(() => apply(NEW_ORDER, { event: 'sent' })).toThrow(
		'“sent” cannot happen to an order in the stage “to_order”',
	);
});
