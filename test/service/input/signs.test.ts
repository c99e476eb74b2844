import { roundedIds, oddName, signsIn } from '../../../service/input/signs';

const signOf = (audience: string) =>
	signsIn({ product_name: 'Pan', audience }).map(({ what }) => what);

test.each([
	...[
		'CrÃ¨me',
		'donâ€™t',
		'Â©',
		'Å‚Ã³dka',
		'Ð¼Ñ‹Ð»Ð¾',
		'ðŸ§´',
		'ç¾Žå®¹æ¶²',
		'ã‚¯ãƒªãƒ¼ãƒ',
		'Cr√®me',
	],
	...['M?sli', '?berraschung', 'CR?ME', '??????? 50 ml', '?Qu? es', 'für (?berall)'],
	...['<b>new</b>', '<br>', 'a<br/>b', '<p class="x">', '</li>', 'Salt &amp; Pepper', 'it&#39;s'],
	...['a&nbsp;b', 'f&uuml;r', 'first_x000D_second'],
])('%j may be damaged', (text) => {
	expect(signOf(text)).toEqual([expect.stringMatching(/^has “/)]);
});

test.each([
	...['What? The Card Game', 'Who, me?!', 'Ready? Set? Go', 'Vraiment ?', 'Really??', '¿Qué es?'],
	...['São Tomé Café', 'CAFÉ®', 'NESTLÉ™', '« Crème\u00a0»', 'l’été à Paris', 'ÅLAND Öl', '№ 5'],
	...['5 < 7 and 9 > 3', 'I <3 tea', '<name>', 'R&D; sales', 'Ben & Jerry', '本当?すごい', 'мыло'],
	...['see https://a.example/w?v=1&b=2', 'and/or?maybe', '👩‍🍳 cooks ❤️', 'max_x_y', '🧴'],
])('%j is fine', (text) => {
	expect(signOf(text)).toEqual([]);
});

test.each([
	['https://a.example/x;', ['has “https://a.example/x;”, which ends in “;”']],
	['https://a.example/?a=1&amp;b=2', [expect.stringContaining('which is HTML')]],
	['https://a.example/w?v=1', []],
])('of links, %s shows %j', (link, signs) => {
	const input = { product_name: 'Pan', reference_urls: ['https://a.example/1', link] };
	expect(signsIn(input).map(({ what }) => what)).toEqual(signs);
});

test('IDs are rounded if three or more of at least 16 digits all end in 00', () => {
	const [a, b, c] = ['1729384756102938400', '1729384756102938700', '1729384756102939100'];
	expect([...roundedIds([a, b, c, undefined, '12345'])]).toEqual([a, b, c]);
	expect(roundedIds([a, b, b]).size).toBe(0);
	expect(roundedIds([a, b, c, '1729384756102939123']).size).toBe(0);
	expect(roundedIds([]).size).toBe(0);
});

test.each([
	['4711', '“4711” of digits alone'],
	['www.shop.example/p/1', '“www.shop.example/p/1”, a link without https://'],
	['shop.example/p/1', '“shop.example/p/1”, a link without https://'],
	['Pan 4711', null],
	['https://shop.example/p/1', null],
])('the name %s is %s', (name, what) => {
	expect(oddName(name)).toBe(what);
});
