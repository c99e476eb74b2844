import type { Row } from '../../../batch/csv/types';
import { matchRows } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import {
	cup,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	mugForKids,
	pan,
} from '../support/order-builder';
import { showMatches } from '../support/show-matches';

type Case = readonly [title: string, rows: readonly Row[], orders: Orders, expected: string];

const sell = (input: typeof mug) => ({ ...input, objective: 'Sell' });
const three = makeOrders({ input: mug }, { input: mugForCooks }, { input: mugForKids });
const edited = [mug, mugForCooks, mugForKids].map(sell);

describe('edited rows of a product', () => {
	test.each<Case>([
		[
			'three edited rows keep their orders',
			makeRows(...edited),
			three,
			'changed 1, changed 2, changed 3',
		],
		[
			'a fourth row of the product is new',
			makeRows(...edited, { ...mug, objective: 'Give' }),
			three,
			'changed 1, changed 2, changed 3, pending',
		],
		[
			'a replaced order has no edited row',
			makeRows(mugForCooks, sell(mug)),
			makeOrders({ input: mug }, { input: mugForCooks, previousOrderId: 1 }),
			'ready 2, pending',
		],
		[
			'each row gets the order that has most fields in common with it',
			makeRows(sell(mugForCooks), sell(mug)),
			makeOrders({ input: mug }, { input: mugForCooks }),
			'changed 2, changed 1',
		],
		[
			'two fields in common count more than a later field',
			makeRows({ ...mug, objective: 'Sell', campaign_terms: '10 %' }),
			makeOrders(
				{ input: { ...mugForCooks, objective: 'Give', campaign_terms: '10 %' } },
				{ input: { ...mug, objective: 'Sell', campaign_terms: '20 %' } },
			),
			'changed 2',
		],
		[
			'a renamed product has the order of its product ID',
			makeRows({ product_name: 'Big mug', product_id: '12345' }),
			makeOrders({ input: { product_name: 'Mug', product_id: '12345' } }),
			'changed 1',
		],
		[
			'an invalid row keeps its order, so that no other row gets it',
			[makeRow(2, mug, { problems: ['#REF!'] }), makeRow(3, mugForCooks)],
			makeOrders({ input: mug }),
			'invalid 1, pending',
		],
		[
			'a skipped row keeps its order, so that no other row gets it',
			[makeRow(2, mug, { isSkipped: true }), makeRow(3, mugForCooks)],
			makeOrders({ input: mug }),
			'skipped 1, pending',
		],
		[
			'a row that was edited in the last run is recognized when it is edited again',
			makeRows({ ...mugForKids, product_id: '54321' }, mugForCooks),
			makeOrders(
				{ input: { ...mug, product_id: '12345' }, editedInput: { ...mug, product_id: '54321' } },
				{ input: mugForCooks },
			),
			'changed 1, ready 2',
		],
	])('%s', (_, rows, orders, expected) => {
		expect(showMatches(rows, orders)).toBe(expected);
	});
});

describe('edited duplicates', () => {
	const shared = makeOrders({ input: mug, rowCount: 2 });
	test.each<Case>([
		[
			'a duplicate is an edit if the order had two rows',
			makeRows(mug, mugForCooks),
			shared,
			'ready 1, changed 1',
		],
		[
			'a second row of the product is new if the order had one row',
			makeRows(mug, mugForCooks),
			makeOrders({ input: mug }),
			'ready 1, pending',
		],
		[
			'rows that were edited in the same way share the order',
			makeRows(mugForCooks, mugForCooks),
			shared,
			'changed 1, changed 1',
		],
		[
			'rows that were edited in the same way share the order of a single row',
			makeRows(mugForCooks, mugForKids, mugForCooks),
			makeOrders({ input: mug }),
			'changed 1, pending, changed 1',
		],
		[
			'rows that were edited in different ways share the order of two rows',
			makeRows(mugForCooks, mugForKids),
			shared,
			'changed 1, changed 1',
		],
		[
			'a third row of the product is new',
			makeRows(mug, mugForCooks, mugForKids),
			shared,
			'ready 1, changed 1, pending',
		],
	])('%s', (_, rows, orders, expected) => {
		expect(showMatches(rows, orders)).toBe(expected);
	});
});

describe('rows with IDs', () => {
	const withIds = makeOrders({ input: mug, rowId: 'A1' }, { input: pan, rowId: '0071' });
	test.each<Case>([
		[
			'a renamed product has the order of its row ID',
			makeRows([{ product_name: 'Vase' }, 'A1'], [pan, '71']),
			withIds,
			'changed 1, ready 2',
		],
		[
			'a row with another row ID is another product',
			makeRows([mugForCooks, 'A9'], [pan, '71']),
			withIds,
			'pending, ready 2',
		],
		[
			'without --id, an edited row has the order of its product',
			makeRows(mugForCooks, pan),
			withIds,
			'changed 1, ready 2',
		],
		[
			'with swapped row IDs, an edited row has the order of its present row ID',
			makeRows([mug, '0071'], [{ ...pan, audience: 'Cooks' }, 'A1']),
			withIds,
			'ready 1, changed 2',
		],
	])('%s', (_, rows, orders, expected) => {
		expect(showMatches(rows, orders)).toBe(expected);
	});

	test('an order takes over the row ID of its row, and the former owner loses it', () => {
		const { changes } = matchRows(makeRows([mug, '0071'], [pan, 'A1']), withIds);
		expect(changes).toEqual([
			{ order: 1, rowId: '0071' },
			{ order: 2, rowId: 'A1' },
		]);
	});

	test('an order keeps its row ID if one of its rows still has it', () => {
		const { changes } = matchRows(makeRows([mug, 'A2'], [mug, 'A1'], [pan, '71']), withIds);
		expect(changes).toEqual([{ order: 1, rowCount: 2 }]);
	});

	test('a replaced order keeps its row ID when a newer order has it', () => {
		const orders = makeOrders(
			{ input: mug, rowId: 'A1' },
			{ input: mugForCooks, rowId: 'A1', previousOrderId: 1 },
		);
		const { changes } = matchRows(makeRows([mugForCooks, 'A1']), orders);
		expect(changes).toEqual([{ order: 1, rowCount: 0 }]);
	});
});

describe('changes of orders that have new rows', () => {
	test('orders record how many rows they have', () => {
		const orders = makeOrders({ input: mug }, { input: pan });
		expect(matchRows(makeRows(mug, mug), orders).changes).toEqual([
			{ order: 1, rowCount: 2 },
			{ order: 2, rowCount: 0 },
		]);
	});

	test('an order records the input of its edited row, and forgets it when the edit is undone', () => {
		const orders = makeOrders({ input: mug });
		const { changes } = matchRows(makeRows(mugForCooks), orders);
		expect(changes).toEqual([{ order: 1, editedInput: mugForCooks }]);
		const edited = orders.withChanges(changes);
		expect(matchRows(makeRows(mug), edited).changes).toEqual([{ order: 1, editedInput: null }]);
	});

	test('an order keeps the input of its edited row while the row is missing', () => {
		const orders = makeOrders({ input: mug, editedInput: mugForCooks });
		expect(matchRows(makeRows(cup), orders).changes).toEqual([{ order: 1, rowCount: 0 }]);
	});

	test('a new order replaces the order of its row, unless another content shares that order', () => {
		const orders = makeOrders({ input: mug, rowCount: 2 });
		const [alone] = makeRows(mugForCooks);
		expect(matchRows([alone!], orders).findPreviousOrderId(alone!)).toBe(1);
		const [same, other] = makeRows(mug, mugForCooks);
		expect(matchRows([same!, other!], orders).findPreviousOrderId(other!)).toBeNull();
	});
});
