import { Runs } from '../../../batch/orders/runs';
import { makeOrders, mug, pan, STATES } from '../support/order-builder';

test('a brief has its first eight characters as short ID, and the whole ID if another brief shares them', () => {
	const [first, second, third] = ['0193a2b4-1', '0193a2b4-2', '70a42f64-3'] as const;
	const orders = makeOrders(
		{ input: mug, state: STATES.ready(first) },
		{ input: pan, state: STATES.ready(third) },
	);
	expect([first, third].map(orders.shortenId)).toEqual(['0193a2b4', '70a42f64']);
	const both = orders.withChanges([{ order: 2, state: STATES.ready(second) }]);
	expect([first, second].map(both.shortenId)).toEqual([first, second]);
});

test('the last run that was not refused has the CSV of the folder', () => {
	const runs = new Runs();
	runs.apply({ run: 0, csv: '/home/ada/products.csv', failuresInRow: 3 });
	runs.apply({ run: 1, csv: '' });
	expect(runs.lastStarted?.csv).toBe('/home/ada/products.csv');
	expect(runs.failuresInRow).toBe(3);
});
