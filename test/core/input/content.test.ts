import fc from 'fast-check';
import type { BriefInput } from '../../../core/api/types';
import { normalizeField, normalizeText, toContentId } from '../../../core/input/content';

const isSame = (name: string, other: string) =>
	toContentId({ product_name: name }) === toContentId({ product_name: other });

describe('two product names are the same content', () => {
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
	])('%s', (_title, name, other) => expect(isSame(name, other)).toBe(true));
});

describe('two product names are different content', () => {
	test.each([
		['with other punctuation', 'Mug', 'Mug!'],
		['without an accent', 'Crème', 'Creme'],
		['with a letter more', 'Mug', 'Mugs'],
		['with a number more', 'Candle', 'Candle 2026'],
		['with a space in a word', 'Teacup', 'Tea cup'],
	])('%s', (_title, name, other) => expect(isSame(name, other)).toBe(false));
});

const PAGE = 'https://shop.example/mug';

describe('two links to a product are the same content', () => {
	test.each([
		['with http', PAGE, 'http://shop.example/mug'],
		['with a host in capitals and a trailing slash', PAGE, 'https://SHOP.example/mug/'],
		['with a fragment', PAGE, `${PAGE}#reviews`],
		['without https, but with www', 'https://www.shop.example/mug', 'www.shop.example/mug/?_t=8'],
		['with a default port', PAGE, 'https://shop.example:443/mug'],
		['with parameters that track', PAGE, `${PAGE}?utm_source=a&UTM_medium=b&_t=8&_r=1`],
		['with parameters of share buttons', PAGE, `${PAGE}?share_link_id=2&igshid=3&ttclid=4`],
		['with parameters of advertisements', PAGE, `${PAGE}?fbclid=1&gclid=2&msclkid=3`],
		['with a parameter that tracks and another', `${PAGE}?id=1`, `${PAGE}?utm_id=7&id=1`],
		['with white space around it', PAGE, ` ${PAGE}\n`],
	])('%s', (_title, link, other) => expect(isSame(link, other)).toBe(true));
});

describe('two links to a product are different content', () => {
	test.each([
		['with another path', PAGE, 'https://shop.example/cup'],
		['with another case in the path', PAGE, 'https://shop.example/Mug'],
		['with another parameter', `${PAGE}?color=red`, `${PAGE}?color=blue`],
		['with a parameter that only looks as if it tracks', PAGE, `${PAGE}?gclid2=1`],
		['on another host', PAGE, 'https://www.shop.example/mug'],
	])('%s', (_title, link, other) => expect(isSame(link, other)).toBe(false));
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

test('a value belongs to its field', () => {
	const inputs: BriefInput[] = [
		{ product_name: 'a', audience: 'b' },
		{ product_name: 'b', audience: 'a' },
		{ product_name: 'a', objective: 'b' },
		{ product_name: 'a' },
	];
	expect(new Set(inputs.map(toContentId)).size).toBe(inputs.length);
});

test('an empty field is the same content as a missing field', () => {
	const mug = toContentId({ product_name: 'Mug' });
	expect(toContentId({ product_name: 'Mug', audience: ' ', reference_urls: [] })).toBe(mug);
});

describe('what programs change on their own', () => {
	const word = fc.string({ unit: 'grapheme', minLength: 1 });
	const words = fc.array(word, { minLength: 1, maxLength: 6 });

	/** Ways in which programs write a text again. */
	const REWRITES: Record<string, (words: readonly string[]) => string> = {
		'white space': (parts) => `\t${parts.join(' \u00a0\n')} `,
		'small letters': (parts) => parts.join(' ').toLowerCase(),
		'capital letters': (parts) => parts.join(' ').toUpperCase(),
		'composed characters': (parts) => parts.join(' ').normalize('NFC'),
		'decomposed characters': (parts) => parts.join(' ').normalize('NFD'),
		'invisible characters': (parts) => `\ufeff${parts.join('\u200b \u2060')}`,
		'typographic quotes': (parts) => parts.join(' ').replace(/'/g, '’').replace(/"/g, '”'),
		'typographic dashes': (parts) => parts.join(' ').replace(/-/g, '–'),
	};

	test.each(Object.keys(REWRITES))('never changes the content: %s', (name) => {
		fc.assert(
			fc.property(words, (parts) => {
				// A text without a link, which has rules of its own.
				const text = parts.join(' ');
				fc.pre(!/https?:|www\./i.test(text));
				expect(normalizeText(REWRITES[name]!(parts))).toBe(normalizeText(text));
			}),
			{ numRuns: 500, examples: [[['Straße', "Fay's", 'ΐ', 'ﬁx', 'İs', '"a" - ´b´']]] },
		);
	});
});
