/** Gives "1,204". `toLocaleString` would load the data of all languages (docs/decisions.md). */
export function formatNumber(n: number): string {
	return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Gives "1 row", "1,204 rows". */
export function count(n: number, one: string, many = `${one}s`): string {
	return `${formatNumber(n)} ${n === 1 ? one : many}`;
}

/** Names things that were named before. */
export function them(n: number): 'it' | 'them' {
	return n === 1 ? 'it' : 'them';
}

/** Gives "2026-11-10 12:00 UTC", of a time as in ISO 8601. */
export function minuteOf(time: string): string {
	return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Gives “a”, “b” and “c”, or with another word than “and”; beyond `max`, how many more there are. */
export function list(texts: readonly string[], max = 8, word = 'and'): string {
	const first = texts.slice(0, max);
	const more = texts.length - first.length;
	if (more > 0) return `${first.join(', ')} and ${more} more`;
	return first.length < 2
		? first.join('')
		: `${first.slice(0, -1).join(', ')} ${word} ${first.at(-1) ?? ''}`;
}
