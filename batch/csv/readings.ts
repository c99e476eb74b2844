/*
 * What text that is not UTF-8 may be meant to say. Nothing is read so by itself: a person sees the reading, and asks
 * for it with --encoding.
 */

/** What spreadsheets of Europe save where they do not save UTF-8. Of equally likely ones the first wins. */
const ENCODINGS = ['windows-1252', 'macintosh', 'windows-1250', 'windows-1251'] as const;

export interface Reading {
	/** As --encoding takes it. */
	encoding: string;
	text: string;
}

/** How the bytes read in the encodings that are likely: the likeliest, and others that are nearly as likely. */
export function readingsOf(bytes: Buffer): Reading[] {
	const scored = ENCODINGS.map((encoding) => {
		// `stream` matters: without it, Node reads windows-1252 as if it were latin1.
		const text = new TextDecoder(encoding).decode(bytes, { stream: true });
		return { encoding, text, score: likelihood(text) };
	});
	const best = Math.max(...scored.map(({ score }) => score));
	const likely = scored.filter(({ score }) => score === best || score > 0.8 * best);
	return likely
		.sort((a, b) => b.score - a.score)
		.filter(({ text }, at, all) => all.findIndex((one) => one.text === text) === at);
}

const WESTERN = /^[äöüßéèêëàâáãåçíïîñóôòõúùûýœæø]$/;
const EASTERN = /^[ąćęłńśźżčďěňřšťůžőű]$/;
const CYRILLIC = /^\p{Script=Cyrillic}$/u;
const LETTER = /^\p{L}$/u;
const OPENING = /^[“‘«„]$/;
const CLOSING = /^[”’»]$/;

/** High where the characters beyond ASCII stand where a writer puts such characters. */
function likelihood(text: string): number {
	let score = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text.charAt(at);
		if (character > '\u007f') score += fit(character, text.charAt(at - 1), text.charAt(at + 1));
	}
	return score;
}

function fit(character: string, before: string, after: string): number {
	const isAfterLetter = LETTER.test(before);
	const isBeforeLetter = LETTER.test(after);
	if (character <= '\u009f' || character === '\ufffd') return -3;
	if (CYRILLIC.test(character)) return CYRILLIC.test(before) || CYRILLIC.test(after) ? 1 : -2;
	if (LETTER.test(character)) {
		if (!isAfterLetter && !isBeforeLetter) return -1;
		const isUpper = character !== character.toLowerCase();
		if (isUpper) return /^\p{Ll}$/u.test(before) ? -2 : 1;
		if (!/^[a-z]$/i.test(before) && !/^[a-z]$/i.test(after)) return 0;
		return WESTERN.test(character) ? 3 : EASTERN.test(character) ? 2 : 0;
	}
	if (character === '’' && isAfterLetter) return 3;
	if (OPENING.test(character)) return !isAfterLetter && /^[\p{L}\d]$/u.test(after) ? 3 : -1;
	if (CLOSING.test(character)) return !isBeforeLetter && /^\S$/.test(before) ? 3 : -1;
	if (isAfterLetter && isBeforeLetter) return -1;
	return /^[–—…•€£®™©°½¼×\u00a0]$/.test(character) ? 3 : 0;
}
