/** Long texts are cut: a message is read in a terminal. */
const QUOTED_MAX = 60;

export function quoted(text: string): string {
	return `“${text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX - 1)}…` : text}”`;
}

/** “a”, “b” and “c”; beyond `max`, how many more there are. */
export function list(texts: readonly string[], max = 8): string {
	const shown = texts.slice(0, max);
	const more = texts.length - shown.length;
	if (more > 0) return `${shown.join(', ')} and ${more} more`;
	return shown.length < 2
		? shown.join('')
		: `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}
