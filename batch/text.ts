/** "1,204". `toLocaleString` would load the data of all languages (docs/decisions.md). */
export function formatNumber(n: number): string {
	return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "1 row", "1,204 rows" */
export function count(n: number, one: string, many = `${one}s`): string {
	return `${formatNumber(n)} ${n === 1 ? one : many}`;
}

/** What so many things are called when they were named before. */
export function them(n: number): 'it' | 'them' {
	return n === 1 ? 'it' : 'them';
}

/** "2026-11-10 12:00 UTC", of a time as in ISO 8601. */
export function minuteOf(time: string): string {
	return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

/** At most `length` characters, the last one an ellipsis if text was cut off. No emoji is cut in half. */
export function truncate(text: string, length: number): string {
	if (text.length <= length) return text;
	// A character is one or two units of UTF-16, so the rest of a long text need not be looked at.
	const characters = Array.from(text.slice(0, 2 * length + 2));
	return characters.length <= length
		? text
		: `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}

/** Long texts are cut, because messages are read in a terminal. */
export const QUOTED_MAX = 60;

export function quoted(text: string): string {
	return `“${truncate(text, QUOTED_MAX)}”`;
}

/** “a”, “b” and “c”, or with another word than “and”; beyond `max`, how many more there are. */
export function list(texts: readonly string[], max = 8, word = 'and'): string {
	const shown = texts.slice(0, max);
	const more = texts.length - shown.length;
	if (more > 0) return `${shown.join(', ')} and ${more} more`;
	return shown.length < 2
		? shown.join('')
		: `${shown.slice(0, -1).join(', ')} ${word} ${shown.at(-1) ?? ''}`;
}
