import {
	findSource,
	getCurrentBrief,
	hasPaid,
	isOwn,
	NOTHING,
	type Superseded,
} from '../../../core/orders/order';
import { BAKERS, makeOrder, makeSettled, makeUnconfirmed } from '../support/facts';

test.each([
	['own', true, true],
	['own_unproven', true, false],
	['own_of_another', false, true],
	['reused', false, false],
	['given', false, false],
] as const)(
	'an order with a brief as %s has paid: %s, and owns the brief: %s',
	(source, paid, owned) => {
		expect(hasPaid(source)).toBe(paid);
		expect(isOwn(source)).toBe(owned);
	},
);

test('a brief that came back under the key is another order’s if it was listed before', () => {
	const order = makeUnconfirmed(0, 0, { shown: ['A'] });
	expect(findSource(order, 'A')).toBe('own_of_another');
	expect(findSource(order, 'B')).toBe('own');
});

describe('a draft', () => {
	const BRIEF: Superseded = { kind: 'brief', id: 'A' };

	test('has another key for each order that it supersedes', () => {
		const rejected = { kind: 'rejected_order', key: makeOrder().key } as const;
		const keys = [NOTHING, BRIEF, { ...BRIEF, id: 'B' }, rejected].map(
			(supersedes) => makeOrder({ supersedes }).key,
		);
		expect(new Set(keys).size).toBe(4);
	});

	test.each([
		[['B'], ['B', 'A']],
		[
			['A', 'B'],
			['A', 'B'],
		],
	])('knows the brief that it supersedes, once: %j', (shown, expected) => {
		expect(makeOrder({ supersedes: BRIEF, shown }).shown).toEqual(expected);
	});

	test('has the body in the sequence of its fields, and no brief', () => {
		const { product_name, audience } = BAKERS;
		const draft = makeOrder({ input: { audience, product_name } });
		expect(Object.keys(draft.input)).toEqual(['product_name', 'audience']);
		expect(draft.key).toBe(makeOrder().key);
		expect(getCurrentBrief(draft)).toBeNull();
		expect(getCurrentBrief(null)).toBeNull();
		expect(getCurrentBrief(makeSettled({ id: 'A' }))?.id).toBe('A');
	});
});
