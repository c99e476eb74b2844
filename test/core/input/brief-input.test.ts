import fc from 'fast-check';
import type { TEXT_MAX_LENGTH } from '../../../core/api/limits';
import { parseBriefInput } from '../../../core/input/brief-input';
import { INPUT_FIELDS, type InputField } from '../../../core/input/input-fields';
import { GOLDEN_CSVS, readGoldenRows } from '../../golden/golden-rows';

/** Returns the input and the messages of a lamp with this value, without its name. */
function parseField(field: InputField, value: unknown): { value: unknown; messages: string[] } {
	const { input, problems } = parseBriefInput({ product_name: 'Lamp', [field]: value });
	return { value: input[field], messages: problems.map(({ message }) => message) };
}

test('reports every problem at once, in the sequence of the fields', () => {
	const { problems } = parseBriefInput({
		reference_urls: ['http://a.example', 'https://fine.example', 'none of these'],
		audience: 'a'.repeat(1501),
		product_id: '12',
		product_name: 'x',
		creative_direction: true,
	});
	expect(problems.map(({ field, message }) => `${field} ${message}`)).toEqual([
		'product_name is too short',
		'product_id is “12”, not 5 to 40 digits',
		'audience has 1501 characters, and the limit is 1500',
		'creative_direction is not text',
		'reference_urls has “http://a.example”, which starts with http:// instead of https://',
		'reference_urls has “none”, which is not a link',
		'reference_urls has “of”, which is not a link',
		'reference_urls has “these”, which is not a link',
	]);
	// Each problem has a next step.
	for (const { nextSteps } of problems) expect(nextSteps[0]?.text).toMatch(/\w+ \w+.*\.$/);
});

test('trims texts, writes line ends as \\n and omits empty fields', () => {
	const { input, problems } = parseBriefInput({
		product_name: '\u200b  Lamp\r\nfor desks\r \u2060',
		product_id: ' ',
		audience: '',
		objective: null,
		campaign_terms: undefined,
		creative_direction: ' Warm ❤\ufe0f ',
		reference_urls: ['', ' https://a.example/1 ', null],
	});
	expect(problems).toEqual([]);
	expect(input).toEqual({
		product_name: 'Lamp\nfor desks',
		creative_direction: 'Warm ❤\ufe0f',
		reference_urls: ['https://a.example/1'],
	});
});

test('counts a word for “no value” in optional fields as empty', () => {
	const optional = { audience: 'n/a', objective: 'None', reference_urls: '-' };
	const parsed = parseBriefInput({ product_name: 'Lamp', ...optional });
	expect(parsed.input).toEqual({ product_name: 'Lamp' });
	expect(parsed.problems).toEqual([]);
	expect(parsed.emptiedFields).toEqual(['audience', 'objective', 'reference_urls']);
});

test('reads the input of a golden row without a change', () => {
	for (const csv of GOLDEN_CSVS)
		for (const row of readGoldenRows(csv))
			if ('input' in row) {
				const { input } = row;
				expect(parseBriefInput({ ...input })).toEqual({ input, problems: [], emptiedFields: [] });
			}
});

test.each<[string, unknown, string | null]>([
	['missing', undefined, 'is missing'],
	['blank', ' \r\n ', 'is missing'],
	['of invisible characters alone', '\u200b\u2060', 'is missing'],
	['of a single character', 'x', 'is too short'],
	['of a single emoji with two units', '💡', 'is too short'],
	['of a letter with a combining accent', 'e\u0301', null],
	['of a letter and 179 emoji', `A${'💡'.repeat(179)}`, null],
	['of 181 characters', `A${'💡'.repeat(180)}`, 'has 181 characters, and the limit is 180'],
	['that is a number of a sheet', 42, null],
	['that is a long whole number', 12345678901234567890n, null],
	[
		'that is a rounded number',
		2 ** 53,
		'is the number 9007199254740992, whose last digits are lost',
	],
	['that is not a number', NaN, 'is not text'],
	['that is endless', Infinity, 'is not text'],
	['that is a list', ['Lamp'], 'is not text'],
])('checks a product name %s', (_title, product_name, expected) => {
	const { problems } = parseBriefInput({ product_name });
	expect(problems.map(({ message }) => message)).toEqual(expected === null ? [] : [expected]);
});

test('keeps an invalid product name for messages', () => {
	expect(parseBriefInput({ product_name: 'TBD' }).input.product_name).toBe('TBD');
	expect(parseBriefInput({ product_name: true }).input.product_name).toBe('');
});

test('reads “Total” as a product only if it has a product ID', () => {
	const { problems } = parseBriefInput({ product_name: 'Total', product_id: '12345' });
	expect(problems).toEqual([]);
	expect(parseBriefInput({ product_name: 'Total', product_id: '1' }).problems).toHaveLength(2);
});

test.each<[unknown, string]>([
	['12345', '12345'],
	['1'.repeat(40), '1'.repeat(40)],
	[' \u202d1729384756473829384\u202c ', '1729384756473829384'],
	['17293\u200b84756', '1729384756'],
	['00012', '00012'],
	[1729384756, '1729384756'],
	[1729384756473829384n, '1729384756473829384'],
	['1005006123456780', '1005006123456780'],
	['10050061234567800', '10050061234567800'],
	['1729384756123456000', '1729384756123456000'],
])('reads the product ID %p as %s', (product_id, value) => {
	expect(parseField('product_id', product_id)).toEqual({ value, messages: [] });
});

test.each<[unknown, string]>([
	['1.73E+18', 'a spreadsheet rounded the ID'],
	['1,73e18', 'a spreadsheet rounded the ID'],
	['2e+18', 'a spreadsheet rounded the ID'],
	['1729384756123450000', 'a spreadsheet rounded the ID'],
	['172938475612345000', 'a spreadsheet rounded the ID'],
	['1729384756473829384.0', 'a spreadsheet turned the ID into a decimal number'],
	['1729384756,00', 'a spreadsheet turned the ID into a decimal number'],
	[1.73e18, 'is the number 1730000000000000000, which cannot hold all digits'],
	[12345.5, 'cannot hold all digits'],
	[NaN, 'cannot hold all digits'],
	['SKU1e5', 'not 5 to 40 digits'],
	['1234', 'not 5 to 40 digits'],
	['1'.repeat(41), 'not 5 to 40 digits'],
	['-12345', 'not 5 to 40 digits'],
	['12 345', 'not 5 to 40 digits'],
	['１２３４５', 'not 5 to 40 digits'],
	['12345\n67890', 'not 5 to 40 digits'],
	['#REF!', 'a spreadsheet error'],
	[{}, 'is not text'],
])('refuses the product ID %p: %s', (product_id, expected) => {
	const message = expect.stringContaining(expected) as string;
	expect(parseField('product_id', product_id)).toEqual({ value: undefined, messages: [message] });
});

const LENGTHS: Readonly<Record<keyof typeof TEXT_MAX_LENGTH, number>> = {
	audience: 1500,
	objective: 1500,
	approved_facts: 10_000,
	campaign_terms: 3000,
	creative_direction: 3000,
};
test.each(Object.entries(LENGTHS) as Array<[keyof typeof LENGTHS, number]>)(
	'%s can have %i characters',
	(field, max) => {
		expect(parseField(field, '🙂'.repeat(max)).messages).toEqual([]);
		expect(parseField(field, 'a'.repeat(max + 1)).messages).toEqual([
			`has ${max + 1} characters, and the limit is ${max}`,
		]);
		expect(parseField(field, {}).messages).toEqual(['is not text']);
		expect(parseField(field, '#REF!').messages).toEqual(['is “#REF!”, a spreadsheet error']);
	},
);

test.each([
	['  10 %\r\nuntil May\r', '  10 %\r\nuntil May\r'],
	[' \r\n ', undefined],
	[10, '10'],
	[` ${'x'.repeat(2999)} `, 'x'.repeat(2999)],
])('keeps the white space of the campaign terms %j if it fits', (terms, value) => {
	expect(parseField('campaign_terms', terms)).toEqual({ value, messages: [] });
});

const LINKS = Array.from({ length: 9 }, (_, index) => `https://a.example/${index}`);
const [A = '', B = ''] = LINKS;
test.each<[unknown, unknown, string[]]>([
	[`${A} ${B}`, [A, B], []],
	[[A, B], [A, B], []],
	// The key is the hash of the exact body.
	[['https://a.example/größe'], ['https://a.example/gr%C3%B6%C3%9Fe'], []],
	[LINKS.slice(1), LINKS.slice(1), []],
	[LINKS, LINKS, ['has 9 links, and the limit is 8']],
	[[true], undefined, ['is not a list of links']],
	[
		`http://a.example/${'x'.repeat(500)}`,
		[`http://a.example/${'x'.repeat(500)}`],
		[`has “http://a.example/${'x'.repeat(42)}…”, which starts with http:// instead of https://`],
	],
])('reads the reference links %.80j', (links, value, messages) => {
	expect(parseField('reference_urls', links)).toEqual({ value, messages });
});

test('never throws, and a valid name and product ID are within the limits of docs/api.md 4.3', () => {
	const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
		fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
	const values = fc.record({
		...Object.fromEntries(INPUT_FIELDS.map((field) => [field, seldom(fc.anything())])),
		product_name: fc.oneof(fc.string(), fc.anything()),
		product_id: fc.oneof(seldom(fc.anything()), fc.stringMatching(/^\d{1,50}$/)),
	});
	fc.assert(
		fc.property(values, (given) => {
			const { input, problems } = parseBriefInput(given);
			fc.pre(problems.length === 0);
			const { length } = Array.from(input.product_name);
			expect(length >= 2 && length <= 180).toBe(true);
			expect(input.product_id ?? '12345').toMatch(/^\d{5,40}$/);
		}),
	);
});
