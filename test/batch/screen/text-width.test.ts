import { fitWidth, padWidth, textWidth } from '../../../batch/screen/text-width';
import { Screen } from '../../support/batch/screen';

const TEXTS = [
	['Latin letters', 'Glow Serum', 10],
	['Chinese', '美白精华液', 10],
	['Japanese', 'グロウセラム、', 14],
	['Korean', '글로우 세럼', 11],
	['full-width forms', 'ＡＢＣ！', 8],
	['emoji', '🧴🍓🎁', 6],
	['an emoji of several parts', '👩‍🔬👨‍👩‍👧‍👦', 4],
	['a flag', '🇩🇪', 2],
	['a skin tone', '👍🏽', 2],
	['letters with marks of their own', 'Bu\u0308rste fu\u0308r Ro\u0302', 13],
	['Thai with vowels above', 'ครีม', 3],
	['Arabic', 'سيروم', 5],
] as const;

test.each(TEXTS)('%s take as many columns as a terminal gives them', async (_, text, width) => {
	expect(textWidth(text)).toBe(width);
	expect(await new Screen(80).widthOf(text)).toBe(width);
});

test.each([
	['a heart that is asked for as an emoji', '❤️', 2],
	['an emoji among the older signs', '✨', 2],
	['a space without a width', 'a\u200bb', 2],
])('%s, of which terminals disagree, is measured as Unicode has it', (_, text, width) => {
	expect(textWidth(text)).toBe(width);
});

test('a text is cut or filled by columns, and between characters', () => {
	for (const [text, width, fitted] of [
		['美白精华液', 10, '美白精华液'],
		['美白精华液', 9, '美白精华…'],
		['美白精华液', 8, '美白精…'],
		['👩‍🔬👩‍🔬👩‍🔬', 5, '👩‍🔬👩‍🔬…'],
		['abc', 1, '…'],
		['abc', 0, ''],
		['x'.repeat(1_000_000), 4, 'xxx…'],
	] as const)
		expect(fitWidth(text, width)).toBe(fitted);
	expect([padWidth('美白', 6), padWidth('美白精华液', 6)]).toEqual(['美白  ', '美白… ']);
});
