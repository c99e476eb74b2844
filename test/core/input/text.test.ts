import { quote, shorten } from '../../../core/input/text';

test.each([
	['abc', 3, 'abc'],
	['abcd', 3, 'ab…'],
	['abc', 0, '…'],
	['🧴🧴🧴', 3, '🧴🧴🧴'],
	['🧴🧴🧴🧴', 3, '🧴🧴…'],
	['a🧴🧴🧴🧴🧴', 3, 'a🧴…'],
	['🧴🧴🧴🧴🧴🧴🧴🧴🧴', 2, '🧴…'],
])('shortens %j to %i characters: %j', (text, length, shortened) => {
	expect(shorten(text, length)).toBe(shortened);
});

test('quotes at most 60 characters', () => {
	expect(quote('Lamp')).toBe('“Lamp”');
	expect(quote('x'.repeat(61))).toBe(`“${'x'.repeat(59)}…”`);
});
