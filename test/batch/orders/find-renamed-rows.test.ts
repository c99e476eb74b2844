import type { Row } from '../../../batch/csv/types';
import type { Orders } from '../../../batch/orders/orders';
import { makeOrders, makeRows, mug, STATES } from '../support/order-builder';
import { keepOrders, showMatches } from '../support/show-matches';

type Case = readonly [title: string, rows: readonly Row[], orders: Orders, expected: string];

const glow = { product_name: 'Glow Serum', audience: 'Teens' };
const glowForMen = { product_name: 'Glow Serum', audience: 'Men' };
const lamp = { product_name: 'Black Oak Desk Lamp' };
const rename = (input: typeof mug, product_name: string) => ({ ...input, product_name });
const glow2026 = rename(glow, 'Glow Serum 2026');
const named = makeOrders({ input: glow }, { input: lamp });

describe('edited names', () => {
	test.each([
		['Glow Serum', 'Glow Serum 2026', 'an addition'],
		['Oak Desk Lamp Black', 'Oak Desk Lamp', 'a word less'],
		['Glow Serun', 'Glow Serum', 'a corrected typo'],
		['Glow-Serum', 'Glow Serum', 'another spelling'],
		['Glow Serum', 'GlowSerum', 'a missing space'],
		['Pine Candle 松', 'Pine Candle ?', 'a letter that another program could not show'],
		['1,000 Piece Puzzle', '1000 Piece Puzzle', 'a thousands separator less'],
		['Puzzle 1,200,000', 'Puzzle 1200000', 'two thousands separators less'],
		['Scale 1.5 kg', 'Scale 1,5 kg', 'another decimal separator'],
	])('%s and %s are the same product: %s', (ordered, edited) => {
		const orders = makeOrders({ input: { product_name: ordered } });
		expect(showMatches(makeRows({ product_name: edited }), orders)).toBe('changed 1');
	});

	test.each([
		['Lipstick 12', 'Lipstick 1', 'another number'],
		['Lipstick 1', 'Lipstick 12', 'another number'],
		['Scale 1.5 kg', 'Scale 15 kg', 'another number'],
		['Set 1, 200 pieces', 'Set 1200 pieces', 'other numbers'],
		['Red Lipstick', 'Pink Lipstick', '7 of 10 pairs of letters are the same'],
		['Black Oak Desk Lamp', 'White Oak Desk Lamp', 'three of four words are the same'],
		['Mug', 'Cup', 'nothing is the same'],
	])('%s and %s are two products: %s', (ordered, edited) => {
		const orders = makeOrders({ input: { product_name: ordered } });
		expect(showMatches(makeRows({ product_name: edited }), orders)).toBe('pending');
	});
});

describe('rows with an edited name', () => {
	test.each<Case>([
		['keep their orders', makeRows(glow2026, lamp), named, 'changed 1, ready 2'],
		[
			'share the order if they have the same name',
			makeRows(glow2026, glow2026),
			makeOrders({ input: glow, rowCount: 2 }),
			'changed 1, changed 1',
		],
		[
			'stay failed if they had failed',
			makeRows(glow2026),
			makeOrders({ input: glow, state: STATES.failed() }),
			'failed 1',
		],
		[
			'get the most similar order first',
			makeRows({ product_name: 'Mug XL 2026' }, { product_name: 'Mug 2026' }),
			makeOrders({ input: { product_name: 'Mug' } }, { input: { product_name: 'Mug XL' } }),
			'changed 2, changed 1',
		],
		[
			'get the next similar order if another row has the most similar',
			makeRows({ product_name: 'Glow Serum New' }, { product_name: 'Glow Serum Neu' }),
			makeOrders(
				{ input: { product_name: 'Glow Serum' } },
				{ input: { product_name: 'Glow Serum XL' } },
			),
			'changed 1, changed 2',
		],
		[
			'are new if another cell was edited, too',
			makeRows({ ...glowForMen, product_name: 'Glow Serum 2026' }, lamp),
			named,
			'pending, ready 2',
		],
		[
			'are new if the row of the alike name is still in the CSV',
			makeRows(glow, glow2026, lamp),
			named,
			'ready 1, pending, ready 2',
		],
		[
			'are new if the order had no row in the last run',
			makeRows(glow2026),
			makeOrders({ input: glow, rowCount: 0 }),
			'pending',
		],
		[
			'are new if they have a row ID',
			makeRows([glow2026, 'A1']),
			makeOrders({ input: glow }),
			'pending',
		],
		[
			'are new if the order has a row ID',
			makeRows(glow2026),
			makeOrders({ input: glow, rowId: 'A1' }),
			'pending',
		],
		[
			'are new if they have a product ID',
			makeRows({ ...glow2026, product_id: '12345' }),
			makeOrders({ input: { ...glow, product_id: '54321' } }),
			'pending',
		],
		[
			'keep their orders if another cell was edited before the last run',
			makeRows({ ...glowForMen, product_name: 'Glow Serum 2026' }),
			makeOrders({ input: glow, editedInput: glowForMen }),
			'changed 1',
		],
		[
			'keep their orders if another cell is edited after the last run',
			makeRows({ ...glowForMen, product_name: 'Glow Serum 2026' }),
			makeOrders({ input: glow, editedInput: glow2026 }),
			'changed 1',
		],
		[
			'are new if another row is already like one of the two inputs of the order',
			makeRows({ ...glowForMen, product_name: 'Glow Serum 2026' }, rename(glow, 'Glow Serum New')),
			makeOrders({ input: glow, editedInput: glowForMen }),
			'changed 1, pending',
		],
	])('%s', (_, rows, orders, expected) => {
		expect(showMatches(rows, orders)).toBe(expected);
	});
});

test.each([
	['seven numbered names', [1, 2, 3, 12, 20, 22, 120].map((n) => `Lipstick ${n}`)],
	['seven numbered names, backwards', [120, 22, 20, 12, 3, 2, 1].map((n) => `Lipstick ${n}`)],
	['900 numbered names', Array.from({ length: 900 }, (_, n) => `Thing number ${n + 1}`)],
])('%s keep their orders when each gets an addition', (_, names) => {
	const orders = makeOrders(...names.map((product_name) => ({ input: { product_name } })));
	const rows = makeRows(...names.map((name) => ({ product_name: `${name} 2026` })));
	expect(keepOrders(rows, orders)).toBe(true);
});
