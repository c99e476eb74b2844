import { matchRows } from '../../../batch/orders/match-rows';
import { acceptEdits, checkChoices } from '../../../batch/plan/row-choices';
import { makeOrders, makeRows, START } from '../support/order-builder';
import { ALL_ROWS } from '../support/show-plan';
import { showMatches } from '../support/show-matches';

/* Comparing each row with each order would take minutes, so these tests would exceed jest's timeout. */

const indexes = [...Array(20_000).keys()];
const orders = makeOrders(...indexes.map((index) => `Glow Serum ${index} Deluxe`));

test('2,000 edited rows of one product keep their orders', () => {
	const mugs = indexes.slice(0, 2000).map((index) => `Mug, Audience ${index % 9}, Goal ${index}`);
	const rows = makeRows(...mugs).map((row) => ({
		...row,
		contentId: `${row.contentId} edited`,
		input: { ...row.input, campaign_terms: '10 %' },
	}));
	const kept = mugs.map((_, index) => `changed ${index + 1}`);
	expect(showMatches(rows, makeOrders(...mugs))).toBe(kept.join(' | '));
});

test('10,000 rows with edited names keep their orders in another sequence, after 10,000 rows were removed', () => {
	const half = indexes.slice(10_000).toReversed();
	const rows = makeRows(...half.map((index) => `Glow Serum ${index} Deluxe New`));
	const kept = half.map((index) => `changed ${index + 1}`);
	expect(showMatches(rows, orders)).toBe(kept.join(' | '));
});

test('6,840 rows whose names consist of the same twenty words keep their orders when each gets an addition', () => {
	const words = Array.from({ length: 20 }, (_, index) => `Word${'abcdefghijklmnopqrst'[index]}`);
	const names = words.flatMap((a) => words.flatMap((b) => words.map((c) => `${a} ${b} ${c}`)));
	const distinct = names.filter((name) => new Set(name.split(' ')).size === 3);
	const rows = makeRows(...distinct.map((name) => `${name} New`));
	const kept = distinct.map((_, index) => `changed ${index + 1}`);
	expect(showMatches(rows, makeOrders(...distinct))).toBe(kept.join(' | '));
});

test('--accept-edits accepts 20,000 edited rows', () => {
	const rows = makeRows(...indexes.map((index) => `Glow Serum ${index} Deluxe, Teens`));
	const decisions = new Map(rows.map(({ number }) => [number, { kind: 'accept_edit' }] as const));
	const matches = matchRows(rows, orders, START);
	const chosen = checkChoices(rows, { orders, matches }, { ...ALL_ROWS, choices: decisions });
	expect(acceptEdits(chosen, matches)).toHaveLength(20_000);
});
