import { toSlug } from '../../core/slug';

test.each([
	['Glow Serum 30 ml', 'glow-serum-30-ml'],
	['Fay’s Mug', 'fays-mug'],
	['Crème Brûlée', 'creme-brulee'],
	['Straße & Søn', 'strasse-son'],
	['../../etc/passwd', 'etc-passwd'],
	['CON:*?"<>|', 'con'],
	['松の香り', '松の香り'],
	['ﬁlter №2', 'filter-no2'],
	['🎁 – …', ''],
])('%j becomes %j', (text, slug) => {
	expect(toSlug(text)).toBe(slug);
});

test('a long name is cut after a whole word', () => {
	expect(toSlug('word '.repeat(40))).toBe(Array(12).fill('word').join('-'));
});

test('a long word is cut, and no letter of several bytes is split', () => {
	expect(toSlug('a'.repeat(300))).toBe('a'.repeat(60));
	expect(Buffer.byteLength(toSlug('松'.repeat(300)))).toBeLessThanOrEqual(96);
	expect(toSlug('松'.repeat(300))).toMatch(/^松+$/);
});
