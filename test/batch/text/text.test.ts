import { count, formatNumber } from '../../../batch/text';

test('numbers agree with their noun', () => {
	expect([count(0, 'row'), count(1, 'row'), count(1204, 'row'), count(2, 'is', 'are')]).toEqual([
		...['0 rows', '1 row', '1,204 rows', '2 are'],
	]);
	expect(formatNumber(1_000_000)).toBe('1,000,000');
});

test('numbers have a comma before each three digits, as in English', () => {
	for (const n of [0, 7, 99, 100, 999, 1000, 12_345, 123_456, 1_234_567, -1, -100, -1000, -123_456])
		expect(formatNumber(n)).toBe(n.toLocaleString('en-US'));
});
