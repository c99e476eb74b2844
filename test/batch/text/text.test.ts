import { count, formatNumber, truncate } from '../../../batch/text';

test('numbers stand with their noun', () => {
	expect([count(0, 'row'), count(1, 'row'), count(1204, 'row'), count(2, 'is', 'are')]).toEqual([
		...['0 rows', '1 row', '1,204 rows', '2 are'],
	]);
	expect(formatNumber(1_000_000)).toBe('1,000,000');
});

describe('a text that is too long', () => {
	test.each([
		['abc', 3, 'abc'],
		['abcd', 3, 'ab…'],
		['abc', 0, '…'],
		['🧴🧴🧴', 3, '🧴🧴🧴'],
		['🧴🧴🧴🧴', 3, '🧴🧴…'],
		['a🧴🧴🧴🧴🧴', 3, 'a🧴…'],
		['🧴🧴🧴🧴🧴🧴🧴🧴🧴', 2, '🧴…'],
	])('%j is at most %i characters: %j', (text, length, shown) => {
		expect(truncate(text, length)).toBe(shown);
	});
});
