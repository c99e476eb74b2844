import { Records } from '../../../batch/folder/records';
import { countRows, makePlan, type Bounds } from '../../../batch/plan/plan';
import { products, tableOf } from '../../support/batch/desk';

describe('the rows to order share what the allowance gives', () => {
	const shares = (n: number, rest: number, max: number, perMonth: number | null = 2) => {
		const bounds: Bounds = { rest, max, perMonth, now: Date.UTC(2026, 10, 20) };
		const { rows } = tableOf(products(n));
		return makePlan({ batch: 'b', rows, records: new Records(), options: {}, bounds }).rows;
	};

	test.each([
		[10, 4, Infinity, [4, 0, 6]],
		[10, 4, 2, [2, 2, 6]],
		[10, 40, 2, [2, 8, 0]],
		[3, 40, 5, [3, 0, 0]],
		[3, 0, 5, [0, 0, 3]],
		[10, Infinity, 2, [2, 8, 0]],
	])('%d to order, %d left and --max %d', (n, left, max, expected) => {
		const rows = shares(n, left, max);
		const count = (is: string) => rows.filter(({ when }) => when?.is === is).length;
		expect(['now', 'beyond_max', 'deferred'].map(count)).toEqual(expected);
		expect(countRows(rows).deferred).toBe(expected[2]);
	});

	test('and those beyond it wait for the months to come', () => {
		const months = (perMonth: number | null) =>
			shares(4, 1, Infinity, perMonth).map(({ when }) =>
				when?.is === 'deferred' ? (when.until?.slice(0, 7) ?? 'never') : when?.is,
			);
		expect(months(2)).toEqual(['now', '2026-12', '2026-12', '2027-01']);
		expect(months(0)).toEqual(['now', 'never', 'never', 'never']);
	});
});
