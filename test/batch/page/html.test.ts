import { visibleLine, visibleText } from '../../../batch/page/html';

describe('text as it is to be seen', () => {
	it('keeps line ends, tabs, joined emoji and other scripts', () => {
		for (const text of ['a\nb\tc', '👩‍🔬', 'שלום', 'नमस्ते', 'می‌خواهم'])
			expect(visibleText(text)).toBe(text);
		expect(visibleText('a\r\nb\rc')).toBe('a\nb\nc');
	});

	it('allows no more accents on a letter than any language has', () => {
		expect(visibleText(`a${'\u0301'.repeat(50)}b`)).toBe(`a${'\u0301'.repeat(4)}b`);
	});

	it('is shortened on one line, between characters', () => {
		expect(visibleLine(' a \n b ', 10)).toBe('a b');
		expect(visibleLine('🎬🎬🎬', 3)).toBe('🎬🎬🎬');
		expect(visibleLine('🎬🎬🎬🎬', 3)).toBe('🎬🎬…');
	});
});
