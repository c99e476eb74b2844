import { shorten } from '../../service/shortened-text';

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
		expect(shorten(text, length)).toBe(shown);
	});
});
