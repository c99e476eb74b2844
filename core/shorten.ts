/** Messages are read in a terminal or a form. */
const SHOWN_MAX = 60;

/** Gives at most `length` characters, the last one an ellipsis if text was cut off. No emoji is cut in half. */
export function shorten(text: string, length = SHOWN_MAX): string {
	if (text.length <= length) return text;
	// A character is one or two units of UTF-16, so the rest of a long text need not be looked at.
	const characters = Array.from(text.slice(0, 2 * length + 2));
	return characters.length <= length
		? text
		: `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}

/** Gives a text of any length as part of a sentence. */
export function quote(text: string): string {
	return `“${shorten(text)}”`;
}
