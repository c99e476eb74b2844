import { failure, open, read } from '../../support/batch/read-csv';

describe('delimiter', () => {
	test.each([
		['semicolon, though the cells are full of commas', 'Name;Goal\n"a, b, c";d, e, f\n', ';'],
		['comma, though the cells are full of semicolons', 'Name,Goal\na; b; c;,d; e\n', ','],
		['tab, though the prose has commas', 'Name\tFacts\nSoap, mild, 3 kg\tmild, soft, pure\n', '\t'],
		['semicolon beside quoted line breaks', 'Name;Goal\n"a\nb, c";"d, e\n, f"\n', ';'],
		['comma in quoted headers', '"Name","Goal; or aim"\nSoap,sell\n', ','],
		['comma among links with bars', 'Name,Links\nSoap,https://a.example|https://b.example\n', ','],
	])('is found to be the %s', async (_name, csv, delimiter) => {
		expect((await open(csv)).delimiter).toBe(delimiter);
	});

	test('is found to be the semicolon beside a quotation mark that is left open', async () => {
		// With another delimiter the mark would stand within a cell and open nothing.
		const { what } = await failure('Name;Goal\nSoap;"sell\n');
		expect(what).toContain('Row 2 opens a quotation mark');
	});

	test('a list of names with commas is one column', async () => {
		const rows = await read('Product\nSoap, mild, 100 g\nMug, blue\n');
		expect(rows.map(({ input }) => input.product_name)).toEqual(['Soap, mild, 100 g', 'Mug, blue']);
	});

	test('is found by a header that only --map knows', async () => {
		const map = [{ header: 'Artikel, kurz', field: 'product_name' as const }];
		expect((await open('Artikel, kurz;Preis\nSoap;3\n', { map })).delimiter).toBe(';');
	});

	test.each([
		['sep=;', ';'],
		['sep=|', '|'],
		['SEP=,', ','],
		['"sep=;"', ';'],
		['sep=\t', '\t'],
	])(
		'is what the first line “%s” says, and the header below it is row 1, as in Excel',
		async (line, delimiter) => {
			const csv = `\ufeff${line}\r\nName${delimiter}Goal\r\nSoap${delimiter}sell\r\n`;
			expect(await open(csv)).toMatchObject({
				delimiter,
				columns: ['Name', 'Goal'],
				rows: [{ number: 2, input: { product_name: 'Soap', objective: 'sell' } }],
			});
		},
	);

	test.each([
		['tab', '\t'],
		['comma', ','],
		['semicolon', ';'],
		['Semicolon', ';'],
		['\\t', '\t'],
		['^', '^'],
		['§', '§'],
	])('is “%s” where --delimiter says so', async (given, delimiter) => {
		const csv = `Name${delimiter}Goal\nSoap${delimiter}sell\n`;
		expect((await open(csv, { delimiter: given })).delimiter).toBe(delimiter);
		expect((await read(csv, { delimiter: given }))[0]?.input.objective).toBe('sell');
	});

	test.each(['', 'pipe', ',;', '"', '\n', '\r'])('is never “%s”', async (delimiter) => {
		const { what, cure } = await failure('Name\nSoap\n', { delimiter });
		expect(what).toContain('is not a delimiter');
		expect(cure).toContain('tab, comma and semicolon');
	});
});
