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

type Range = readonly [first: number, last: number];

/**
 * Encodings of two bytes a character, with the first bytes of usual signs, kana, syllables and Chinese characters.
 * Nearly any text can be read in some of them, but then mostly as rare characters. Those with fewer usual ones come
 * first.
 */
const EAST_ASIAN: ReadonlyArray<{ encoding: string; usual: readonly Range[]; second: Range }> = [
	{
		encoding: 'shift_jis',
		usual: [
			[0x81, 0x83],
			[0x87, 0x98],
		],
		second: [0x40, 0xfc],
	},
	{
		encoding: 'euc-kr',
		usual: [
			[0xa1, 0xa3],
			[0xb0, 0xc8],
		],
		second: [0xa1, 0xfe],
	},
	{ encoding: 'big5', usual: [[0xa1, 0xc6]], second: [0x40, 0xfe] },
	{
		encoding: 'gb18030',
		usual: [
			[0xa1, 0xa3],
			[0xb0, 0xd7],
		],
		second: [0xa1, 0xfe],
	},
];

/** Nearly any byte is one of these in shift_jis, so they speak neither for it nor against it. */
const NARROW_KANA = /[ｦ-ﾟ]/g;

function eastAsian(bytes: Buffer): string | null {
	const match = EAST_ASIAN.find(({ encoding, usual, second }) => {
		const text = strictly(encoding, bytes);
		if (text === null) return false;
		const beyond = text.match(BEYOND_ASCII) ?? [];
		const narrow = text.match(NARROW_KANA)?.length ?? 0;
		const characters = new Set(usual.flatMap((first) => charactersOf(encoding, first, second)));
		const usualCount = beyond.filter((one) => characters.has(one)).length;
		return usualCount >= 0.9 * (beyond.length - narrow) && usualCount > narrow;
	});
	return match?.encoding ?? null;
}

function strictly(encoding: string, bytes: Buffer): string | null {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return null;
	}
}

/** Gives the characters of two bytes that an encoding has with these first and second ones. */
function charactersOf(encoding: string, first: Range, second: Range): string[] {
	const pairs = numbers(first).flatMap((one) => numbers(second).flatMap((two) => [one, two]));
	return Array.from(textAs(encoding, Buffer.from(pairs))).filter(
		(one) => one > '\x7f' && one !== '\ufffd',
	);
}

function numbers([first, last]: Range): number[] {
	return Array.from({ length: last - first + 1 }, (_, at) => first + at);
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
