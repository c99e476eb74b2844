import { CLOCKS_WRONG_MS } from '../../../service/assumptions';
import {
	expectProduct,
	isOfOtherProduct,
	isOfProduct,
	isOwnBrief,
	likenessOf,
	productGroup,
	saysNothing,
} from '../../../service/order/likeness';
import type { Brief, BriefInput } from '../../../service/api/resources';
import { aBrief } from '../../support/builders';
import { HOUR } from '../../support/time';

const NOW = Date.UTC(2026, 10, 20, 9);

describe('looking for the brief of a lost answer', () => {
	const input: BriefInput = {
		product_name: 'Glow Serum',
		audience: 'Skin-care\nfans',
		product_id: '12345',
		reference_urls: ['https://a.example/1', 'https://a.example/2'],
	};
	const likeness = (theirs: Record<string, unknown>, ours = input) =>
		likenessOf(aBrief({ product_name: ours.product_name, input: theirs }), ours);

	test('a brief is the same if every field is', () => {
		expect(likeness({ ...input })).toBe('same');
		expect(likeness({ ...input, audience: ' Skin-care\r\nfans ', objective: '' })).toBe('same');
		expect(likeness({ campaign: { ...input }, version: 2 })).toBe('same');
		expect(likeness({ product_name: 'A' }, { product_name: 'A' })).toBe('same');
		expect(likeness({ order: { campaign: { ...input } } })).toBe('same');
		expect(likeness({ a: { b: { c: { d: [{ ...input }] } } } })).toBe('same');
		expect(likeness({ ...input, audience: { audience: input.audience } })).toBe('same');
		expect(likeness({ ...input, product_id: 12345, audience: ['Skin-care', 'fans'] })).toBe('same');
		expect(likeness({ ...input, objective: { language: 'en' } })).toBe('same');
		expect(likeness({ ...input, objective: ['Sales', { rank: 1 }] })).toBe('same');
	});

	test.each([
		['before it', { defaults: { audience: 'Everybody' }, campaign: { ...input } }],
		['after it', { campaign: { ...input }, defaults: { audience: 'Everybody' } }],
		['around it', { ...input, variant: { product_name: 'Night Cream' } }],
	])('what is shown %s under the same names does not count', (_, theirs) => {
		expect(likeness(theirs)).toBe('same');
	});

	test('a brief is the same if each text is there, whatever the name of its field is', () => {
		const { product_name, audience, product_id, reference_urls } = input;
		const camel = { productName: product_name, audience, productId: product_id };
		expect(likeness({ ...camel, 'Reference URLs': reference_urls })).toBe('same');
		expect(likeness({ ...camel, links: reference_urls })).toBe('same');
		expect(likeness({ ...input, audience: '', zielgruppe: audience })).toBe('same');
		expect(likeness({ ...camel, links: reference_urls, approvedFacts: 'Vegan' })).toBe('maybe');
		expect(likeness({ ...camel, productId: '99999', links: ['12345'] })).toBe('other');
	});

	test('a brief is another if one text clearly is, and another field is shown as it was sent', () => {
		expect(likeness({ ...input, audience: 'Runners' })).toBe('other');
		expect(likeness({ campaign: { product_id: 12345, audience: 'Runners' } })).toBe('other');
	});

	test('a brief may be its own if it shows no value of a field', () => {
		expect(likeness({ ...input, audience: undefined })).toBe('maybe');
		expect(likeness({ audience: input.audience, product_id: '12345' })).toBe('maybe');
		expect(likeness({ product_name: input.product_name })).toBe('maybe');
	});

	test('a name in its input makes it another one if it has none of its own', () => {
		const theirs = { ...input, product_name: 'Night Cream' };
		expect(likenessOf(aBrief({ product_name: '', input: theirs }), input)).toBe('other');
	});

	test.each<[string, Record<string, unknown>]>([
		['nothing', {}],
		['other names', { input: null, x: [1, { y: 2 }], zielgruppe: 'Runners' }],
		['a field that was filled in', { ...input, objective: 'Sales' }],
		['links in another form', { ...input, reference_urls: ['https://a.example/1?x'] }],
		['links as one text', { ...input, reference_urls: 'elsewhere' }],
		['a number', { ...input, audience: 5 }],
		['a list', { ...input, audience: ['Runners', 5] }],
		['an object', { ...input, audience: { rank: { place: 2 } } }],
		['a text cut short', { ...input, audience: 'Skin…' }],
		[
			'a text cut short beside another',
			{ x: { audience: 'Runners' }, ...input, audience: 'Skin…' },
		],
		['a text with more', { ...input, audience: 'US: skin-care fans' }],
		['other letters', { ...input, audience: 'SKIN CARE FANS' }],
		['another name of the product', { ...input, product_name: 'Brilliance by Acme, 30 ml' }],
		['another text, and nothing as it was sent', { audience: 'Runners' }],
	])('it is open if it shows %s', (_, theirs) => {
		expect(likeness(theirs)).toBe('maybe');
	});

	test('it is open which link a link has become', () => {
		const link = { product_name: 'https://shop.example/p/1', audience: 'Cooks' };
		expect(likeness({ ...link, product_name: 'Glow Serum' }, link)).toBe('maybe');
	});
});

describe('the answer to a create', () => {
	const ordered: BriefInput = { product_name: 'Glow Serum', audience: 'Runners' };
	const link: BriefInput = { ...ordered, product_name: 'https://shop.example/p/1' };
	const whole = (
		product_name: string,
		input: Record<string, unknown>,
		created_at: string | number = NOW,
	) => aBrief({ product_name, created_at, input });
	const firstTried = { service: NOW, machine: NOW + HOUR };
	const isOwn = (brief: Brief, wasKnown = false, input = ordered) =>
		isOwnBrief(brief, input, { firstTried, wasKnown });

	test('is believed if it is new, whatever it shows of its input', () => {
		expect(isOwn(whole('Glow Serum', {}))).toBe(true);
		expect(isOwn(whole('', {}))).toBe(true);
		expect(isOwn(whole('GLOW SERUM', { product_name: 'Glow Serum', audience: 'Cooks' }))).toBe(
			true,
		);
		expect(isOwn(whole('Glow Serum', {}, NOW - CLOCKS_WRONG_MS))).toBe(true);
		const inOtherWords = { ...ordered, audience: 'Cooks' };
		expect(isOwn(whole('Glow Serum', inOtherWords, NOW - 8 * HOUR))).toBe(true);
		expect(isOwn(whole('Brilliance', {}, 'today'), false, link)).toBe(true);
		const answered = { firstTried: null, wasKnown: false };
		expect(isOwnBrief(whole('', {}), ordered, answered)).toBe(true);
	});

	test('is not believed if it clearly is of another product, however new', () => {
		expect(isOwn(whole('Night Cream', {}))).toBe(false);
		expect(isOwn(whole('Night Cream', { ...ordered }))).toBe(false);
	});

	describe('that was there before', () => {
		const known = (brief: Brief, input?: BriefInput) => isOwn(brief, true, input);

		test('is believed if it is the same, or if something speaks for it', () => {
			expect(known(whole('Glow Serum', { ...ordered }))).toBe(true);
			expect(known(whole('Glow Serum', {}))).toBe(true);
			expect(known(whole('glow serum', { audience: 'athletes' }))).toBe(true);
			expect(known(whole('', { audience: 'Runners' }))).toBe(true);
			expect(known(whole(link.product_name, {}), link)).toBe(true);
			expect(isOwn(whole('Glow Serum', {}, NOW - CLOCKS_WRONG_MS - 1))).toBe(true);
		});

		test('is not believed if it is another one, or if nothing speaks for it', () => {
			expect(known(whole('Glow Serum', { ...ordered, audience: 'Cooks' }))).toBe(false);
			expect(known(whole('Night Cream', { ...ordered }))).toBe(false);
			expect(known(whole('', {}))).toBe(false);
			expect(known(whole('Brilliance', {}), link)).toBe(false);
			expect(known(whole('Glow Serum', {}), { product_name: '✨' })).toBe(false);
			const old = whole('Glow Serum', { ...ordered, audience: 'Cooks' }, NOW - 2 * CLOCKS_WRONG_MS);
			expect(isOwn(old)).toBe(false);
		});
	});
});

test('a get that clearly gives another product is an answer that cannot be read', () => {
	const input = { product_name: 'Glow Serum' };
	const brief = (product_name: string) => aBrief({ product_name, input: { audience: 'Cooks' } });
	expect(expectProduct(brief('GLOW SERUM™'), input).product_name).toBe('GLOW SERUM™');
	expect(() => expectProduct(brief('Night Cream'), input)).toThrow(/brief of “Night Cream”/);
});

describe('the name that a service shows of a product', () => {
	const of = (product_name: string) => ({ product_name });
	const LONG = 'Glow Serum with Vitamin C & Hyaluronic Acid, 30 ml';

	test.each([
		['Glow Serum', ' Glow\u00a0 Serum\n'],
		['Glow Serum', 'GLOW-SERUM'],
		['Glow Serum ✨🔥', 'Glow Serum'],
		['Glow™ Serum', 'Glow Serum'],
		['Soap & Co', 'Soap &amp; Co'],
		['Soap & Co', 'Soap &amp;amp; Co'],
		['Dad’s Soap', 'Dad&#39;s Soap'],
		['Dad’s Soap', 'Dad&#x2019;s Soap'],
		['Crème brûlée', 'Cre\u0300me bru\u0302le\u0301e'],
		['Crème brûlée', 'Creme brulee'],
		['Volt & Ampere', 'Volt &Ampere'],
		['Straße', 'STRASSE'],
		['Ｇｌｏｗ', 'Glow'],
		['セラム', 'セラム'],
	])('%s is found as “%s”', (ordered, shown) => {
		expect(isOfProduct(of(shown), of(ordered))).toBe(true);
		expect(productGroup(of(shown))).toBe(productGroup(of(ordered)));
		expect(isOfOtherProduct(of(shown), of(ordered))).toBe(false);
	});

	test('is of another group if it begins differently, and says nothing if it has no letters', () => {
		expect(productGroup(of('Glow Serum'))).toBe('GLOWSERUM');
		expect([saysNothing(of(' — ')), saysNothing(of('—1'))]).toEqual([true, false]);
	});

	test('is found if twenty letters are left of it, and not nineteen', () => {
		const isFound = (cut: string) => isOfProduct(of(cut), of(LONG));
		expect(isFound('Glow Serum with Vitamin')).toBe(true);
		expect(isFound('Glow Serum with Vitami')).toBe(false);
	});

	test('is found if it was cut, and not if a short name is within a longer one', () => {
		for (const cut of [LONG.slice(0, 30), `${LONG.slice(0, 29)}…`, `${LONG.slice(0, 40)} ...`]) {
			expect(isOfProduct(of(cut), of(LONG))).toBe(true);
			expect(productGroup(of(cut))).toBe(productGroup(of(LONG)));
		}
		expect(isOfProduct(of('Glow Serum'), of('Glow Serum 30 ml'))).toBe(false);
		expect(isOfProduct(of('Product 1'), of('Product 10'))).toBe(false);
		expect(isOfProduct(of(''), of('Glow Serum'))).toBe(false);
		expect(isOfProduct(of('Night Cream'), of('Glow Serum'))).toBe(false);
	});

	test('is clearly of another product only if neither name is in the other', () => {
		const isOther = (shown: string, ordered: string) => isOfOtherProduct(of(shown), of(ordered));
		expect(isOther('Night Cream', 'Glow Serum')).toBe(true);
		expect(isOther('Glow Cream', 'Glow Serum')).toBe(true);
		expect(isOther('Glow Serum', 'G')).toBe(true);
		expect(isOther('g', 'G')).toBe(false);
		expect(isOther('Acme Glow Serum, 30 ml', 'Glow Serum')).toBe(false);
		expect(isOther('Glow', 'Glow Serum')).toBe(false);
		expect(isOther('', 'Glow Serum')).toBe(false);
		expect(isOther('Glow Serum', '✨✨')).toBe(false);
		expect(isOther('Glow Serum', 'https://shop.example/p/1')).toBe(false);
		expect(isOther('Glow Serum', 'WWW.shop.example/p/1')).toBe(false);
		expect(isOther('https://shop.example/p/1', 'Glow Serum')).toBe(true);
	});
});
