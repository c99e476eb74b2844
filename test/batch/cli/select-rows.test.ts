import { selectRows } from '../../../batch/cli/select-rows';
import { readRowsOrChanged } from '../../../batch/cli/values';
import { makeRow } from '../support/order-builder';

const ROWS = [
	makeRow(2, { product_name: 'Mug' }, { rowId: 'A1' }),
	makeRow(3, { product_name: 'Pan' }, { rowId: 'B', isSkipped: true }),
	makeRow(5, { product_name: 'Cup' }),
];

const select = (text: string, rows = ROWS) => [
	...selectRows('--only', readRowsOrChanged(text), rows, () => [5]),
];

test.each([
	['2', [2]],
	['2-5', [2, 5]],
	['@A1,5', [2, 5]],
	['@a1', [2]],
	['changed', [5]],
])('%s selects rows %j', (text, expected) => {
	expect(select(text)).toEqual(expected);
});

test.each([
	['4', '--only: the CSV has no row 4.'],
	['6-9', '--only: the CSV has no row 6-9.'],
	['@X', '--only: the CSV has no row @X.'],
	['3', '--only: --where skips row 3.'],
])('%s is refused', (text, message) => {
	expect(() => select(text)).toThrow(message);
});

test('@A1 without --id is refused', () => {
	const rows = [makeRow(4, { product_name: 'Mug' })];
	expect(() => select('@A1', rows)).toThrow('--only: no row has an ID, so @A1 names none.');
});
