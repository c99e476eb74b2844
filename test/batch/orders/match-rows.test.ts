import { matchRows } from '../../../batch/orders/match-rows';
import type { OrderChange } from '../../../batch/orders/order';
import type { Orders } from '../../../batch/orders/orders';
import type { Row } from '../../../batch/csv/types';
import { DAY } from '../../support/time';
import {
	cup,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	mugForKids,
	pan,
	START,
	STATES,
	type OrderSketch,
} from '../support/order-builder';
import { showMatches, testMatches } from '../support/show-matches';

/** Returns the changes of run 7. */
function findChanges(rows: readonly Row[], orders: Orders): OrderChange[] {
	return matchRows(rows, orders, START).findChanges(7);
}

const cooksId = makeRow(2, mugForCooks).contentId;
const mugOfTwoRows = makeOrders({ input: mug, rowCount: 2 });
const reordered = makeOrders({ input: mug }, { input: mugForCooks, previousOrderId: 1 });

describe('rows with the content of an order', () => {
	testMatches({
		'have the newest of two orders': [
			makeOrders({ input: mug }, { input: mug, previousOrderId: 1, state: STATES.failed('B2') }),
			'Mug, Bakers',
			'failed 2',
		],
		'do not have a dropped order': [
			makeOrders({ input: mug }, { input: mug, state: STATES.dropped() }),
			'Mug, Bakers',
			'ready 1',
		],
		'share it with rows whose content it has accepted': [
			makeOrders({ input: mug, acceptedContentIds: [cooksId] }),
			'Mug, Cooks | Mug, Bakers',
			'ready 1 | ready 1',
		],
		'have the newest of two orders that accepted the content': [
			makeOrders(
				{ input: mug, acceptedContentIds: [cooksId] },
				{ input: cup, acceptedContentIds: [cooksId] },
			),
			'Mug, Cooks',
			'ready 2',
		],
		'have it before an order that accepted the content': [
			makeOrders({ input: mugForCooks }, { input: mug, acceptedContentIds: [cooksId] }),
			'Mug, Cooks',
			'ready 1',
		],
		'have it although it was replaced': [
			reordered,
			'Mug, Cooks | Mug, Bakers',
			'ready 2 | ready 1',
		],
	});
});

describe('edited rows of a product', () => {
	testMatches({
		'keep their orders': [
			'Mug, Bakers | Mug, Cooks | Mug, Kids',
			'Mug, Bakers, Sell | Mug, Cooks, Sell | Mug, Kids, Sell',
			'changed 1 | changed 2 | changed 3',
		],
		'leave no order to another row': [
			'Mug, Bakers | Mug, Cooks',
			'Mug, Bakers, Sell | Mug, Cooks, Sell | Mug, Bakers, Give',
			'changed 1 | changed 2 | pending',
		],
		'get no order that was replaced': [
			reordered,
			'Mug, Cooks | Mug, Bakers, Sell',
			'ready 2 | pending',
		],
		'get the order that has most fields in common with them': [
			'Mug, Bakers | Mug, Cooks',
			'Mug, Cooks, Sell | Mug, Bakers, Sell',
			'changed 2 | changed 1',
		],
		'get an order with two common fields before an order with a later field': [
			makeOrders(
				{ input: { ...mugForCooks, objective: 'Give', campaign_terms: '10 %' } },
				{ input: { ...mug, objective: 'Sell', campaign_terms: '20 %' } },
			),
			makeRows({ ...mug, objective: 'Sell', campaign_terms: '10 %' }),
			'changed 2',
		],
		'get no order for fields that are empty on both sides, if another row has a value in common': [
			'Mug, Kids',
			makeRows({ product_name: 'Mug' }, 'Mug, Kids, Sell'),
			'pending | changed 1',
		],
		'get no order for a field that is empty on both sides': [
			makeOrders(
				{ input: { product_name: 'Mug', audience: 'Kids' } },
				{ input: { product_name: 'Mug', campaign_terms: '10 %' } },
			),
			makeRows(
				{ product_name: 'Mug', objective: 'Sell' },
				{ product_name: 'Mug', audience: 'Kids', campaign_terms: '20 %' },
			),
			'changed 2 | changed 1',
		],
		'get an order with which only the product is the same': [
			'Mug, Kids',
			'Mug, Cooks',
			'changed 1',
		],
		'get an order with a value in common before a renamed row': [
			'Mug, Kids | Pan',
			makeRows('Mug XL, Kids', 'Mug, Kids, Sell', pan),
			'pending | changed 1 | ready 2',
		],
		'get the order of their product ID': [
			makeOrders({ input: { product_name: 'Mug', product_id: '12345' } }),
			makeRows({ product_name: 'Large vase', product_id: '12345' }),
			'changed 1',
		],
		'keep their order while they are invalid, so that no other row gets it': [
			'Mug',
			[makeRow(2, mug, { problems: ['#REF!'] }), makeRow(3, mugForCooks)],
			'invalid 1 | pending',
		],
		'keep their order while they are skipped, so that no other row gets it': [
			'Mug',
			[makeRow(2, mug, { isSkipped: true }), makeRow(3, mugForCooks)],
			'skipped 1 | pending',
		],
		'keep their order when another row gets one of their values': [
			makeOrders(
				{ input: { product_name: 'Pan', audience: 'Bakers' } },
				{ input: pan, editedInputs: [{ product_name: 'Pan', objective: 'Sell' }] },
			),
			'Pan, Bakers, Sell | Pan, , Sell',
			'changed 1 | changed 2',
		],
		'keep their order when another row becomes a copy of them': [
			makeOrders({ input: mug, rowCount: 2, editedInputs: [mugForCooks, mugForKids] }),
			'Mug, Cooks | Mug, Cooks | Mug, Kids',
			'changed 1 | changed 1 | changed 1',
		],
		'of one order keep it when they are edited again': [
			makeOrders({ input: cup, rowCount: 2, editedInputs: [mugForCooks, pan] }),
			'Mug, Kids | Pan, Kids',
			'changed 1 | changed 1',
		],
		'keep their order when they are edited again': [
			makeOrders(
				{ input: { ...mug, product_id: '12345' }, editedInputs: [{ ...mug, product_id: '54321' }] },
				{ input: mugForCooks },
			),
			makeRows({ product_name: 'Mug', audience: 'Kids', product_id: '54321' }, mugForCooks),
			'changed 1 | ready 2',
		],
	});
});

describe('an edited duplicate', () => {
	testMatches({
		'is changed if the order had two rows': [
			mugOfTwoRows,
			'Mug, Bakers | Mug, Cooks',
			'ready 1 | changed 1',
		],
		'is new if the order had one row': [
			'Mug, Bakers',
			'Mug, Bakers | Mug, Cooks',
			'ready 1 | pending',
		],
		'is new if the order has both its rows': [
			mugOfTwoRows,
			'Mug, Bakers | Mug, Cooks | Mug, Kids',
			'ready 1 | changed 1 | pending',
		],
		'uses a row of the order for each of its duplicates': [
			makeOrders({ input: mug, rowCount: 3 }),
			'Mug, Cooks | Mug, Cooks | Mug, Kids | Mug, Teens',
			'changed 1 | changed 1 | changed 1 | pending',
		],
		'shares the order of two rows with another edit': [
			mugOfTwoRows,
			'Mug, Cooks | Mug, Kids',
			'changed 1 | changed 1',
		],
		'shares the order of one row with the same edit': [
			'Mug, Bakers',
			'Mug, Cooks | Mug, Kids | Mug, Cooks',
			'changed 1 | pending | changed 1',
		],
	});
});

describe('rows with IDs', () => {
	const withIds = makeOrders('A1: Mug, Bakers', '0071: Pan');
	const [a1, b1] = [
		{ rowId: 'A1', run: 0 },
		{ rowId: 'B1', run: 0 },
	];
	/** Row A1 had order 1, then order 2. */
	const movedOn = [
		{ input: mug, rowIds: [a1], hasRows: false },
		{ input: cup, rowIds: [{ rowId: 'A1', run: 3 }] },
	];
	testMatches({
		'keep their orders when the product is renamed': [
			withIds,
			'A1: Vase | 71: Skillet',
			'changed 1 | changed 2',
		],
		'have the order of their content before that of their row ID': [
			withIds,
			'A1: Pan | 71: Pan',
			'ready 2 | ready 2',
		],
		'keep an order that another row has by its content': [
			withIds,
			'A1: Vase | A9: Mug, Bakers',
			'changed 1 | ready 1',
		],
		'keep an order that they share': [
			makeOrders({ input: mug, rowIds: [a1, b1], rowCount: 2 }),
			'A1: Mug, Cooks | B1: Mug, Kids',
			'changed 1 | changed 1',
		],
		'keep the order that they had last': [makeOrders(...movedOn), 'A1: Vase', 'changed 2'],
		'keep the order that they had before a dropped order': [
			makeOrders(movedOn[0]!, { ...movedOn[1]!, state: STATES.dropped() }),
			'A1: Vase',
			'changed 1',
		],
		'keep an order that was replaced, after they came back to it': [
			makeOrders(
				{ input: mug, rowIds: [{ rowId: 'A1', run: 5 }] },
				{ input: cup, rowIds: [{ rowId: 'A1', run: 3 }], previousOrderId: 1 },
			),
			'A1: Vase',
			'changed 1',
		],
		'stay failed, pending or in review': [
			makeOrders(
				{ input: mug, rowId: 'A1', state: STATES.failed() },
				{ input: cup, rowId: 'A2', state: STATES.accepted() },
				{ input: pan, rowId: 'A3', state: STATES.inReview() },
			),
			'A1: Vase | A2: Bowl | A3: Jar',
			'failed 1 | pending 2 | needs_review 3',
		],
		'share the order of a row with the same edit': [
			withIds,
			'A1: Mug, Cooks | A9: Mug, Cooks',
			'changed 1 | changed 1',
		],
		'are new with another row ID': [withIds, 'A9: Mug, Cooks | 71: Pan', 'pending | ready 2'],
		'have the orders of their products before --id': [
			makeOrders('Mug, Bakers', { input: { product_name: 'Pan', product_id: '12345' } }),
			[
				makeRow(2, mugForCooks, { rowId: 'A1' }),
				makeRow(3, { product_name: 'Skillet', product_id: '12345' }, { rowId: 'A2' }),
			],
			'changed 1 | changed 2',
		],
		'have the orders of their products without --id': [
			withIds,
			'Mug, Cooks | Pan',
			'changed 1 | ready 2',
		],
		'have the order that their row ID had last, after row IDs were swapped': [
			withIds,
			'0071: Mug, Bakers | A1: Pan, Cooks',
			'ready 1 | changed 1',
		],
	});

	test('add their row IDs to those of their orders, with the run', () => {
		expect(findChanges(makeRows('0071: Mug, Bakers', 'A1: Pan'), withIds)).toEqual([
			{ order: 1, rowIds: [a1, { rowId: '0071', run: 7 }] },
			{
				order: 2,
				rowIds: [
					{ rowId: '0071', run: 0 },
					{ rowId: 'A1', run: 7 },
				],
			},
		]);
	});

	test('come back to an order with the number of the run', () => {
		expect(findChanges(makeRows('A1: Mug, Bakers'), makeOrders(...movedOn))).toEqual([
			{ order: 1, rowIds: [{ rowId: 'A1', run: 7 }], hasRows: true },
			{ order: 2, hasRows: false },
		]);
	});

	test('change nothing in another spelling', () => {
		expect(findChanges(makeRows('a1: Mug, Bakers', '71: Pan'), withIds)).toEqual([]);
	});

	test('give a new order the IDs of all rows with its content', () => {
		const rows = makeRows('A1: Vase', 'A2: Vase', 'A3: Cup');
		expect(matchRows(rows, makeOrders(), START).getOrderRows(rows[0]!, 7)).toEqual({
			rowIds: [
				{ rowId: 'A1', run: 7 },
				{ rowId: 'A2', run: 7 },
			],
			previousOrderId: null,
			hasRows: true,
			rowCount: 2,
		});
	});
});

describe('an order without a row', () => {
	const without = (fields: Partial<OrderSketch>) =>
		makeOrders({ input: mug, hasRows: false, ...fields });
	const replacement = { input: pan, previousOrderId: 1 };

	test.each<[title: string, orders: Orders, row: string, expected: string]>([
		['gets an edited row of its product', without({}), 'Mug, Cooks', 'changed 1'],
		['gets a renamed row', without({}), 'Mug XL, Bakers', 'changed 1'],
		[
			'gets no row if a newer order has replaced it',
			makeOrders({ input: mug }, replacement),
			'Mug, Cooks',
			'pending',
		],
		[
			'gets a row if the newer order was dropped',
			makeOrders({ input: mug }, { ...replacement, state: STATES.dropped() }),
			'Mug, Cooks',
			'changed 1',
		],
	])('%s', (_, orders, row, expected) => {
		expect(showMatches(makeRows(row), orders)).toBe(expected);
	});

	test('gets as many rows as it had last', () => {
		const rows = makeRows('Mug, Cooks', 'Mug, Kids', 'Mug, Teens');
		expect(showMatches(rows, without({ rowCount: 2 }))).toBe('changed 1 | changed 1 | pending');
	});

	test('gets no row after 90 days', () => {
		const rows = makeRows('Mug, Cooks');
		expect(showMatches(rows, without({}), START + 89 * DAY)).toBe('changed 1');
		expect(showMatches(rows, without({}), START + 91 * DAY)).toBe('pending');
		const unconfirmed = without({ state: STATES.unconfirmed() });
		expect(showMatches(rows, unconfirmed, START + 91 * DAY)).toBe('pending');
	});

	test('keeps its row after 90 days if it had the row in the last run', () => {
		const rows = makeRows('Mug, Cooks');
		expect(showMatches(rows, makeOrders({ input: mug }), START + 91 * DAY)).toBe('changed 1');
	});

	test('comes after an order that had a row in the last run', () => {
		const orders = makeOrders({ input: mug, hasRows: false }, { input: mugForCooks });
		expect(showMatches(makeRows('Mug, Kids'), orders)).toBe('changed 2');
	});
});

describe('the changes of orders', () => {
	test('have the number of rows, which stays when no row is left', () => {
		expect(findChanges(makeRows('Mug', 'Mug'), makeOrders('Mug', 'Pan'))).toEqual([
			{ order: 1, rowCount: 2 },
			{ order: 2, hasRows: false },
		]);
	});

	test('have the input of an edited row until the edit is undone', () => {
		const orders = makeOrders({ input: mug });
		const changes = findChanges(makeRows(mugForCooks), orders);
		expect(changes).toEqual([{ order: 1, editedInputs: [mugForCooks] }]);
		const edited = orders.withChanges(changes);
		expect(findChanges(makeRows(mug), edited)).toEqual([{ order: 1, editedInputs: [] }]);
	});

	test('have the inputs of all edited rows, each once', () => {
		const rows = makeRows(mugForCooks, mugForKids, mugForCooks);
		const orders = makeOrders({ input: mug, rowCount: 3 });
		const changes = [{ order: 1, editedInputs: [mugForCooks, mugForKids] }];
		expect(findChanges(rows, orders)).toEqual(changes);
	});

	test('do not have the input of an invalid row', () => {
		const invalid = makeRow(2, mugForCooks, { problems: ['#REF!'] });
		expect(findChanges([invalid], makeOrders({ input: mug }))).toEqual([]);
	});

	test('keep the input of an edited row while the row is missing', () => {
		const orders = makeOrders({ input: mug, editedInputs: [mugForCooks] });
		expect(findChanges(makeRows(cup), orders)).toEqual([{ order: 1, hasRows: false }]);
	});
});

test('a new order replaces the order of its row, unless another content shares that order', () => {
	const [alone] = makeRows(mugForCooks);
	const { previousOrderId } = matchRows([alone!], mugOfTwoRows, START).getOrderRows(alone!, 7);
	expect(previousOrderId).toBe(1);
	const [same, other] = makeRows(mug, mugForCooks);
	const shared = matchRows([same!, other!], mugOfTwoRows, START).getOrderRows(other!, 7);
	expect(shared.previousOrderId).toBeNull();
});

test('an order is not replaced any more after its row came back to it', () => {
	expect(reordered.isReplaced(reordered.get(1))).toBe(true);
	const orders = reordered.withChanges(findChanges(makeRows(mug), reordered));
	expect(orders.isReplaced(orders.get(1))).toBe(false);
	expect(showMatches(makeRows('Mug, Bakers, Sell'), orders)).toBe('changed 1');
});
