import { createHash } from 'node:crypto';

/** Short enough for Windows' 260 characters of path, together with the id, the ending and a deep --out. */
const SLUG_LENGTH = 60;

/** Letters that Unicode does not take apart into a plain letter and a mark. */
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
		.replace(/[ßæœøđðłþı]/g, (letter) => PLAIN_LETTERS[letter] ?? '')
		.replace(/[\u0300-\u036f'’]/g, '')
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '');
	if (plain.length <= SLUG_LENGTH) return plain;
	// Whole words, unless that would leave little of one very long word.
	const cut = plain.slice(0, SLUG_LENGTH + 1);
	const lastWordEnd = cut.lastIndexOf('-');
	return plain
		.slice(0, lastWordEnd > SLUG_LENGTH / 2 ? lastWordEnd : SLUG_LENGTH)
		.replace(/-$/, '');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A brief's id as a file name may hold it. The service promises UUIDs; anything else could be a path, or differ from
 * another id in upper case only, which some file systems do not tell apart, and is hashed.
 */
export function idForName(id: string): string {
	const lower = id.toLowerCase();
	return UUID.test(lower) ? lower : createHash('sha256').update(id).digest('hex').slice(0, 32);
}

/**
 * Whether a name is one that `briefFileName` gives. A name comes back from the journal before it becomes part of a
 * path or of a link, and this is what keeps a result inside its folder.
 */
export function isBriefFileName(name: string): boolean {
	return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && name.length <= 120;
}
