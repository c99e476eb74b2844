import { findOwnBrief, findUndecidedBriefs } from '../../../core/orders/find-brief';
import { COOKS, FAILED, FAILED_B, GOOD, SPELLED } from '../support/decisions';
import {
	makeFacts,
	makeOrder,
	makeSettled,
	makeUnconfirmed,
	type BriefFacts,
	type Situation,
} from '../support/facts';
import { DAY } from '../../support/time';

/** The brief that an order has created, or that makes it unnecessary, and the briefs that might be its own. */

const OF_COOKS: BriefFacts = { id: 'A', shows: COOKS };
const YOUNG_B: BriefFacts = { id: 'B', age: 1 };

describe('the own brief of an order', () => {
	test.each<[string, BriefFacts[], string, string | undefined]>([
		['is a brief of its content', [OF_COOKS, { id: 'B' }], '', 'B'],
		['is no brief that was listed before', [GOOD, { id: 'B' }], 'A', 'B'],
		['can be missing', [GOOD], 'A', undefined],
		['did not fail, if possible', [FAILED, YOUNG_B], '', 'B'],
		['can have failed', [FAILED], '', 'A'],
		['can be running', [{ id: 'A', status: 'writing' }], '', 'A'],
		['can have another spelling', [{ id: 'A', shows: SPELLED }], '', 'A'],
		['has the exact body, if possible', [{ id: 'A', shows: SPELLED }, YOUNG_B], '', 'B'],
		[
			'has another spelling if the exact body failed',
			[{ id: 'A', shows: SPELLED, age: 1 }, FAILED_B],
			'',
			'A',
		],
		[
			'is the oldest of equal briefs',
			[{ id: 'A', age: 2 }, YOUNG_B, { id: 'C', created_at: '?' }],
			'',
			'A',
		],
		['can have any age', [{ id: 'A', age: -DAY }], '', 'A'],
		['is no brief that hides its input', [{ id: 'A', shows: {} }], '', undefined],
		['can be in no list', [], '', undefined],
	])('%s', (_title, listed, ids, expected) => {
		const shown = Array.from(ids);
		for (const order of [makeOrder({ shown }), makeUnconfirmed(5, 5, { shown })])
			expect(findOwnBrief(order, makeFacts({ listed }))?.id).toBe(expected);
	});

	test('is compared with links as they were sent', () => {
		const input = {
			product_name: 'Mug',
			reference_urls: ['https://a.example/ö', 'https://b.example'],
		};
		const reversed = { ...input, reference_urls: input.reference_urls.toReversed() };
		const listed = [
			{ id: 'A', shows: reversed },
			{ ...YOUNG_B, shows: structuredClone(input) },
		];
		expect(findOwnBrief(makeOrder({ input }), makeFacts({ listed }))?.id).toBe('B');
	});

	test('can be a brief of another order that the list does not show', () => {
		const orders = [makeSettled({ id: 'A' }), makeSettled({ id: 'B', age: 11 * DAY })];
		expect(findOwnBrief(makeOrder(), makeFacts({ orders }))?.id).toBe('B');
		const listed = [{ id: 'C', age: 1 }];
		expect(findOwnBrief(makeOrder(), makeFacts({ listed, orders }))?.id).toBe('C');
	});
});

describe('briefs that might be an order’s own', () => {
	const listed: BriefFacts[] = [
		{ id: 'A', shows: {} },
		{ id: 'B', shows: COOKS },
		{ id: 'C', shows: null },
		{ id: 'D', product_name: 'Pan', shows: {} },
		{ id: 'E', shows: {} },
		{ id: 'F', shows: { ...COOKS, locale: 'en' } },
	];
	const orders = [makeSettled({ id: 'E' }, { input: COOKS })];
	const find = (order: Parameters<typeof findUndecidedBriefs>[0], situation: Situation) =>
		findUndecidedBriefs(order, makeFacts(situation))
			.map(({ id }) => id)
			.join('');

	test('hide their input, if the order was not sent', () => {
		expect(find(makeOrder(), { listed, orders })).toBe('CA');
		expect(find(makeOrder({ shown: ['A'] }), { listed, orders })).toBe('C');
	});

	test('are all briefs of the product that no other order owns, if the order was sent', () => {
		expect(find(makeUnconfirmed(5, 5), { listed, orders })).toBe('FCBA');
		expect(find(makeUnconfirmed(5, 5, { shown: ['B'] }), { listed, orders })).toBe('FCA');
	});

	test('include a brief that an order with this key owns', () => {
		const own = [makeSettled({ id: 'E' })];
		expect(find(makeUnconfirmed(5, 5), { listed: [{ id: 'E' }], orders: own })).toBe('E');
	});
});
