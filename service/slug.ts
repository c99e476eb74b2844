/** Fits Windows' 260 characters of path, together with the ID, the ending and a deep --out. */
const SLUG_LENGTH = 60;

/** Letters that Unicode does not split into a plain letter and a mark. */
const PLAIN_LETTERS: Record<string, string> = {
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	ø: 'o',
	đ: 'd',
	ð: 'd',
	ł: 'l',
	þ: 'th',
	ı: 'i',
};

/**
 * A readable piece of a file name: only a–z, 0–9 and single hyphens inside, so that it is the same name on every
 * file system, in a zip archive and in a URL. Empty where the text has no such letter.
 */
export function slug(text: string): string {
	const plain = text
		// Compatibility forms too: ﬁ, №, ², and full-width letters.
		.normalize('NFKD')
		.toLowerCase()
		.replace(/\P{ASCII}/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
		.replace(/[\u0300-\u036f'’]/g, '')
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '');
	if (plain.length <= SLUG_LENGTH) return plain;
	// Whole words, unless that leaves little of one very long word.
	const cut = plain.slice(0, SLUG_LENGTH + 1);
	const lastWordEnd = cut.lastIndexOf('-');
	return plain.slice(0, lastWordEnd > SLUG_LENGTH / 2 ? lastWordEnd : SLUG_LENGTH);
}
