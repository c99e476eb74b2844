import type { InputField } from '../../../core/input/input-fields';
import { describeSteps, readCsv, readError, testCsvs } from '../support/read-csv';

/** All names of the column of each field. If a name is no longer recognized, the rows of a user's CSV become `changed`. */
const HEADERS: Readonly<Record<InputField, readonly string[]>> = {
	product_name: [
		...['product_name', 'Product', 'Name', 'Title', 'Product Title', 'Item Name'],
		...['Product URL', 'Product Link', 'Link'],
	],
	product_id: ['product_id', 'Item ID'],
	audience: ['audience', 'Target Audience', 'Target Group'],
	objective: ['objective', 'Goal', 'Campaign Objective', 'Campaign Goal'],
	approved_facts: [
		...['approved_facts', 'Facts', 'Key Facts', 'Product Facts'],
		...['Claims', 'Approved Claims', 'Product Claims', 'Key Claims'],
	],
	campaign_terms: ['campaign_terms', 'Terms', 'Terms and Conditions', 'Terms & Conditions'],
	creative_direction: ['creative_direction', 'Direction', 'Creative'],
	reference_urls: [
		...['reference_urls', 'Reference URL', 'Reference Links', 'Reference Link'],
		...['References', 'Links', 'URLs'],
	],
};

describe('headers', () => {
	test.each(
		Object.entries(HEADERS).flatMap(([field, names]) => names.map((name) => [name, field])),
	)('are read as their field: %s as %s', async (name, field) => {
		const { columnNotices } = await readCsv(
			field === 'product_name' ? `${name}\nMug` : `SKU,Name,${name}\n1,Mug,x`,
		);
		expect(columnNotices[0]).toContain(name === field ? field : `“${name}” as ${field}`);
	});

	test.each([
		'PRODUCT NAME, Product ID ,AUDIENCE,Objective*,approved-facts,Campaign__Terms,CreativeDirection (optional),reference urls',
		'ｐｒｏｄｕｃｔ,ITEM-ID,target_audience,goal:,FACTS,terms,creative,reference\u00a0links',
	])('are read without case, spaces, hyphens and marks: %s', async (header) => {
		const { rows } = await readCsv(`${header}\nMug,12345,a,b,c,d,e,https://b.example`);
		expect(rows.map(({ input }) => input)).toEqual([
			{
				product_name: 'Mug',
				product_id: '12345',
				audience: 'a',
				objective: 'b',
				approved_facts: 'c',
				campaign_terms: 'd',
				creative_direction: 'e',
				reference_urls: ['https://b.example'],
			},
		]);
	});

	test.each(['Brand', 'ID', 'SKU', 'Description', 'URL', 'Video', 'Zielgruppe', 'Objectif'])(
		'are not read as a field if they can mean anything else: %s',
		async (header) => {
			const { rows } = await readCsv(`Name,${header}\nMug,https://video.example/12345\n`);
			expect(rows.map(({ input }) => input)).toEqual([{ product_name: 'Mug' }]);
		},
	);

	testCsvs([
		['a name wins over a link', 'Product Link,Title\nhttps://a.example,Mug', '2 Mug'],
		['the exact name of a field wins', 'Product Name,product_name\nMug,Pan', '2 Pan'],
		[
			'two columns that fit equally well are refused',
			'Name,Title\nMug,Pan',
			'ERROR Several columns could be product_name: “Name” and “Title”.',
		],
		['columns that are not sent can repeat or be empty', 'Name,A,A,\nSoap,a,b,c', '2 Soap'],
	]);

	test('that are not recognized are not suggested as the product name', async () => {
		const error = await readError('Brand Name,1729481234567890123\nA1,Acme\n');
		expect(error.message).toBe(
			'No column is named product_name. The first line is “Brand Name,1729481234567890123”.',
		);
		expect(describeSteps(error)).toBe(
			'Choose the column with the product’s name or link, by the text in its header: --map COLUMN=product_name',
		);
	});

	test('of a list without a header are asked for', async () => {
		const error = await readError('Soap\nMug\n');
		expect(error.message).toBe('No column is named product_name. The first line is “Soap”.');
		expect(describeSteps(error)).toMatch(/^Name the column “Product Name”/);
	});

	test('that fit equally well are suggested without a header that a shell would run', async () => {
		const map = { '$(touch x)': 'product_name', Artikel: 'product_name' } as const;
		const error = await readError('$(touch x),Artikel\nMug,Pan\n', { map });
		expect(describeSteps(error)).toBe("Choose a column: --map '$(touch x)=product_name'");
	});

	test('are listed with the field that is read from each, and the fields without a column', async () => {
		const csv = 'Title,product_id,Price,\nSoap,12345,3,x\n';
		const set = { audience: 'Cooks', objective: 'Sell' };
		const { columnNotices } = await readCsv(csv, { set });
		expect(columnNotices).toEqual([
			'Columns read: “Title” as product_name, product_id.',
			'Columns not sent, only copied to results.csv: “Price” and “column D”.',
			'Fields without a column: approved_facts, campaign_terms, creative_direction, reference_urls.',
		]);
	});

	test('are listed without the missing fields if all columns are sent', async () => {
		const { columnNotices } = await readCsv('Title,Goal\nSoap,Sell\n');
		expect(columnNotices).toEqual(['Columns read: “Title” as product_name, “Goal” as objective.']);
	});
});

describe('--map', () => {
	const audience = { map: { ' FARB-TON': 'audience' } } as const;

	testCsvs([
		[
			'decides between two columns and resets another field',
			'product_name,Title\nMug,Pan',
			'2 Pan; objective: Mug',
			{ map: { Title: 'product_name', product_name: 'objective' } },
		],
		[
			'prefers the exact spelling',
			'Name,Goal,goal\nMug,a,b',
			'2 Mug; objective: b',
			{ map: { goal: 'objective' } },
		],
		['compares without case and hyphens', 'Name,Farb Ton\nMug,b', '2 Mug; audience: b', audience],
		['ignores a column', 'Name,Audience\nMug,a', '2 Mug', { map: { Audience: '-' } }],
		[
			'refuses a column that is missing',
			'Name\nMug',
			'ERROR --map " FARB-TON=audience": the CSV has no column “ FARB-TON”.',
			audience,
		],
		[
			'refuses two columns for one field',
			'Artikel,Name\nMug,Pan',
			'ERROR Several columns could be product_name: “Artikel” and “Name”.',
			{ map: { Artikel: 'product_name', Name: 'product_name' } },
		],
		[
			'refuses a header that two columns have',
			'Name,Note,Note\nSoap,a,b',
			'ERROR --map "Note=objective": several columns are named “Note”.',
			{ map: { Note: 'objective' } },
		],
	]);
});
