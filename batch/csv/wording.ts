import { truncate } from '../text';

/** Long texts are cut, because messages are read in a terminal. */
export const QUOTED_MAX = 60;

export function quoted(text: string): string {
	return `“${truncate(text, QUOTED_MAX)}”`;
}

/** The part of a line around its first character beyond ASCII. */
export function excerpt(line: string): string {
	const at = line.search(/[^ -~]/);
	const start = at > 30 ? line.lastIndexOf(' ', at - 20) + 1 : 0;
	return quoted(start > 0 ? `…${line.slice(start)}` : line);
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

/** A delimiter in the middle of a sentence. */
export function delimiterName(delimiter: string): string {
	const name = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }[delimiter];
	return name ?? `“${delimiter}”`;
}
