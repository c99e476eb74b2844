import { failure, read, problemsOf } from '../../support/batch/read-csv';

describe('rows', () => {
	test('keep their cells as in the CSV and send them trimmed, terms as they are', async () => {
		const [row] = await read('Name,Goal,Terms\n"  Soap ","a\r\nb "," 5 %\r\n"\n');
		expect(row?.cells).toEqual(['  Soap ', 'a\r\nb ', ' 5 %\r\n']);
		const input = { product_name: 'Soap', objective: 'a\nb', campaign_terms: ' 5 %\r\n' };
		expect(row?.input).toEqual(input);
		const [tidy] = await read('Name,Goal,Terms\nSoap,"a\nb",5 %\n');
		expect(tidy?.contentId).toBe(row?.contentId);
	});

	test('name the column of a problem as the CSV does, with what to do', async () => {
		const csv = 'Title,Product ID,Links\nSoap,1.73E+18,http://example.com\nx,12345.0,\n';
		const rows = await read(csv);
		expect(problemsOf(rows)).toEqual([
			'row 2, Product ID: is “1.73E+18”: a spreadsheet has rounded the ID and its digits are lost',
			'row 2, Links: has “http://example.com”, which starts with http:// instead of https://',
			'row 3, Title: is too short',
			'row 3, Product ID: is “12345.0”: a spreadsheet has turned the ID into a decimal number',
		]);
		expect(rows[0]?.problems[0]?.cure).toContain('Format the column as Text');
		expect(rows.map(({ contentId }) => contentId)).toEqual(['', '']);
	});

	test('that hold what a program left in the place of a value are not valid', async () => {
		const csv =
			'Name,Goal,Links\n{{ $json.name }},,\nSoap,[object Object],\nMug,,{{ $json.url }}\n';
		const rows = await read(csv);
		expect(problemsOf(rows)).toEqual([
			'row 2, Name: contains “{{ $json.name }}”, an expression instead of its value',
			'row 3, Goal: contains “[object Object]”, which means several fields at once',
			'row 4, Links: contains “{{ $json.url }}”, an expression instead of its value',
		]);
		expect(rows[0]?.problems[0]?.cure).toBe('Give the value itself, or leave it empty.');
	});

	test('that lack a name have the problem in the column that should hold it', async () => {
		expect(problemsOf(await read('Goal,Title\nsell,\n'))).toEqual(['row 2, Title: is missing']);
	});
});

describe('--set', () => {
	const csv = 'Name,Goal\nSoap,\nMug,"  "\nPan,own\n';

	test('gives a value to the rows that have none', async () => {
		const rows = await read(csv, { set: { objective: 'sell', audience: 'all' } });
		expect(rows.map(({ input }) => [input.objective, input.audience])).toEqual([
			['sell', 'all'],
			['sell', 'all'],
			['own', 'all'],
		]);
		expect(rows[0]?.cells).toEqual(['Soap', '']);
	});

	test.each<[Record<string, string>, string]>([
		[{ product_id: '12a' }, '--set product_id is “12a”, which is not 5 to 40 digits.'],
		[{ audience: 'n/a' }, '--set audience is “n/a”, a word for nothing.'],
		[{ objective: 'x'.repeat(1501) }, '--set objective has 1501 characters, at most 1500.'],
	])('of a value that no brief may have is refused before any row', async (set, what) => {
		expect((await failure(csv, { set })).what).toBe(what);
	});
});

describe('rows out of shape', () => {
	test('more cells than the header is a problem, and the only one of the row', async () => {
		const rows = await read('Name,Product ID\nSoap, mild,12345\nMug,12345\n', { delimiter: ',' });
		expect(problemsOf(rows)).toEqual([
			'row 2, C: is a column without a header: the row has 3 cells, the header 2',
		]);
		expect(rows[0]?.cells).toEqual(['Soap', ' mild']);
		expect(rows[0]?.problems[0]?.cure).toBe(
			'If the comma belongs to the text, put the whole cell in quotation marks: "Soap, mild". If it is a column of its own, write a header above it.',
		);
	});

	test('an unclosed quotation mark holds up the row that it swallows into, and no more', async () => {
		const csv = 'Goal,Name\na,Soap\nb,"Mug\nc,Pan\nd,"Cup, blue"\ne,Pot\n';
		const rows = await read(csv);
		expect(problemsOf(rows)).toEqual([
			'row 3, Name: opens a quotation mark (") that is not closed at the end of a cell: ' +
				'the row reaches over 3 lines',
		]);
		expect(rows.at(-1)).toMatchObject({ number: 4, input: { product_name: 'Pot' } });
	});

	test('one that is never closed stops the reading, with its row', async () => {
		const { what, cure } = await failure('Name,Goal\nSoap,a\nMug,"b\nPan,c\n');
		expect(what).toBe('Row 3 opens a quotation mark (") that is never closed.');
		expect(cure).toMatch(/^Close or remove the mark;/);
	});

	test('one that swallows a huge file stops the reading with its row', async () => {
		const { what } = await failure(`Name,Goal\nSoap,"a\n${'Mug and more,b\n'.repeat(200_000)}`);
		expect(what).toBe('Row 2 opens a quotation mark (") that is never closed.');
	});
});
