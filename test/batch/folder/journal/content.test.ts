import { createHash } from 'node:crypto';
import { orderedContent, inputIn, isSameText } from '../../../../batch/folder/journal/content';

describe('what the journal keeps of an order', () => {
	test('is each field that was given, links one a line, and none that was not', () => {
		const input = {
			product_name: 'Lamp',
			objective: undefined,
			audience: '',
			reference_urls: ['https://a.example', 'https://b.example'],
		};
		expect(orderedContent(input)).toEqual({
			product_name: 'Lamp',
			audience: '',
			reference_urls: 'https://a.example\nhttps://b.example',
		});
		expect(Object.keys(orderedContent(input))).not.toContain('objective');
	});

	test('is a text of 80 characters as it is, and of a longer one its start and a checksum of the whole', () => {
		const [whole, longer] = ['x'.repeat(80), 'x'.repeat(81)];
		const sum = createHash('sha256').update(longer).digest('hex').slice(0, 16);
		expect(orderedContent({ product_name: whole, audience: longer })).toEqual({
			product_name: whole,
			audience: { start: whole, sum },
		});
	});

	test('gives back what was ordered, with the starts of long texts', () => {
		const links = ['https://a.example', 'https://b.example'];
		const content = orderedContent({
			product_name: 'Lamp',
			audience: 'x'.repeat(99),
			objective: 'Sales',
			reference_urls: links,
		});
		const expected = { product_name: 'Lamp', objective: 'Sales', reference_urls: links };
		expect(inputIn(content, '')).toStrictEqual({ ...expected, audience: 'x'.repeat(80) });
		expect(inputIn({}, 'Old')).toStrictEqual({ product_name: 'Old' });
	});

	test('does not depend on the line ends of the terms, nor on blanks around them', () => {
		const written = orderedContent({ product_name: 'Lamp', campaign_terms: ' 10 %\r\nnet\n' });
		expect(written.campaign_terms).toBe('10 %\nnet');
	});

	test('is what it always was, or old journals would be taken for orders of other content', () => {
		expect(orderedContent({ product_name: 'Lamp', audience: 'a'.repeat(100) }).audience).toEqual({
			start: 'a'.repeat(80),
			sum: '2816597888e4a0d3',
		});
	});
});

const long = (start: string, sum: string) => ({ start, sum });
test.each([
	['two short texts that are the same', 'mugs', 'mugs', true],
	['two short texts', 'mugs', 'lamps', false],
	['a field that neither order has', undefined, undefined, true],
	['a field that one order has', undefined, '', false],
	['a short text and the start of a long one', 'mugs', long('mugs', 'a'), false],
	['a long text and the start of a short one', long('mugs', 'a'), 'mugs', false],
	['a long text and none', long('mugs', 'a'), undefined, false],
	['none and a long text', undefined, long('mugs', 'a'), false],
	['two long texts that are the same', long('mugs', 'a'), long('mugs', 'a'), true],
	['two that begin alike', long('mugs', 'a'), long('mugs', 'b'), false],
	['two whose checksums are the same by chance', long('mugs', 'a'), long('lamps', 'a'), false],
])('%s: is it the same text?', (_, a, b, expected) => {
	expect(isSameText(a, b)).toBe(expected);
});
