import { deskOf } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

/** A sign of damage, a list that shows it with | for each line end, the row, and what is said of it. */
const SIGNS: Array<[kind: string, list: string, row: number, said: string]> = [
	['a comma not quoted', 'Product Name,Audience|Pan, black,', 2, 'it has 3 cells, the header 2'],
	[
		'a blank before a quotation mark',
		'Product Name,Audience,Objective|Pan, "cooks, bakers"',
		2,
		'it has a blank before a quotation mark',
	],
	['a line break not quoted', 'Product Name,Audience|Pan|black,cooks', 2, 'it has 1 of 2 cells'],
	['a footer', 'Product Name,SKU|Pan,S-1|2 records', 3, 'it has 1 of 2 cells'],
	['a comment', 'Product Name,SKU|# exported 2026-11-25|Pan,S-1', 2, 'it has 1 of 2 cells'],
	['a short row', 'Product Name,Audience,Note|Pan,cooks', 2, 'it has 2 of 3 cells'],
	['a long row', 'Product Name,Audience|Pan,cooks,', 2, 'it has 3 cells, the header 2'],
	['a second header', 'Product Name,SKU|Pan,S-1|Title,Nr', 3, 'it may be a header'],
	[
		'text that was encoded twice',
		'Product Name|CrÃ¨me de jour',
		2,
		'has “CrÃ¨me”, as if it was encoded twice',
	],
	['letters that were lost', 'Product Name|M?sli 500 g', 2, 'has “M?sli”'],
	['facts that were lost', 'Product Name,Facts|Pan,???? ??', 2, 'has “????”'],
	['tags', 'Product Name,Facts|Pan,<b>Vegan</b>', 2, 'has “<b>Vegan</b>”, which is HTML'],
	['entities', 'Product Name|Salt &amp; Pepper', 2, 'has “&amp;”, which is HTML'],
	['signs of XML', 'Product Name|Pan_x000D_', 2, 'has “Pan_x000D_”'],
	['a link with ;', 'Product Name,Links|Pan,https://v.example.com/a;', 2, 'which ends in “;”'],
	['a link with .', 'Product Name,Links|Pan,https://v.example.com/a.', 2, 'which ends in “.”'],
	[
		'rounded IDs',
		'Product Name,Product ID|Pan 1,1729384756102938400|Pan 2,1729384756102938700|Pan 3,1729384756102939100',
		2,
		'its product ID ends in 00',
	],
];

test.each(SIGNS)('%s is asked about, and a yes orders the row', async (_kind, list, row, said) => {
	const lines = list.split('|');
	const desk = await deskOf(lines);
	await desk.expectEnd('run products.csv', 2, `Row ${row}: `, said, 'add --yes.');
	expect(desk.creates()).toBe(0);
	await desk.expectEnd('plan products.csv', 0, 'signs of damage', 'It would be sent with');
	expect((await desk.order('--yes')).code).toBe(0);
	expect(desk.sandbox.createdCount()).toBe(lines.length - 1);
	expect((await desk.order()).code).toBe(0);
});

test('all signs are one surprise, of the rows that this run orders alone', async () => {
	const rows = Array.from({ length: 8 }, (_, at) => `Pan ${at}`);
	const desk = await deskOf(['Product Name,SKU', 'Mug,S-1', ...rows]);
	const said =
		/^8 rows to order show signs of damage\.\nRow 3: it has 1 of 2 cells\. It would be sent with product_name “Pan 0”\.\n(.*\n)*The others are in row 8, 9 and 10\. Nothing was ordered\.$/m;
	await desk.expectEnd('run products.csv', 2, said);
	await desk.expectEnd('status', 2, /8 rows to order show signs of damage/);
	await desk.expectEnd('run products.csv --max 1', 3);
	expect(desk.sandbox.createdCount()).toBe(1);
});

/** Lists that are certainly damaged in a row, and what is said of it. */
test.each([
	['Product Name,Audience', 'Pan, "cooks, bakers",', 'is a column without a header'],
	...['nan', 'None', '<NA>', '\\N', '(null)', 'NaT', '(blank)', 'n/a', 'TBD', '????', '🧴🧴'].map(
		(name) => ['Product Name,SKU', `${name},S-1`, 'Product Name is “'],
	),
	['Product Name,SKU', '\u200b\u2060,S-1', 'Product Name is “U+200BU+2060”, which names nothing'],
	...['nan', '<NA>', '\\N', '(null)', 'undefined'].map((facts) => [
		'Product Name,Facts',
		`Pan,${facts}`,
		'which programs write for a value that is missing',
	]),
	['Product Name,Product ID', 'Pan,12\u202d345', 'is “12U+202D345”, which is not 5 to 40 digits'],
	[
		'Product Name,product-id',
		'Pan,B08N5WRWNW',
		'If the column has other numbers, do not read it: --map "product-id=-".',
	],
	...['https://192.168.1.20/a', 'https://[fd00::1]/a', 'https://10.0.0.1/'].map((link) => [
		'Product Name,Links',
		`Pan,${link}`,
		'points into a private network',
	]),
])('%s above %s is an invalid row, with --yes too', async (header, row, said) => {
	const desk = await deskOf([header, row]);
	await desk.expectEnd('run products.csv --yes', 1, said);
	expect(desk.sandbox.createdCount()).toBe(0);
});

test('a second header in another order refuses the file', async () => {
	const desk = await deskOf(['Product Name,Audience', 'Pan,cooks', 'audience,Name', 'bakers,Tin']);
	await desk.expectEnd('run products.csv --yes', 2, 'Row 3 is a second header');
	expect(desk.sandbox.createdCount()).toBe(0);
});

const LONG_IDS = [
	'1729384756102938400',
	'1729384756102938475',
	'1729384756102938500',
	'1729384756102938600',
];

test.each([
	['a question in a name', ['Product Name', 'What? The Card Game']],
	['accents', ['Product Name', 'São Tomé Café', 'CAFÉ®', '« Crème brûlée »']],
	['a name that begins with NA', ['Product Name', 'NA Beer 0.0']],
	['names of digits', ['Product Name', '4711', '1664']],
	[
		'long IDs, some ending in 00',
		['Product Name,Product ID', ...LONG_IDS.map((id) => `Pan ${id},${id}`)],
	],
	[
		'a delimiter at the end of every line and of the header',
		['Product Name,Audience,', 'Pan,cooks,'],
	],
	['a title above the header', ['# exported', 'Product Name,Audience', 'Pan,cooks']],
	[
		'links with questions',
		['Product Name,Facts,Links', 'Pan,see https://a.example/w?v=1,https://a.example/w?v=1'],
	],
	['a checkbox in unused rows', ['Product Name,Done', 'Pan,TRUE', ',FALSE', ',FALSE']],
])('%s is no sign of damage', async (_kind, lines) => {
	const desk = await deskOf(lines);
	const { code, out } = await desk.order();
	expect([code, out]).toEqual([0, expect.not.stringContaining('damage')]);
});

test('a word for nothing in an optional field counts as an empty cell, and is told once', async () => {
	const lines = ['Product Name,Product ID,Audience,Facts', 'Pan,-,n/a,None', 'Mug,–,N/A,vegan'];
	const desk = await deskOf(lines);
	const { code, out } = await desk.order();
	expect(code).toBe(0);
	const told = /“-”, “n\/a”, “None”, “–” and “N\/A” count as empty cells, in 2 rows\./g;
	expect(out.match(told)).toHaveLength(1);
	desk.csv('products.csv', ['Product Name,Facts', 'Pan,', 'Mug,vegan']);
	expect(await desk.comesTo()).toBe('0: ready, ready; 2 paid');
});

test.each(['* Audience', 'Audience:', 'Audience (required)', '\u200bAudience', 'Audience*'])(
	'the header “%s” is the audience',
	async (header) => {
		const desk = await deskOf([`Product Name,${header}`, 'Pan,\u200bcooks\u202c']);
		expect((await desk.order()).code).toBe(0);
		expect(desk.sandbox.briefs()).toMatchObject([
			{ input: { product_name: 'Pan', audience: 'cooks' } },
		]);
	},
);

test('a cell of over 1 MB in a column that is not sent is no reason to refuse the file', async () => {
	const desk = await deskOf(['Product Name,Picture', `Pan,"${'data\n'.repeat(300_000)}"`]);
	expect(await desk.comesTo()).toBe('0: ready; 1 paid');
});
