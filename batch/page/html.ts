import { shorten } from '../../service/shortened-text';

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

/** The usual case, of which nothing is taken out. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Control characters, and Unicode's own line ends, which only some programs know. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;

/**
 * Invisible characters that change what is seen: overrides of the writing direction (a file "gpj.exe" that reads
 * "exe.jpg"), zero-width spaces, interlinear notes. Joiners stay, because emoji and several scripts need them.
 */
const INVISIBLE =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** More accents on one letter than any language has; they would be drawn over the lines above. */
const PILED_UP = /(\p{M}{4})\p{M}+/gu;

/** Gives the text without invisible characters, and without those that rearrange the text around them. */
export function visibleText(text: string): string {
	if (PLAIN.test(text)) return text;
	return text
		.replace(/\r\n?/g, '\n')
		.replace(CONTROLS, (control) => (control === '\n' || control === '\t' ? control : ' '))
		.replace(INVISIBLE, '')
		.replace(PILED_UP, '$1');
}

/** Gives the visible text on one line of at most `length` characters. */
export function visibleLine(text: string, length: number): string {
	// Only as much as can be needed: a text from outside may have any length.
	const line = visibleText(text.slice(0, 8 * length))
		.replace(/\s+/g, ' ')
		.trim();
	return shorten(line, length);
}
