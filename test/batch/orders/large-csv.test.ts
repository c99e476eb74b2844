import { planAcceptedEdits } from '../../../batch/plan/row-decisions';
import { matchRows } from '../../../batch/orders/match-rows';
import { ALL_ROWS } from '../../../batch/plan/selection';
import { makeOrders, makeRows } from '../support/order-builder';
import { keepOrders } from '../support/show-matches';

/* Comparing each row with each order would take minutes of CPU time, so these tests would run into jest's timeout. */

function listProducts(count: number) {
	return Array.from({ length: count }, (_, index) => ({
		product_name: `Glow Serum ${index} Deluxe`,
		audience: `Audience ${index % 9}`,
	}));
}

const products = listProducts(20_000);
const orders = makeOrders(...products.map((input) => ({ input })));
const renamedRows = makeRows(
	...products.map((input) => ({ ...input, product_name: `${input.product_name} New` })),
);

test('2,000 edited rows of one product keep their orders', () => {
	const mugs = listProducts(2000).map(({ audience }, index) => ({
		product_name: 'Mug',
		audience,
		objective: `Objective ${index}`,
	}));
	const rows = makeRows(...mugs.map((input) => ({ ...input, campaign_terms: '10 %' })));
	expect(keepOrders(rows, makeOrders(...mugs.map((input) => ({ input }))))).toBe(true);
});

test('20,000 rows with edited names keep their orders', () => {
	expect(keepOrders(renamedRows, orders)).toBe(true);
});

test('10,000 rows with edited names keep their orders in another sequence, after 10,000 rows were removed', () => {
	const half = renamedRows.slice(10_000).toReversed();
	const matches = matchRows(half, orders);
	const keepsOrder = half.map((row) => {
		const match = matches.get(row);
		return match.kind === 'edited' && match.order.id === row.number - 1;
	});
	expect(keepsOrder).not.toContain(false);
});

test('--accept-edits accepts 20,000 edited rows', () => {
	const rows = makeRows(...products.map((input) => ({ ...input, objective: 'Sell' })));
	const decisions = new Map(rows.map(({ number }) => [number, { kind: 'accept_edit' }] as const));
	expect(planAcceptedEdits(rows, orders, { ...ALL_ROWS, decisions })).toHaveLength(20_000);
});
