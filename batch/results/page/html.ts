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
