import { shorten } from '../../../service/shortened-text';

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
