import MarkdownIt from 'markdown-it';
import { Html, visibleText } from './html';

type Token = ReturnType<MarkdownIt['parse']>[number];

/** Longer than any brief. What is cut off is in the .md file. */
const MOST_CHARACTERS = 200_000;

/**
 * The Markdown comes from outside. HTML in it stays text, links go to the web only, and no picture is loaded: that would
 * show its server that the report is being read.
 */
const markdown = new MarkdownIt({ html: false }).disable('image');
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.validateLink = (url) => /^https?:\/\//i.test(url);

/** Finding bare addresses takes time in the square of the longest text without a space: up to minutes. */
const TOO_LONG_TO_LINK = /\S{1000}/;

// A wide table scrolls sideways, so that the page need not.
markdown.renderer.rules.table_open = () => '<div class="scroll"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

/**
 * Makes HTML of a brief's Markdown.
 * @param title the heading above it; the same heading at the start of the text is left out
 */
export function renderMarkdown(text: string, title: string): Html {
	const source = visibleText(text.slice(0, MOST_CHARACTERS));
	markdown.set({ linkify: !TOO_LONG_TO_LINK.test(source) });
	const tokens = markdown.parse(source, {});
	const body = tokens.slice(repeatsTitle(tokens, title) ? 3 : 0);
	for (const { children } of body) openElsewhere(children ?? []);
	body.forEach(placeHeading);
	const rendered = markdown.renderer.render(body, markdown.options, {});
	const rest = text.length > MOST_CHARACTERS ? '<p>The rest is in the Markdown file.</p>' : '';
	return new Html(rendered + rest);
}

/** Puts a heading below that of the page, an h3. In a brief, whose title is above it, most are of the second level. */
function placeHeading(token: Token): void {
	if (token.type !== 'heading_open' && token.type !== 'heading_close') return;
	token.tag = `h${Math.min(6, Math.max(4, Number(token.tag.slice(1)) + 2))}`;
}

function repeatsTitle([first, second]: Token[], title: string): boolean {
	return first?.type === 'heading_open' && second?.content.trim() === visibleText(title).trim();
}

function openElsewhere(tokens: readonly Token[]): void {
	for (const token of tokens.filter(({ type }) => type === 'link_open'))
		token.attrs?.push(['rel', 'noopener noreferrer'], ['target', '_blank']);
}
