import fc from 'fast-check';
import type { BriefInput } from '../../../core/api/types';
import { normalizeField, normalizeText, toContentId } from '../../../core/input/content';

function isSame(name: string, other: string): boolean {
	return toContentId({ product_name: name }) === toContentId({ product_name: other });
}

const PAGE = 'https://shop.example/mug';

test.each([
	['with another apostrophe', "Fay's Mug", 'Fay’s Mug'],
	['with another dash', 'Mug - XL', 'Mug – XL'],
	['with other quotes, dashes, case and white space', "Fay's Mug – XL", 'FAY’S  MUG - XL\u200b'],
	['in another Unicode form', 'Crème "Ré"', 'CRE\u0300ME “RÉ”'],
	['in capitals that have no small letter of their own', 'Straße', 'STRASSE'],
	['in full-width letters', 'Mug 12', 'Ｍｕｇ　１２'],
	['with a no-break space', 'Mug 12', 'Mug\u00a012'],
	['with an ellipsis', 'Wait...', 'Wait…'],
	['with a soft hyphen', 'Kaffeetasse', 'Kaffee\u00adtasse'],
	['as a link with http', PAGE, 'http://shop.example/mug'],
	['as a link with a host in capitals and a final slash', PAGE, 'https://SHOP.example/mug/'],
	['as a link with a position on the page', PAGE, `${PAGE}#reviews`],
	['as a link with a highlighted text', PAGE, `${PAGE}#:~:text=a/b!`],
	[
		'as a link with a product in the fragment and a highlighted text',
		`${PAGE}#/1`,
		`${PAGE}#/1:~:text=a`,
	],
	['as a link with www alone', 'https://www.shop.example/mug', 'www.shop.example/mug/?_t=8'],
	['as a link with a default port', PAGE, 'https://shop.example:443/mug'],
	['as a link that tracks', PAGE, `${PAGE}?utm_source=a&UTM_medium=b&_t=8&_r=1`],
	['as a link of a share button', PAGE, `${PAGE}?share_link_id=2&igshid=3&igsh=4&si=5`],
	['as a link of TikTok', PAGE, `${PAGE}?_d=1&_svg=2&is_from_webapp=1&sender_device=pc`],
	['as a link of an advertisement', PAGE, `${PAGE}?fbclid=1&gclid=2&msclkid=3&ttclid=4`],
	['as a link of a newsletter', PAGE, `${PAGE}?_hsenc=1&_hsmi=2&_ga=3&_gl=4`],
	['as a link that tracks, with another parameter', `${PAGE}?id=1`, `${PAGE}?utm_id=7&id=1`],
	['as a link with white space around it', PAGE, ` ${PAGE}\n`],
])('a product name %s is the same content', (_title, name, other) => {
	expect(isSame(name, other)).toBe(true);
});

test.each([
	['with other punctuation', 'Mug', 'Mug!'],
	['without an accent', 'Crème', 'Creme'],
	['with a letter more', 'Mug', 'Mugs'],
	['with a number more', 'Candle', 'Candle 2026'],
	['with a space in a word', 'Teacup', 'Tea cup'],
	['as a link with another path', PAGE, 'https://shop.example/cup'],
	['as a link with another case in the path', PAGE, 'https://shop.example/Mug'],
	['as a link with another parameter', `${PAGE}?color=red`, `${PAGE}?color=blue`],
	['as a link with a parameter that seems to track', PAGE, `${PAGE}?gclid2=1`],
	['as a link with another parameter that begins with “_”', `${PAGE}?_pid=1`, `${PAGE}?_pid=2`],
	['as a link with another path in the fragment', `${PAGE}#/red`, `${PAGE}#/blue`],
	['as a link with another value in the fragment', `${PAGE}#color=red`, `${PAGE}#color=blue`],
	['as a link with another “hashbang” page', `${PAGE}#!red`, `${PAGE}#!blue`],
	['as a link to another host', PAGE, 'https://www.shop.example/mug'],
])('a product name %s is different content', (_title, name, other) => {
	expect(isSame(name, other)).toBe(false);
});

test('the links of a field are compared as a set', () => {
	const toId = (...reference_urls: string[]) =>
		toContentId({ product_name: 'Mug', reference_urls });
	const [a, b] = ['https://a.example/1', 'https://b.example/2'];
	expect(toId(b, a)).toBe(toId(a, b));
	expect(toId(a, `${a}/?utm_source=x`, b)).toBe(toId(a, b));
	expect(toId(a)).not.toBe(toId(a, b));
	expect(normalizeField('reference_urls', `${a} | ${b}`)).toBe(
		normalizeField('reference_urls', [b, a]),
	);
});

test('a value belongs to its field, and an empty field is the same as a missing field', () => {
	const inputs: BriefInput[] = [
		{ product_name: 'a', audience: 'b' },
		{ product_name: 'b', audience: 'a' },
		{ product_name: 'a', objective: 'b' },
		{ product_name: 'a' },
		{ product_name: 'a', audience: ' ', reference_urls: [] },
	];
	expect(new Set(inputs.map(toContentId)).size).toBe(inputs.length - 1);
});

/** Changes that programs make to a text when they save it. */
const REWRITES: ReadonlyArray<[string, (words: readonly string[]) => string]> = [
	['white space', (words) => `\t${words.join(' \u00a0\n')} `],
	['small letters', (words) => words.join(' ').toLowerCase()],
	['capital letters', (words) => words.join(' ').toUpperCase()],
	['composed characters', (words) => words.join(' ').normalize('NFC')],
	['decomposed characters', (words) => words.join(' ').normalize('NFD')],
	['invisible characters', (words) => `\ufeff${words.join('\u200b \u2060')}`],
	['typographic quotes', (words) => words.join(' ').replace(/'/g, '’').replace(/"/g, '”')],
	['typographic dashes', (words) => words.join(' ').replace(/-/g, '–')],
];

test.each(REWRITES)('%s never change the content', (_name, rewrite) => {
	const word = fc.string({ unit: 'grapheme', minLength: 1 });
	fc.assert(
		fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
			const text = words.join(' ');
			// Links have other rules.
			fc.pre(!/https?:|www\./i.test(text));
			expect(normalizeText(rewrite(words))).toBe(normalizeText(text));
		}),
		{ numRuns: 300, examples: [[['Straße', "Fay's", 'ΐ', 'ﬁx', 'İs', '"a" - ´b´']]] },
	);
});
