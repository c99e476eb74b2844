import type { BriefInput } from '../api/resources';
import { quote } from '../shortened-text';
import { INPUT_FIELDS, type InputField } from './input';
import { isLink } from './links';

/*
 * Signs that a program or a hand has damaged a text. Each is probable and none is certain, so a person decides: the text
 * is sent as it is, or corrected.
 */

interface Sign {
	field: InputField;
	/** To follow the field's name in a sentence. */
	what: string;
}

/** Without one of these characters a text shows no sign. */
const MAY_BE_DAMAGED = /[^ !-%'-;=@-~\s]|_x/;

/** What the bytes 0x80 to 0xBF are in windows-1252 and Latin-1. */
const LATER = '\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** UTF-8 that was read as windows-1252 or as an encoding of a Mac or of DOS: CrÃ¨me, â€™, ðŸ§´, ç¾Žå®¹, Cr√®me. */
const ENCODED_TWICE = new RegExp(
	[
		`[ÂÃÄÅÎÏÐÑ×Ø][${LATER}]`,
		`â[€‚„][${LATER}]?`,
		`ã[\\u0081-\\u0083‚ƒ]`,
		`(?:[ä-é][${LATER}]{2}){2}`,
		'ðŸ',
		'[√├][^\\sA-Za-z\\d]',
	].join('|'),
	'u',
);

/** M?sli, ?berraschung, CR?ME, ??? ????: letters that an encoding did not have. What? is a question. */
const LOST_LETTERS = /[A-Za-z]\?[a-z]|[A-Z]\?[A-Z]|(?<![^\s("'“„«[])\?\p{L}|(?<!\S)\?{3,}(?!\S)/u;

const TAGS =
	'a|b|big|blockquote|br|center|code|dd|del|div|dl|dt|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|script|section|small|span|strike|strong|style|sub|sup|table|tbody|td|th|thead|tr|u|ul';
const ENTITIES =
	'amp|lt|gt|quot|apos|nbsp|shy|euro|pound|yen|cent|copy|reg|trade|deg|hellip|[mn]dash|[lr][ads]quo|bdquo|sbquo|bull|middot|times|frac\\d\\d|szlig|[a-z]{1,2}(?:uml|acute|grave|circ|cedil|tilde|lig|ring|slash|caron)|#\\d{2,6}|#x[\\da-f]{2,5}';
const MARKUP = new RegExp(`</?(?:${TAGS})(?:\\s[^<>]*)?/?>|&(?:${ENTITIES});`, 'i');
const XML_CHARACTER = /_x[\da-f]{4}_/i;

/** Gives the signs of damage in an order. */
export function signsIn(input: BriefInput): Sign[] {
	const signs: Sign[] = [];
	const examine = (field: InputField, text: string) => {
		const what = signIn(text);
		if (what !== null) signs.push({ field, what });
	};
	for (const field of INPUT_FIELDS) {
		const value = input[field];
		if (typeof value === 'string') examine(field, value);
		else value?.forEach((link) => examine(field, link));
	}
	return signs;
}

function signIn(text: string): string | null {
	const isOneLink = isLink(text) && !/\s/.test(text);
	if (isOneLink && /[;.,]$/.test(text))
		return `has ${quote(text)}, which ends in “${text.slice(-1)}”`;
	if (!MAY_BE_DAMAGED.test(text)) return null;
	const twice = wordWith(ENCODED_TWICE, text);
	if (twice !== null) return `has ${twice}, as if it was encoded twice`;
	const markup = wordWith(MARKUP, text);
	if (markup !== null) return `has ${markup}, which is HTML`;
	const character = wordWith(XML_CHARACTER, text);
	if (character !== null) return `has ${character}, which a spreadsheet program left`;
	if (!text.includes('?')) return null;
	// In a link, question marks are between letters.
	const words = text.split(/\s/).filter((word) => !word.includes('/'));
	const question = wordWith(LOST_LETTERS, words.join(' '));
	return question && `has ${question}, in which letters may have become question marks`;
}

/** Gives the first match with the rest of its word. */
function wordWith(pattern: RegExp, text: string): string | null {
	const match = pattern.exec(text);
	if (match === null) return null;
	const end = match.index + match[0].length;
	const before = text.slice(0, match.index).slice(-20).split(/\s/).at(-1) ?? '';
	const [after = ''] = text.slice(end, end + 20).split(/\s/);
	return quote(`${before}${match[0]}${after}`);
}

/** Fewer may end in zeros by chance. */
const LEAST_IDS = 3;

/**
 * Gives the long IDs if a program has rounded them: one that keeps numbers in floating point writes 1729384756102938475 as
 * …400. Of true IDs one in a hundred ends so. Empty if one of them ends otherwise.
 */
export function roundedIds(ids: Iterable<string | undefined>): ReadonlySet<string> {
	const longIds = new Set<string>();
	for (const id of ids) {
		if (id === undefined || id.length < 16) continue;
		if (!id.endsWith('00')) return new Set();
		longIds.add(id);
	}
	return longIds.size >= LEAST_IDS ? longIds : new Set();
}

/** Says what is worth a look in the name of a product, and is sent as it is; null if nothing is. */
export function oddName(name: string): string | null {
	if (/^\d+$/.test(name)) return `${quote(name)} of digits alone`;
	if (/^(www\.|http:\/\/)\S+$|^[\w-]+(\.[\w-]+)+\/\S*$/i.test(name))
		return `${quote(name)}, a link without https://`;
	return null;
}
