import fc from 'fast-check';
import { INPUT_FIELDS, checkInput, type InputField } from '../../../service/input/input';
import { TEXT_MAX_LENGTH } from '../../../service/api/limits';
import { publicUrlProblem } from '../../../service/input/links';

function problemsOf(field: InputField, value: unknown): string[] {
	const { problems } = checkInput({ product_name: 'Lamp', [field]: value });
	return problems.filter((problem) => problem.field === field).map(({ what }) => what);
}

describe('checkInput', () => {
	test('names every problem at once, in the order of the fields', () => {
		const { problems } = checkInput({
			reference_urls: ['http://a.example', 'https://fine.example', 'none'],
			audience: 'a'.repeat(1501),
			product_id: '12',
			product_name: 'x',
			creative_direction: true,
		});
		expect(problems.map(({ field }) => field).join(' ')).toBe(
			'product_name product_id audience creative_direction reference_urls reference_urls',
		);
		for (const { what, cure } of problems) {
			expect(what).not.toBe('');
			expect(cure).toMatch(/\.$/);
		}
	});

	test('trims texts, writes line ends as \\n and leaves empty fields out', () => {
		const { input, problems } = checkInput({
			product_name: '  Lamp\r\nfor desks\r ',
			product_id: ' ',
			audience: '',
			objective: null,
			campaign_terms: undefined,
			reference_urls: ['', ' https://a.example/1 ', null],
		});
		expect(problems).toEqual([]);
		expect(input).toEqual({
			product_name: 'Lamp\nfor desks',
			reference_urls: ['https://a.example/1'],
		});
		expect(checkInput({ product_name: 'for\rdesks' }).input.product_name).toBe('for\ndesks');
		expect(checkInput({ product_name: 'Lamp', reference_urls: [] }).input).toEqual({
			product_name: 'Lamp',
		});
	});

	test.each([
		['  10 %\r\nuntil May\r', '  10 %\r\nuntil May\r'],
		[' \r\n ', undefined],
		[10, '10'],
		[` ${'x'.repeat(2999)} `, 'x'.repeat(2999)],
	])('keeps campaign terms as they are written, unless only tidied they fit: %j', (given, kept) => {
		const { input, problems } = checkInput({ product_name: 'Lamp', campaign_terms: given });
		expect([input.campaign_terms, problems]).toEqual([kept, []]);
	});

	test.each<[string, unknown, string | undefined]>([
		['missing', undefined, 'is missing'],
		['blank', ' \r\n ', 'is missing'],
		['one character', 'x', 'is too short'],
		['one emoji, of two units', '💡', 'is too short'],
		['two emoji', '💡💡', 'is “💡💡”, which names nothing'],
		['a letter with a combining accent, which is two code points', 'e\u0301', undefined],
		['an A and 179 emoji', `A${'💡'.repeat(179)}`, undefined],
		['181 emoji', '💡'.repeat(181), 'has 181 characters, at most 180'],
		[
			'180 letters with accents, 360 code points',
			'e\u0301'.repeat(180),
			'has 360 characters, at most 180',
		],
		['a number of a sheet', 42, undefined],
		['a long whole number', 12345678901234567890n, undefined],
		['not a number', NaN, 'is not text'],
		['an endless number', Infinity, 'is not text'],
		['a list', ['Lamp'], 'is not text'],
		['true', true, 'is not text'],
	])('a product name that is %s', (_case, product_name, expected) => {
		const { problems } = checkInput({ product_name });
		expect(problems.map(({ what }) => what)).toEqual(expected === undefined ? [] : [expected]);
		for (const { field, cure } of problems) {
			expect(field).toBe('product_name');
			expect(cure).toMatch(/\w+ \w+.*\.$/);
		}
	});

	test('a name that is not text is no name', () => {
		expect(checkInput({ product_name: true }).input).toEqual({ product_name: '' });
	});

	test.each([
		...['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#NV', '#¡REF!', '#ÜBERLAUF!', ' #N/A '],
		...['#N/D!', '#SAYI/0!', '#Н/Д', '#ЗНАЧ!', '#HIÁNYZIK', '#####', 'Err:502', 'Err :502'],
	])('%j, which a formula left in a spreadsheet, is no text to pay for', (text) => {
		const fields = ['product_name', ...Object.keys(TEXT_MAX_LENGTH)] as InputField[];
		for (const field of fields)
			expect(problemsOf(field, text)).toEqual([
				`is “${text.trim()}”, an error of a spreadsheet, not a text`,
			]);
	});

	const EXPRESSION = 'an expression instead of its value';
	const MISSING = 'which programs write for a value that is missing';
	const LOADING = 'which a spreadsheet shows until it knows the value';
	const FORMULA = 'a formula instead of its result';
	test.each([
		['{{ $json.name }}', `contains “{{ $json.name }}”, ${EXPRESSION}`],
		['Glow {{$json["name"]}} XL', `contains “{{$json["name"]}}”, ${EXPRESSION}`],
		['{{ $json.name', `contains “{{ $json.name”, ${EXPRESSION}`],
		['{{product}}', `contains “{{product}}”, ${EXPRESSION}`],
		['Glow Serum }}', `contains “Glow Serum }}”, ${EXPRESSION}`],
		['Glow [object Object]', 'contains “[object Object]”, which means several fields at once'],
		...['undefined', ' null ', 'NaN', 'NULL', 'nan', 'NaT', '\\N', '<NA>', '(null)', '"null"'].map(
			(it) => [it, `is “${it.trim()}”, ${MISSING}`],
		),
		...['Loading…', 'Loading...'].map((it) => [it, `is “${it}”, ${LOADING}`]),
		...['=VLOOKUP(A2,B:C,2,0)', '=$B$2&" ml"'].map((it) => [it, `is “${it}”, ${FORMULA}`]),
	] as Array<[string, string]>)(
		'%j, which a program left in the place of a value, is no text to pay for',
		(text, what) => {
			const fields = INPUT_FIELDS.filter((field) => field !== 'product_id');
			for (const field of fields) expect(problemsOf(field, text)).toEqual([what]);
			expect(problemsOf('product_id', text)).toHaveLength(1);
		},
	);

	test.each([
		...['Null & Void perfume', 'Undefined Beauty', 'NaN bread', 'Object Lamp'],
		...['Say {{first_name}} and smile', '{"shots":{"first":{}}}', 'Costs $5 {limited}', '{Curly}'],
	])('%j may be meant', (text) => {
		expect(problemsOf('product_name', text)).toEqual([]);
		expect(problemsOf('creative_direction', text)).toEqual([]);
	});

	test.each([
		...['---', '----', ':--', '=====', '...', '- -'],
		...['??', '？？', '🧴✨', '★★★★★', '。。'],
	])('%j, without any letter or digit, is no product', (text) => {
		expect(problemsOf('product_name', text)).toEqual([`is “${text}”, which names nothing`]);
		expect(problemsOf('audience', text)).toEqual([]);
	});

	test.each([
		...['TOTAL', 'Total', 'Totals:', 'Grand total', 'Subtotal', 'TOTAL: 1,204', 'Total (43)'],
		...['Sum', 'Summe', 'Gesamt', 'Gesamtsumme', 'Sous-total', 'Total général', 'Suma total'],
	])('%j is the last line of a table, unless it has a product ID', (text) => {
		expect(problemsOf('product_name', text)).toEqual([
			`is “${text}”, as in the last line of a table`,
		]);
		expect(problemsOf('audience', text)).toEqual([]);
		const known = checkInput({ product_name: text, product_id: '1729384756473829384' });
		expect(known.problems).toEqual([]);
	});

	test.each([
		...[
			'TBD',
			'tba',
			'n/a',
			'N/A',
			'ｎ/ａ',
			'NA',
			'None',
			'nil',
			'(Blank)',
			'UNKNOWN',
			'N / A',
			'none.',
			'N.A.',
			'"None"',
		],
		...['Unnamed record', 'unnamed\u00a0record'],
	])('%j is no product, and may be an audience', (text) => {
		expect(problemsOf('product_name', text)).toEqual([`is “${text}”, not a product`]);
		expect(problemsOf('audience', text)).toEqual([]);
	});

	test.each([
		...[
			'NA Beer 0.0',
			'Unknown Pleasures',
			'None of the Above',
			'4711',
			'東京',
			'What? The Card Game',
		],
		...['#1 Mug', '#boss', '#Wow!', '#AD', 'N/A-proof mug', 'Error: the game', '-30- pen'],
		...['Total 0% Greek Yogurt', 'Colgate Total', '=Soap', 'Loading Ramp', 'Summer dress'],
	])('%j may be a product', (text) => expect(problemsOf('product_name', text)).toEqual([]));

	test.each([
		['audience', 1500],
		['objective', 1500],
		['approved_facts', 10_000],
		['campaign_terms', 3000],
		['creative_direction', 3000],
	] as const)('%s holds %i characters and not one more', (field, max) => {
		expect(problemsOf(field, '🙂'.repeat(max))).toEqual([]);
		const { input } = checkInput({ product_name: 'Lamp', [field]: 'a'.repeat(max) });
		expect(input[field]).toHaveLength(max);
		expect(problemsOf(field, 'a'.repeat(max + 1))).toEqual([
			`has ${max + 1} characters, at most ${max}`,
		]);
		expect(problemsOf(field, {})).toEqual(['is not text']);
	});

	test.each<unknown>([
		...['12345', ' 1729384756473829384 ', '1'.repeat(40), 1729384756, 1729384756473829384n],
		...['00012', '100500612345678', '1005006123456780', '10050061234567800'],
		...['1729384756123450001', '1729384756123456000', '000000000000000000'],
	])('takes the product ID %p', (product_id) => {
		const { input, problems } = checkInput({ product_name: 'Lamp', product_id });
		expect([input.product_id, problems]).toEqual([String(product_id).trim(), []]);
	});

	test.each<[unknown, RegExp]>([
		['1.73E+18', /rounded the ID and its digits are lost/],
		['1.73E18', /rounded/],
		['1,73E+18', /rounded/],
		['2e+18', /rounded/],
		['17e17', /rounded/],
		['1729384756123450000', /rounded the ID/],
		['172938475612345000', /rounded the ID/],
		[' 1729384756123450000 ', /rounded the ID/],
		['SKU1e5', /not 5 to 40 digits/],
		['1e5SKU', /not 5 to 40 digits/],
		['SKU1.0', /not 5 to 40 digits/],
		['1.0SKU', /not 5 to 40 digits/],
		['1729384756473829384.0', /decimal number/],
		['1729384756,00', /decimal number/],
		[1.73e18, /the number 1730000000000000000, which cannot hold all digits/],
		[Number('9007199254740993'), /cannot hold all digits/],
		[12345.5, /cannot hold all digits/],
		[NaN, /arrived as the number NaN/],
		['1234', /not 5 to 40 digits/],
		['1'.repeat(41), /not 5 to 40 digits/],
		['-12345', /not 5 to 40 digits/],
		['12 345', /not 5 to 40 digits/],
		['１２３４５', /not 5 to 40 digits/],
		['12345\n67890', /not 5 to 40 digits/],
		['abc'.repeat(50), /abcab…”/],
		[{}, /is not text/],
	])('refuses the product ID %p and says why', (product_id, why) => {
		const { input, problems } = checkInput({ product_name: 'Lamp', product_id });
		expect(input.product_id).toBeUndefined();
		expect(problems).toHaveLength(1);
		expect(problems[0]?.what).toMatch(why);
		expect(problems[0]?.cure).toMatch(/\w+ \w+.*\.$/);
	});

	test('names what to remove from an ID that became a decimal number', () => {
		const [problem] = checkInput({ product_name: 'Lamp', product_id: '12345.0' }).problems;
		expect(problem?.cure).toContain('Remove the “.0”');
	});

	test('takes eight links and not nine', () => {
		const links = Array.from({ length: 9 }, (_, index) => `https://a.example/${index}`);
		expect(problemsOf('reference_urls', links.slice(1))).toEqual([]);
		expect(problemsOf('reference_urls', links)).toEqual(['has 9 links, at most 8']);
		const [problem] = checkInput({ product_name: 'Lamp', reference_urls: links }).problems;
		expect(problem?.cure).toBe('Keep the 8 most useful.');
	});

	test('takes a single link, and refuses what is no link at all', () => {
		const { input } = checkInput({ product_name: 'Lamp', reference_urls: 'https://a.example' });
		expect(input.reference_urls).toEqual(['https://a.example']);
		const [problem] = checkInput({ product_name: 'Lamp', reference_urls: [true] }).problems;
		const [what, cure] = ['is not a list of links', 'Give one link a line.'];
		expect(problem).toEqual({ field: 'reference_urls', what, cure });
	});

	test('shortens a long link in the message', () => {
		const [what = ''] = problemsOf('reference_urls', `http://a.example/${'x'.repeat(500)}`);
		expect(what.length).toBeLessThan(130);
		const [whole] = problemsOf('reference_urls', `http://a.example/${'x'.repeat(43)}`);
		expect(whole).toContain(`has “http://a.example/${'x'.repeat(43)}”, which starts with http://`);
	});

	const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
		fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

	test('never throws, and what it lets through is within the limits', () => {
		fc.assert(
			fc.property(
				fc.record({
					...Object.fromEntries(INPUT_FIELDS.map((field) => [field, seldom(fc.anything())])),
					product_name: fc.oneof(fc.string(), fc.anything()),
					product_id: fc.oneof(seldom(fc.anything()), fc.stringMatching(/^\d{1,50}$/)),
				}),
				(given) => {
					const { input, problems } = checkInput(given);
					fc.pre(problems.length === 0);
					expect(Array.from(input.product_name).length).toBeGreaterThanOrEqual(2);
					expect(input.product_id ?? '12345').toMatch(/^\d{5,40}$/);
				},
			),
		);
	});
});

describe('publicUrlProblem', () => {
	test.each([
		...['https://example.com', 'https://example.com./path', 'HTTPS://WWW.EXAMPLE.COM/a?b=c#d'],
		...['https://example.com:8443/x', 'https://bücher.example/ü', 'https://8.8.8.8/'],
		...['https://xn--bcher-kva.example', 'https://localhost.example.com/'],
		...['https://[2606:4700:4700::1111]/', 'https://10.example.com/'],
	])('%s is public', (url) => {
		expect(publicUrlProblem(url)).toBeNull();
	});

	test.each([
		['http://example.com', 'starts with http:// instead of https://'],
		['ftp://example.com', 'starts with ftp:// instead of https://'],
		['www.example.com/x', 'is not a link'],
		['', 'is not a link'],
		['https://', 'is not a link'],
		['https:example.com', 'does not start with https://'],
		['https:example.com/https://b.example', 'does not start with https://'],
		['https://example.com/a b', 'contains a space'],
		['https://example.com/a\nb', 'contains a space'],
		['https://user@example.com', 'contains a user name or a password'],
		['https://:secret@example.com', 'contains a user name or a password'],
	])('%p %s', (url, problem) => {
		expect(publicUrlProblem(url)).toBe(problem);
	});

	test.each([
		...'localhost localhost. LOCALHOST:3000 box box1 1box nas.local nas.local.'.split(' '),
		...['wiki.internal', 'a.home.arpa'],
	])('https://%s points into a private network', (host) => {
		expect(publicUrlProblem(`https://${host}/`)).toBe('points into a private network');
	});
});
