import { makeOrders, makeRows, STATES } from '../support/order-builder';
import { showMatches, testMatches } from '../support/show-matches';

const glow = { product_name: 'Glow Serum', audience: 'Teens' };
const glow2026 = { ...glow, product_name: 'Glow Serum 2026' };
const glowForMen = { ...glow, audience: 'Men' };
const glow2026ForMen = makeRows({ ...glow2026, audience: 'Men' });

describe('an edited name', () => {
	test.each([
		['Glow Serum', 'Glow Serum 2026', 'an addition'],
		['Oak Desk Lamp Black', 'Oak Desk Lamp', 'one word is missing'],
		['Glow Serun', 'Glow Serum', 'a corrected typo'],
		['Glow-Serum', 'Glow Serum', 'another spelling'],
		['Glow Serum', 'GlowSerum', 'a missing space'],
		['Pine Candle 松', 'Pine Candle ?', 'a letter that another program could not show'],
		['1,000 Piece Puzzle', '1000 Piece Puzzle', 'a thousands separator less'],
		['Puzzle 1,200,000', 'Puzzle 1200000', 'two thousands separators less'],
		['Scale 1.5 kg', 'Scale 1,5 kg', 'another decimal separator'],
		['Vases', 'Vase', 'a letter less'],
		['Wallet', 'Walets', 'two letters of six'],
		['Vase', 'Vace', 'one letter of four'],
		['Mug', 'Mag', 'one letter of three'],
		['Lavender Hand Creme', 'Lavendar Hand Cream', 'three letters of nineteen'],
	])('from %s to %s is the same product: %s', (ordered, edited) => {
		expect(showMatches(makeRows(edited), makeOrders(ordered))).toBe('changed 1');
	});

	test.each([
		['Lipstick 12', 'Lipstick 1', 'another number'],
		['Lipstick 1', 'Lipstick 12', 'another number'],
		['Scale 1.5 kg', 'Scale 15 kg', 'another number'],
		['Red Lipstick', 'Pink Lipstick', 'four letters are more than a fifth'],
		['Black Oak Desk Lamp', 'White Oak Desk Lamp', 'five letters are more than a fifth'],
		['Mug', 'Cup', 'two letters are more than a third'],
		['Puzzle 1,200', 'Puzzle 1 pack of 200', 'other numbers, in spite of the same words'],
		['Puzzle 1 pack of 200', 'Puzzle 1,200', 'other numbers, in spite of the same words'],
		['Oak Lamp', 'Oak Desk', 'no name has all words of the other'],
	])('from %s to %s is another product: %s', (ordered, edited) => {
		expect(showMatches(makeRows(edited), makeOrders(ordered))).toBe('pending');
	});

	test('with other numbers between commas is another product', () => {
		const orders = makeOrders({ input: { product_name: 'Set 1, 200 pieces' } });
		expect(showMatches(makeRows('Set 1200 pieces'), orders)).toBe('pending');
	});
});

describe('rows with an edited name', () => {
	testMatches({
		'keep their orders': [
			'Glow Serum, Teens | Black Oak Desk Lamp',
			'Glow Serum 2026, Teens | Black Oak Desk Lamp',
			'changed 1 | ready 2',
		],
		'share the order if they have the same name': [
			makeOrders({ input: glow, rowCount: 2 }),
			makeRows(glow2026, glow2026),
			'changed 1 | changed 1',
		],
		'stay failed': [
			makeOrders({ input: glow, state: STATES.failed() }),
			makeRows(glow2026),
			'failed 1',
		],
		'get the most similar order': [
			'Mug | Mug XL',
			'Mug XL 2026 | Mug 2026',
			'changed 2 | changed 1',
		],
		'get the next similar order if another row has the most similar': [
			'Glow Serum | Glow Serum XL',
			'Glow Serum XM | Glow Serum XN',
			'changed 2 | changed 1',
		],
		'get an order that has lost one of two rows': [
			makeOrders({ input: glow, rowCount: 2 }),
			'Glow Serum, Teens | Glow Serum New, Teens',
			'ready 1 | changed 1',
		],
		'get an order before a row with only the product in common': [
			'Glow Serum, Kids | Glow Serum',
			'Glow Serum New, Kids | Glow Serum, Cooks, Sell',
			'changed 1 | changed 2',
		],
		'are new if another cell was edited, too': [
			'Glow Serum, Teens | Lamp',
			'Glow Serum 2026, Men | Lamp',
			'pending | ready 2',
		],
		'are new if the row of the similar name is in the CSV': [
			'Glow Serum | Lamp',
			'Glow Serum | Glow Serum 2026 | Lamp',
			'ready 1 | pending | ready 2',
		],
		'are new if they have a row ID': ['Glow Serum', 'A1: Glow Serum 2026', 'pending'],
		'are new if the order has a row ID and another row has one': [
			'A1: Glow Serum | A2: Lamp',
			'Glow Serum 2026 | A2: Lamp',
			'pending | ready 2',
		],
		'keep their orders without --id': ['A1: Glow Serum', 'Glow Serum 2026', 'changed 1'],
		'are new if they have a product ID': [
			makeOrders({ input: { ...glow, product_id: '54321' } }),
			makeRows({ ...glow2026, product_id: '12345' }),
			'pending',
		],
		'keep their orders if another cell was edited before the last run': [
			makeOrders({ input: glow, editedInputs: [glowForMen] }),
			glow2026ForMen,
			'changed 1',
		],
		'keep their orders if another cell is edited after the last run': [
			makeOrders({ input: glow, editedInputs: [glow2026] }),
			glow2026ForMen,
			'changed 1',
		],
		'are new if another row has the order by one of its two inputs': [
			makeOrders({ input: glow, editedInputs: [glowForMen] }),
			makeRows('Glow Serum 2026, Men', 'Glow Serum New, Teens'),
			'changed 1 | pending',
		],
	});
});

const numbered = [1, 2, 3, 12, 20, 22, 120].map((number) => `Lipstick ${number}`);

test.each<[string, string[]]>([
	['seven numbered names', numbered],
	['seven numbered names, backwards', numbered.toReversed()],
])('%s keep their orders when each gets an addition', (_, names) => {
	const rows = makeRows(...names.map((name) => `${name} 2026`));
	const kept = names.map((_, index) => `changed ${index + 1}`);
	expect(showMatches(rows, makeOrders(...names))).toBe(kept.join(' | '));
});
