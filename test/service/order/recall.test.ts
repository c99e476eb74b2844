import { NEW_ORDER, type OrderState } from '../../../service/order/life';
import { isPaidBy, recall } from '../../../service/order/recall';
import { momentText } from '../../../service/order/times';
import { aBrief } from '../../support/builders';
import { DAY } from '../../support/time';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const moment = { service: NOW, machine: NOW };
const intended = { event: 'intended', ...momentText(moment), briefs_known: 0 } as const;
const brief = (at = NOW) => aBrief({ created_at: new Date(at).toISOString() });
const parked = { event: 'parked', reason: 'unclear' } as const;

const after = (...events: Array<Parameters<typeof recall>[1]>): OrderState =>
	events.reduce(recall, NEW_ORDER);

describe('another process finds an order', () => {
	test('whose brief has ended and is not filed with its brief, to be fetched again', () => {
		const accepted = { event: 'accepted', brief: brief(), found: false } as const;
		const ended = { event: 'ended', brief: { status: 'ready' } } as const;
		const found = after(intended, accepted, ended);
		expect(found).toMatchObject({ stage: 'running', briefId: brief().id, isSeen: false });
	});

	test('that was put aside before it was sent to be ordered still', () => {
		expect(after({ event: 'parked', reason: 'listed' })).toEqual(NEW_ORDER);
	});

	test('that was put aside after it was sent as one that a person was asked about', () => {
		expect(after(intended, parked)).toMatchObject({ stage: 'parked', wasParked: true });
		expect(after(intended)).toMatchObject({ stage: 'in_doubt', wasParked: false });
	});
});

describe('a brief is paid for by the order that gets it', () => {
	const isPaid = (order: OrderState, found: boolean, at = NOW) =>
		isPaidBy(order, { event: 'accepted', brief: brief(at), found });

	test.each<[string, OrderState, boolean, boolean]>([
		['if it answers the create', { ...after(intended), stage: 'sent' }, false, true],
		['if it is found for an order without an answer', after(intended), true, true],
		[
			'if it is found for one that was parked after it was sent',
			after(intended, parked),
			true,
			true,
		],
		['and not if it is found for one that was never sent', NEW_ORDER, true, false],
		[
			'and not if it is found for one of which surely nothing came',
			after(intended, { event: 'withdrawn', why: '' }),
			true,
			false,
		],
	])('%s', (_, order, found, expected) => {
		expect(isPaid(order, found)).toBe(expected);
	});

	test('and not if the service answers with one that it had for long', () => {
		expect(isPaid({ ...after(intended), stage: 'sent' }, false, NOW - 40 * DAY)).toBe(false);
	});
});
