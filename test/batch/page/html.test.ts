import { markup, visibleLine, visibleText } from '../../../batch/page/html';

describe('markup', () => {
	it('takes its values for text, in an attribute as well', () => {
		expect(markup`<a title="${'"><b>'}">${`<'&"`}</a>`.text).toBe(
			'<a title="&quot;&gt;&lt;b&gt;">&lt;&#39;&amp;&quot;</a>',
		);
	});

	it('takes markup for what it is, alone or in lists, and null for nothing', () => {
		const item = (n: number) => markup`<li>${n}</li>`;
		expect(markup`<ul>${[1, 2].map(item)}${null}</ul>`.text).toBe('<ul><li>1</li><li>2</li></ul>');
	});

	it('lets no character through that is not seen', () => {
		expect(markup`${'a\u0000b\u202ec\u200bd'}`.text).toBe('a bcd');
	});
});

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
