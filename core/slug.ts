/** Fits Windows' 260 characters of path, together with the ID, the extension and a deep --out. */
const SLUG_LENGTH = 60;

/** Most file systems take 255 bytes, some 143, with the ID and the extension. */
const SLUG_BYTES = 96;

/** Letters that Unicode does not decompose into a plain letter and an accent. */
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
 * Returns the text as a readable part of a file name that every file system takes: letters of all scripts without Latin
 * accents, digits, and single hyphens between them. Empty if the text has neither letters nor digits.
 */
export function toSlug(text: string): string {
	const plain = text
		// Compatibility forms too: ﬁ, №, ², and full-width letters.
		.normalize('NFKD')
		.toLowerCase()
		.replace(/\P{ASCII}/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
		.replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1')
		.replace(/['’]|\p{Variation_Selector}/gu, '')
		// In other scripts a letter without its accent is another letter.
		.normalize('NFC')
		.replace(/[^\p{L}\p{N}\p{Mn}\p{Mc}]+/gu, '-')
		.replace(/(^|-)\p{M}+/gu, '$1')
		.replace(/-{2,}/g, '-')
		.replace(/^-|-$/g, '');
	return cut(plain);
}

/** Keeps whole words, unless that would leave little of one very long word. */
function cut(plain: string): string {
	let start = '';
	for (const letter of plain) {
		if (isTooLong(start + letter)) break;
		start += letter;
	}
	if (start === plain || plain[start.length] === '-') return start;
	const lastWordEnd = start.lastIndexOf('-');
	return lastWordEnd > start.length / 2 ? start.slice(0, lastWordEnd) : start;
}

function isTooLong(name: string): boolean {
	return name.length > SLUG_LENGTH || Buffer.byteLength(name) > SLUG_BYTES;
}
