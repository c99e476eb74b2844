import { CliError } from '../../../batch/cli-error';
import { selectRows } from '../../../batch/cli/select-rows';
import { readRowsOrChanged } from '../../../batch/cli/values';
import { makeRow } from '../support/order-builder';

const ROWS = [
	makeRow(2, { product_name: 'Mug' }, { rowId: 'A1' }),
	makeRow(3, { product_name: 'Pan' }, { rowId: 'B', isSkipped: true }),
	makeRow(5, { product_name: 'Cup' }),
];
const findChanged = () => [5];

function select(text: string, rows = ROWS): string {
	try {
		return [...selectRows('--only', readRowsOrChanged(text), rows, findChanged)].join();
	} catch (error) {
		if (error instanceof CliError) return `${error.exitCode} ${error.message}`;
		throw error;
	}
}

test.each([
	['2', '2'],
	['2-5', '2,5'],
	['@A1,5', '2,5'],
	['changed', '5'],
])('%s selects rows %s', (rows, expected) => {
	expect(select(rows)).toBe(expected);
});

test.each([
	['4', '2 --only: the CSV has no row 4.'],
	['6-9', '2 --only: the CSV has no row 6-9.'],
	['@X', '2 --only: the CSV has no row @X.'],
	['3', '2 --only: --where skips row 3.'],
])('%s is refused', (rows, expected) => {
	expect(select(rows)).toBe(expected);
});

test('@A1 without --id is refused', () => {
	expect(select('@A1', [makeRow(4, { product_name: 'Mug' })])).toBe(
		'2 --only: no row has an ID, so @A1 names none.',
	);
});
