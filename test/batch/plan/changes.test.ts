import fc from 'fast-check';
import { contentOf } from '../../../batch/folder/journal/content';
import type { BriefRecord } from '../../../batch/folder/journal/records';
import {
	differingFields,
	holdsBack,
	OrdersByProduct,
	pairChanged,
	productOf,
} from '../../../batch/plan/changes';
import type { BriefInput } from '../../../service/api/resources';
import { order, recordsOf, said, type Untimed } from '../../support/batch/journal-events';

const recordAfter = (...events: Untimed[]) => recordsOf(...events).all()[0]!;

/** @param isSent whether it was ordered; else it was parked before, and the journal does not have its content */
function gone(input: BriefInput, isSent = true): BriefRecord {
	const facts = { ...order(), product_name: input.product_name };
	return isSent
		? recordAfter({ ...said.intent(facts), content: contentOf(input) }, said.accepted())
		: recordAfter({ type: 'parked_unsent', ...facts, why: 'It may have been ordered before.' });
}

const rowOf = (input: BriefInput, index = 0) => ({
	number: index + 2,
	cells: [],
	problems: [],
	input,
	id: `row ${index}`,
});
const rowsOf = (inputs: readonly BriefInput[]) => inputs.map(rowOf);

/** Which order each row was made from, by their places. */
function paired(
	inputs: readonly BriefInput[],
	orders: readonly BriefRecord[],
): Array<number | null> {
	const rows = rowsOf(inputs);
	const changes = pairChanged(rows, orders);
	return rows.map(({ id }) => {
		const change = changes.get(id);
		return change === undefined ? null : orders.indexOf(change);
	});
}

describe('an order holds an edited row back', () => {
	test.each([
		['is in doubt', [said.intent()], true],
		['was accepted', [said.intent(), said.accepted()], true],
		['has ended ready', [said.intent(), said.accepted(), said.ended()], true],
		['is done', [said.intent(), said.accepted(), said.ended(), said.written()], true],
		['is parked', [said.intent(), said.parked()], true],
		['was withdrawn', [said.intent(), said.withdrawn()], false],
		['was refused', [said.intent(), said.refused()], true],
		['has failed', [said.intent(), said.accepted(), said.ended('failed')], true],
		[
			'was replaced because a person asked for it',
			[said.intent(), said.accepted(), { ...said.intent(order('k2', 'bbbb')), instead_of: 'k1' }],
			false,
		],
	] as Array<[string, Untimed[], boolean]>)('that %s: %#', (_, events, expected) => {
		expect(holdsBack(recordAfter(...events))).toBe(expected);
	});
});

describe('the same product', () => {
	const BRUSH: BriefInput = { product_name: 'Brush', product_id: '1729000001' };
	const isSame = (ordered: BriefInput, now: BriefInput) =>
		new OrdersByProduct([gone(ordered)]).of(productOf(now)).length > 0;

	test.each<[string, BriefInput, BriefInput, boolean]>([
		['has the same ID, whatever its name', BRUSH, { ...BRUSH, product_name: 'Bristle' }, true],
		['has the same name where an ID was added', { product_name: 'Brush' }, BRUSH, true],
		['has the same name where the ID was taken out', BRUSH, { product_name: 'Brush' }, true],
		['has its name in other case and with other blanks', BRUSH, { product_name: ' BRUSH' }, true],
		['has no other ID', BRUSH, { ...BRUSH, product_id: '1729000002' }, false],
		['has no other name', { product_name: 'Brush' }, { product_name: 'Mug' }, false],
	])('%s', (_, ordered, now, expected) => {
		expect(isSame(ordered, now)).toBe(expected);
	});
});

describe('each order holds one row back', () => {
	const brush = (facts: Partial<BriefInput> = {}) => ({ product_name: 'Brush', ...facts });

	test('that with the fewest differing fields, wherever it is', () => {
		const ordered = gone(brush({ audience: 'parents', campaign_terms: '10 %' }));
		const rows = [brush({ audience: 'students' }), brush({ audience: 'parents' })];
		expect(paired(rows, [ordered])).toEqual([null, 0]);
	});

	test('the first of the CSV if several differ as much', () => {
		expect(paired([brush({ audience: 'a' }), brush({ audience: 'b' })], [gone(brush())])).toEqual([
			...[0, null],
		]);
	});

	test('so that a forgotten --set pairs each audience with its own', () => {
		const audiences = ['parents', 'students', 'chefs'];
		const orders = audiences.map((audience) => gone(brush({ audience, campaign_terms: '10 %' })));
		const rows = [...audiences].reverse().map((audience) => brush({ audience }));
		expect(paired(rows, orders)).toEqual([2, 1, 0]);
	});

	test('also if it was parked before it was sent', () => {
		expect(paired([brush({ audience: 'a' })], [gone(brush(), false)])).toEqual([0]);
	});
});

test('a long text differs although it starts alike', () => {
	const start = 'x'.repeat(300);
	const text = (end: string) => ({
		product_name: 'Brush',
		approved_facts: `${start}${end}`,
		audience: start,
	});
	const row = rowOf(text('b'));
	expect(differingFields({ row, change: gone(text('a')) })).toEqual(['approved_facts']);
});

test('whatever is edited: no product that is paid for is ordered again while an order of it is free', () => {
	const input: fc.Arbitrary<BriefInput> = fc.record(
		{
			product_name: fc.constantFrom('Brush', 'brush ', 'Mug'),
			product_id: fc.constantFrom('11111', '22222'),
			audience: fc.constantFrom('parents', 'students'),
			campaign_terms: fc.constantFrom('10 %', '20 %'),
		},
		{ requiredKeys: ['product_name'] },
	);
	fc.assert(
		fc.property(
			fc.array(input, { maxLength: 8 }),
			fc.array(fc.tuple(input, fc.boolean()), { maxLength: 8 }),
			(inputs, ordered) => {
				const all = ordered.map(([one, isSent]) => gone(one, isSent));
				const rows = rowsOf(inputs);
				const changes = pairChanged(rows, all);
				const taken = [...changes.values()];
				expect(new Set(taken).size).toBe(taken.length);
				const free = all.filter((one) => !taken.includes(one));
				for (const row of rows) {
					const one = changes.get(row.id);
					// A row without an order has left none of its product free; one with an order has its product's.
					const orders = new OrdersByProduct(one === undefined ? free : [one]);
					expect(orders.of(productOf(row.input))).toEqual(one === undefined ? [] : [one]);
				}
			},
		),
		{ numRuns: 2000 },
	);
});
