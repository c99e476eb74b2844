import {
	isOfOtherProduct,
	isOfProduct,
	productGroup,
	saysNothing,
} from '../../../service/order/likeness';

const of = (product_name: string) => ({ product_name });
const LONG = 'Glow Serum with Vitamin C & Hyaluronic Acid, 30 ml';

describe('the name that a service shows of a product', () => {
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
		['Crème', 'Cr&egrave;me'],
		['Crème', 'Cr&#232;me'],
		['Crème', 'Cr&#xE8;me'],
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
		for (const cut of ['Glow &a', 'Glow &am', 'Glow &#38'])
			expect(isOther(cut, 'Glow & Shine')).toBe(false);
		expect(isOther('Glow Serum', '✨✨')).toBe(false);
		expect(isOther('Glow Serum', 'https://shop.example/p/1')).toBe(false);
		expect(isOther('Glow Serum', 'WWW.shop.example/p/1')).toBe(false);
		expect(isOther('https://shop.example/p/1', 'Glow Serum')).toBe(true);
		expect(isOther('Glow &#9999999; Serum', 'Glow Serum')).toBe(false);
	});
});
