import { isLink } from './links';

/** Zero-width marks, soft hyphens and the signs of the direction of writing, for example. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The same, but for what belongs to an emoji before it. */
const MARK = /(?![\ufe0f\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/u;
const MARKS_TO_SHOW = new RegExp(`(?<!\\p{Extended_Pictographic}\\ufe0f?)${MARK.source}`, 'gu');

/** Texts that are already as they are compared, except for capitals. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Gives a text as it is compared, never as it is sent: without what is invisible, or changes when a program saves a
 * table. That is how letters are composed, capitals, double and hard blanks, and zero-width marks. A link keeps its
 * capitals.
 */
export function spelling(text: string): string {
	const plain = PLAIN.test(text)
		? text
		: withoutMarks(text).normalize('NFKC').replace(/\s+/g, ' ').trim();
	return isLink(plain) ? plain : plain.toLowerCase();
}

export function withoutMarks(text: string): string {
	return text.replace(INVISIBLE, '');
}

/** Gives a text without the blanks and the marks that nobody sees around it, and with line ends as \n. */
export function tidy(text: string): string {
	const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
	let [from, to] = [0, lines.length];
	while (from < to && isNothingToSee(lines, from)) from++;
	while (to > from && isNothingToSee(lines, to - 1)) to--;
	return lines.slice(from, to);
}

function isNothingToSee(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	if (code > 32 && code < 127) return false;
	const character = text.charAt(at);
	return character.trim() === '' || MARK.test(character);
}

/** Writes the marks that nobody sees, such as U+202D. */
export function withMarksShown(text: string): string {
	return text.replace(MARKS_TO_SHOW, (mark) => {
		const code = mark.codePointAt(0) ?? 0;
		return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
	});
}
