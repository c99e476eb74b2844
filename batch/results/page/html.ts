import { visibleText } from './visible-text';

/** A piece of a page that is safe to stand in it. */
export class Html {
	constructor(readonly text: string) {}
}

type Value = string | number | Html | null | readonly Value[];

/**
 * Puts values into HTML. Whatever is not itself made here is text: its markup is taken away, and so are characters
 * that are not seen. Safety does not depend on anybody's remembering it, as long as attributes stand in quotes.
 *
 * The name is not `html`, by which Prettier would know the templates: it closes what is left open for the next piece.
 */
export function markup(strings: TemplateStringsArray, ...values: Value[]): Html {
	return new Html(String.raw({ raw: strings }, ...values.map(encode)));
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
