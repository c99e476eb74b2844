import { truncate } from '../text';

/** Long texts are cut: a message is read in a terminal. */
const QUOTED_MAX = 60;

export function quoted(text: string): string {
	return `“${truncate(text, QUOTED_MAX)}”`;
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
