import { visibleText } from './visible-text';

/** HTML that is safe to put into the page. */
export class Html {
	constructor(readonly text: string) {}
}

type Value = string | number | Html | null | readonly Value[];

/**
 * Puts values into HTML. A value that is not `Html` is text: it is escaped, and invisible characters are removed. So
 * nothing can stay unescaped, as long as attributes are in quotes.
 *
 * It is not called `html`, because Prettier would then format the templates, and close elements that another template
 * closes.
 */
export function markup(strings: TemplateStringsArray, ...values: Value[]): Html {
	let text = strings[0] ?? '';
	for (const [i, value] of values.entries()) text += encode(value) + (strings[i + 1] ?? '');
	return new Html(text);
}

function encode(value: Value): string {
	if (value === null) return '';
	if (value instanceof Html) return value.text;
	if (typeof value === 'object') return value.map(encode).join('');
	return escapeHtml(String(value));
}

/** Links to an address on the web that is safe to open; null for any other. */
export function webLink(address: string, text: string): Html | null {
	const safe = safeWebAddress(address);
	return safe === null
		? null
		: markup`<a href="${safe}" rel="noopener noreferrer" target="_blank">${text}</a>`;
}

/** Gives an http or https address that is safe to link to, or null: no javascript:, data:, file: and the like. */
export function safeWebAddress(text: string): string | null {
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
	const url = new URL(text);
	// A user name can make the host look like another: https://vendor.com@evil.example
	return url.username === '' && url.password === '' ? url.href : null;
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escapeHtml(text: string): string {
	return visibleText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
