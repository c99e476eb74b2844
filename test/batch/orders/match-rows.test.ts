import { matchRows } from '../../../batch/orders/match-rows';
import {
	cup,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	STATES,
} from '../support/order-builder';
import { testMatches } from '../support/show-matches';

const cooksId = makeRow(2, mugForCooks).contentId;
const mugOfTwoRows = makeOrders({ input: mug, rowCount: 2 });
const reordered = makeOrders({ input: mug }, { input: mugForCooks, previousOrderId: 1 });

describe('rows with the content of an order', () => {
	testMatches({
		'have it after they moved': ['Mug | Pan', 'Pan | Mug', 'ready 2 | ready 1'],
		'have it in another spelling': ['Mug, Bakers', ' MUG, bakers', 'ready 1'],
		'share it with duplicates': ['Mug', 'Mug | Mug', 'ready 1 | ready 1'],
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
		'keep their order when they are edited again': [
			makeOrders(
				{ input: { ...mug, product_id: '12345' }, editedInput: { ...mug, product_id: '54321' } },
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
	testMatches({
		'keep their orders when the product is renamed': [
			withIds,
			'A1: Vase | 71: Skillet',
			'changed 1 | changed 2',
		],
		'are new with another row ID': [withIds, 'A9: Mug, Cooks | 71: Pan', 'pending | ready 2'],
		'have the orders of their products without --id': [
			withIds,
			'Mug, Cooks | Pan',
			'changed 1 | ready 2',
		],
		'have the order of their present row ID after row IDs were swapped': [
			withIds,
			'0071: Mug, Bakers | A1: Pan, Cooks',
			'ready 1 | changed 2',
		],
	});

	test('give their row IDs to their orders, and remove them from the former orders', () => {
		const { changes } = matchRows(makeRows('0071: Mug, Bakers', 'A1: Pan'), withIds);
		expect(changes).toEqual([
			{ order: 1, rowId: '0071' },
			{ order: 2, rowId: 'A1' },
		]);
		const [alone] = matchRows(makeRows('0071: Mug, Bakers'), withIds).changes.slice(1);
		expect(alone).toEqual({ order: 2, rowId: null, rowCount: 0 });
	});

	test('keep the row ID of an order if one of its rows still has it', () => {
		const rows = makeRows('A2: Mug, Bakers', 'A1: Mug, Bakers', '71: Pan');
		expect(matchRows(rows, withIds).changes).toEqual([{ order: 1, rowCount: 2 }]);
	});

	test('do not take their row IDs from replaced orders', () => {
		const orders = makeOrders(
			{ input: mug, rowId: 'A1' },
			{ input: mugForCooks, rowId: 'A1', previousOrderId: 1 },
		);
		const { changes } = matchRows(makeRows('A1: Mug, Cooks'), orders);
		expect(changes).toEqual([{ order: 1, rowCount: 0 }]);
	});
});

describe('the changes of orders', () => {
	test('have the number of rows', () => {
		const { changes } = matchRows(makeRows('Mug', 'Mug'), makeOrders('Mug', 'Pan'));
		expect(changes).toEqual([
			{ order: 1, rowCount: 2 },
			{ order: 2, rowCount: 0 },
		]);
	});

	test('have the input of an edited row until the edit is undone', () => {
		const orders = makeOrders({ input: mug });
		const { changes } = matchRows(makeRows(mugForCooks), orders);
		expect(changes).toEqual([{ order: 1, editedInput: mugForCooks }]);
		const edited = orders.withChanges(changes);
		expect(matchRows(makeRows(mug), edited).changes).toEqual([{ order: 1, editedInput: null }]);
	});

	test('do not have the input of an invalid row', () => {
		const invalid = makeRow(2, mugForCooks, { problems: ['#REF!'] });
		expect(matchRows([invalid], makeOrders({ input: mug })).changes).toEqual([]);
	});

	test('keep the input of an edited row while the row is missing', () => {
		const orders = makeOrders({ input: mug, editedInput: mugForCooks });
		expect(matchRows(makeRows(cup), orders).changes).toEqual([{ order: 1, rowCount: 0 }]);
	});

	test('replace the order of a row, unless another content shares that order', () => {
		const [alone] = makeRows(mugForCooks);
		expect(matchRows([alone!], mugOfTwoRows).findPreviousOrderId(alone!)).toBe(1);
		const [same, other] = makeRows(mug, mugForCooks);
		expect(matchRows([same!, other!], mugOfTwoRows).findPreviousOrderId(other!)).toBeNull();
	});
});
