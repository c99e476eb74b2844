import { renderMarkdown } from '../../../batch/page/markdown';

const rendered = (text: string, title = 'Title') => renderMarkdown(text, title).text.trim();

describe('a brief’s Markdown', () => {
	it('becomes headings below those of the page, paragraphs, lists and tables', () => {
		expect(rendered('## A\n\n### B\n\ntext\n\n- one\n- two')).toBe(
			'<h4>A</h4>\n<h5>B</h5>\n<p>text</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>',
		);
		expect(rendered('| a |\n|---|\n| b |')).toMatch(
			/^<div class="scroll"><table>[^]*<\/table><\/div>$/,
		);
	});

	it('does not repeat the title that is above it', () => {
		expect(rendered('# The glow\n\nText', 'The glow')).toBe('<p>Text</p>');
		expect(rendered('# Another\n\nText', 'The glow')).toBe('<h4>Another</h4>\n<p>Text</p>');
	});

	it('keeps HTML as text', () => {
		expect(rendered('<b>x</b>')).toBe('<p>&lt;b&gt;x&lt;/b&gt;</p>');
	});

	const attributes = 'rel="noopener noreferrer" target="_blank"';

	it('links to the web, and there only', () => {
		expect(rendered('[x](https://a.example)')).toBe(
			`<p><a href="https://a.example" ${attributes}>x</a></p>`,
		);
		expect(rendered('See https://a.example.')).toContain(
			`<a href="https://a.example" ${attributes}>`,
		);
		for (const target of [
			'javascript:alert(1)',
			'data:text/html,x',
			'//a.example',
			'x.html',
			'#top',
			'mailto:a@b.c',
		])
			expect(rendered(`[x](${target})`)).not.toContain('<a');
	});

	it('has no picture, which would show that the report is read', () => {
		expect(rendered('![The bottle](https://a.example/p.jpg)')).toBe(
			`<p>!<a href="https://a.example/p.jpg" ${attributes}>The bottle</a></p>`,
		);
	});

	it('is cut if it is longer than any brief, and says where the rest is', () => {
		const long = rendered('word '.repeat(200_000));
		expect(long.length).toBeLessThan(210_000);
		expect(long).toContain('The rest is in the Markdown file.');
	});
});
