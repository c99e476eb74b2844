/*
 * The encoding that a text which is not UTF-8 probably has, judged by how it would read. Only scripts that can be told
 * apart from a few names are tried. Where none is likely, nobody guesses: in a wrong encoding each row is another product.
 */

/** Reads bytes as text. Without `stream`, Node reads windows-1252 as latin1. */
export function textAs(encoding: string, bytes: Buffer): string {
	const decoder = new TextDecoder(encoding, { ignoreBOM: true });
	return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** Finds the encoding in which the characters beyond ASCII make sense; null if there is none. */
export function likelyEncoding(bytes: Buffer): string | null {
	const { encoding, score } = latin(bytes);
	if (score >= 0.9) return encoding;
	const other = eastAsian(bytes) ?? (isThai(bytes) ? THAI : null) ?? cyrillic(bytes);
	return other ?? (score >= 0.5 ? encoding : null);
}

const BEYOND_ASCII = /[^\0-\x7f]/gu;

/** Gives the share of the characters beyond ASCII that the pattern finds. */
function share(text: string, pattern: RegExp): number {
	const all = text.match(BEYOND_ASCII)?.length ?? 0;
	return all === 0 ? 0 : (text.match(pattern)?.length ?? 0) / all;
}

/**
 * Encodings that spreadsheets in Europe and Turkey save instead of UTF-8, with the letters of their languages: a text is
 * in one of them. Of equally likely ones the first wins.
 */
const LATIN: ReadonlyArray<readonly [encoding: string, languages: string]> = [
	['windows-1252', 'äöüßéàè éèêëàâçîïôùûüœæ áéíóúñüçàòè ãõçáéíóúâêôà àèéìòùî åäöæøéü'],
	['macintosh', 'äöüßéàè éèêëàâçîïôùûüœæ áéíóúñüçàòè ãõçáéíóúâêôà àèéìòùî åäöæøéü'],
	['windows-1250', 'áčďéěíňóřšťúůýžäľĺôŕ ąćęłńóśźż áéíóöőúüű ăâîşţ čćđšž'],
	['windows-1254', 'çğıöşüâîİ'],
];

const SIGNS = '–—…•€®™©°½¼×\\u00a0';

/** Finds the characters beyond ASCII in places where texts in these letters have them. */
function latinPlaces(small: string): RegExp {
	const large = small.replace('ß', '').toUpperCase();
	return new RegExp(
		[
			`(?<=[A-Za-z])[${small}]|[${small}](?=[a-z])`,
			`(?<![a-z])[${large}](?=[A-Za-z])|(?<=[A-Z])[${large}]`,
			'(?<=\\p{L})’|(?<!\\p{L})[“‘«„](?=[\\p{L}\\d])|(?<=\\S)[”»“](?!\\p{L})',
			`(?<!\\p{L})[${SIGNS}]|[${SIGNS}](?!\\p{L})`,
		].join('|'),
		'gu',
	);
}

function latin(bytes: Buffer): { encoding: string; score: number } {
	const scored = LATIN.map(([encoding, languages]) => {
		const text = textAs(encoding, bytes);
		const scores = languages.split(' ').map((small) => share(text, latinPlaces(small)));
		return { encoding, score: Math.max(...scores) };
	});
	return scored.reduce((best, one) => (one.score > best.score ? one : best));
}

/**
 * Encodings of two bytes a character, with the first bytes of usual signs, kana, syllables and Chinese characters.
 * Nearly any text can be read in some of them, but then mostly as rare characters. Those with fewer usual ones come
 * first.
 */
const EAST_ASIAN: ReadonlyArray<readonly [encoding: string, usual: (first: number) => boolean]> = [
	['shift_jis', (first) => within(first, 0x81, 0x83) || within(first, 0x87, 0x98)],
	['euc-kr', (first) => within(first, 0xa1, 0xa3) || within(first, 0xb0, 0xc8)],
	['big5', (first) => within(first, 0xa1, 0xc6)],
	['gb18030', (first) => within(first, 0xa1, 0xa3) || within(first, 0xb0, 0xd7)],
];

function within(byte: number, least: number, most: number): boolean {
	return least <= byte && byte <= most;
}

function eastAsian(bytes: Buffer): string | null {
	const match = EAST_ASIAN.find(([encoding, isUsual]) => {
		if (!canRead(encoding, bytes)) return false;
		const counts = { usual: 0, rare: 0, narrow: 0 };
		for (let at = 0; at < bytes.length; at++) {
			const first = bytes[at] ?? 0;
			if (first < 0x80) continue;
			// Nearly any byte is narrow kana in shift_jis, so they speak neither for it nor against it.
			const isNarrow = encoding === 'shift_jis' && within(first, 0xa1, 0xdf);
			counts[isNarrow ? 'narrow' : isUsual(first) ? 'usual' : 'rare'] += 1;
			if (!isNarrow) at += 1;
		}
		const { usual, rare, narrow } = counts;
		return usual >= 9 * rare && usual > narrow;
	});
	return match?.[0] ?? null;
}

function canRead(encoding: string, bytes: Buffer): boolean {
	try {
		new TextDecoder(encoding, { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

const THAI = 'windows-874';

/**
 * Thai letters in their places: consonants and signs, vowels and marks behind a letter, and the vowels that are written
 * before their consonant.
 */
const THAI_PLACES =
	/[\u0e01-\u0e2f\u0e46]|(?<=[\u0e01-\u0e4c])[\u0e47-\u0e4c\u0e30-\u0e39\u0e45]|[\u0e40-\u0e44](?=[\u0e01-\u0e2e])/g;

function isThai(bytes: Buffer): boolean {
	return share(textAs(THAI, bytes), THAI_PLACES) >= 0.9;
}

const CYRILLIC = 'windows-1251';
const CYRILLIC_PLACES =
	/(?<=\p{Script=Cyrillic})\p{Script=Cyrillic}|\p{Script=Cyrillic}(?=\p{Script=Cyrillic})/gu;
const CYRILLIC_VOWELS = /[аеёиоуыэюяіїє]/giu;

/** Recognises Cyrillic by its vowels: letters of other alphabets have the same bytes, but seldom these. */
function cyrillic(bytes: Buffer): string | null {
	const text = textAs(CYRILLIC, bytes);
	const isLikely = share(text, CYRILLIC_PLACES) >= 0.7 && share(text, CYRILLIC_VOWELS) >= 0.25;
	return isLikely ? CYRILLIC : null;
}
