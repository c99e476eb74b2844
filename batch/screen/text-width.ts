/** Each of these characters is one column wide. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Emoji that are drawn as pictures, and the letters of East Asia with all that goes with them (Unicode UAX #11). */
const WIDE =
	/\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\ufe0f\u20e3|[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]+$/u;

/** Counts the columns of a terminal that a text takes. */
export function textWidth(text: string): number {
	if (PLAIN.test(text)) return text.length;
	let width = 0;
	for (const { segment } of charactersOf(text)) width += characterWidth(segment);
	return width;
}

let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text into what people read as characters: a letter with its marks, an emoji of several parts. The
 * segmenter is made when it is needed, because that takes as long as a short command.
 */
function charactersOf(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
	return segmenter.segment(text);
}

function characterWidth(character: string): number {
	if (WIDE.test(character)) return 2;
	return INVISIBLE.test(character) ? 0 : 1;
}

/** Gives at most this many columns of a text, the last one an ellipsis if it was cut off. */
export function fitWidth(text: string, width: number): string {
	// No character of many parts is longer than this, and what follows is not looked at, however long the text is.
	const start = text.slice(0, 16 * (width + 1));
	if (start.length === text.length && textWidth(text) <= width) return text;
	let fitting = '';
	let room = width - 1;
	for (const { segment } of charactersOf(start)) {
		room -= characterWidth(segment);
		if (room < 0) break;
		fitting += segment;
	}
	return width < 1 ? '' : `${fitting}…`;
}

/** Makes a text as wide as a column of a table: cut off or filled up with blanks. */
export function padWidth(text: string, width: number): string {
	const cell = fitWidth(text, width);
	return cell + ' '.repeat(Math.max(0, width - textWidth(cell)));
}
