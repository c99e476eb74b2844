import { truncate } from '../../text';

/** Control characters other than TAB and LF, and Unicode's own line ends, which only some programs honour. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;

/**
 * Characters that are not seen and change what is: overrides of the writing direction (a file "gpj.exe" that reads
 * "exe.jpg"), zero-width spaces, interlinear notes. The joiners stay; emoji and several scripts need them.
 */
const UNSEEN =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** More accents on one letter than any language writes; they would be drawn over the lines above. */
const PILED_UP = /(\p{M}{4})\p{M}+/gu;

/** The text as a reader is meant to see it: nothing invisible, nothing that rearranges what stands around it. */
export function visibleText(text: string): string {
	return text
		.replace(/\r\n?/g, '\n')
		.replace(CONTROLS, (control) => (control === '\n' || control === '\t' ? control : ' '))
		.replace(UNSEEN, '')
		.replace(PILED_UP, '$1');
}

/** On one line and at most so long; by characters, so that no emoji is cut in half. */
export function shortened(text: string, length: number): string {
	// Taken apart is only what can be needed: a text from outside may be of any length.
	const line = visibleText(text.slice(0, 8 * length))
		.replace(/\s+/g, ' ')
		.trim();
	return truncate(line, length);
}
