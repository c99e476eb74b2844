import { describeSteps, readCsv, readError, testCsvs } from '../support/read-csv';

describe('headers', () => {
	/** In the sequence of the fields: all names that a column can have. */
	test.each([
		'product_name,product_id,audience,objective,approved_facts,campaign_terms,creative_direction,reference_urls',
		'Product,Item ID,Target Audience,Goal,Facts,Terms,Direction,Reference URL',
		'Name,Product ID,Target Group,Campaign Objective,Claims,Terms & Conditions,Creative,Reference Links',
		'Title,product_id,audience,Campaign Goal,Approved Claims,Terms and Conditions,Creative,Reference Link',
		'Product Title,product_id,audience,objective,Product Claims,Terms,Direction,References',
		'Item Name,product_id,audience,objective,Key Claims,Terms,Direction,Links',
		'Product URL,product_id,audience,objective,Key Facts,Terms,Direction,URLs',
		'Product Link,product_id,audience,objective,Product Facts,Terms,Direction,Links',
		'Link,product_id,audience,objective,Facts,Terms,Direction,Links',
		'PRODUCT NAME, Product ID ,AUDIENCE,Objective*,approved-facts,Campaign__Terms,CreativeDirection (optional),reference urls',
		'ｐｒｏｄｕｃｔ,ITEM-ID,target_audience,goal:,FACTS,terms,creative,reference\u00a0links',
	])('are read as the eight fields: %s', async (header) => {
		const name = /^(?:Product )?(?:URL|Link),/.test(header) ? 'https://shop.example/1' : 'Tea';
		const csv = `${header}\n${name},12345,a,b,c,d,e,https://video.example/1\n`;
		const { rows } = await readCsv(csv);
		expect(rows.map(({ input }) => input)).toEqual([
			{
				product_name: name,
				product_id: '12345',
				audience: 'a',
				objective: 'b',
				approved_facts: 'c',
				campaign_terms: 'd',
				creative_direction: 'e',
				reference_urls: ['https://video.example/1'],
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
		['a name wins over a link', 'Product Link,Title\nhttps://shop.example/1,Mug\n', ['2 Mug']],
		[
			'the exact name of a field wins over another spelling',
			'Product Name,product_name\nMug,Pan\n',
			['2 Pan'],
		],
		[
			'a link is the product if no column has names',
			'Product Link\nhttps://shop.example/1\n',
			['2 https://shop.example/1'],
		],
		[
			'two columns that fit equally well are refused',
			'Name,Title\nMug,Pan\n',
			['ERROR 2 Several columns could be product_name: “Name” and “Title”.'],
		],
		[
			'two columns with the same header are refused',
			'Name,Name\nMug,Pan\n',
			['ERROR 2 Several columns could be product_name: “Name” and “Name”.'],
		],
		[
			'columns that are not sent can repeat or lack their header',
			'Name,Note,Note,\nSoap,a,b,c\n',
			['2 Soap'],
		],
		[
			'a header that looks like data is refused',
			'Rosehip Oil,1729481234567890123\nSoap,17294812\n',
			[
				'ERROR 2 No column is named product_name. Columns found: “Rosehip Oil” and “1729481234567890123”.',
			],
		],
	]);

	test('that are not understood are not proposed as the product', async () => {
		const error = await readError('item_sku,Brand Name\nA1,Acme\n');
		expect(error.message).toBe(
			'No column is named product_name. Columns found: “item_sku” and “Brand Name”.',
		);
		expect(describeSteps(error)).toBe(
			'Choose the column with the product’s name or link, by the text in its header: --map "COLUMN=product_name"',
		);
	});

	test('are named with the field that is read from each', async () => {
		const { columnNotices } = await readCsv('Title,product_id,Price,\nSoap,12345,3,x\n');
		expect(columnNotices).toEqual([
			'Columns read: “Title” as product_name, product_id.',
			'Columns not sent, only copied to results.csv: “Price” and “column D”.',
		]);
	});
});

describe('--map', () => {
	testCsvs([
		['decides between two columns', 'Name,Title\nMug,Pan\n', ['2 Pan'], mapTo('Title')],
		[
			'reads headers in any language',
			'Artikel,Zielgruppe\nMug,Cooks\n',
			['2 Mug; audience: Cooks'],
			{ map: { Artikel: 'product_name', Zielgruppe: 'audience' } },
		],
		[
			'takes a header away from another field',
			'product_name,Title\nMug,Pan\n',
			['2 Pan; objective: Mug'],
			{ map: { product_name: 'objective' } },
		],
		[
			'prefers the exact spelling',
			'Name,Goal,goal\nMug,a,b\n',
			['2 Mug; objective: b'],
			{ map: { goal: 'objective' } },
		],
		[
			'finds a header without regard to case, spaces and hyphens',
			'Name,Farb Ton\nMug,red\n',
			['2 Mug; audience: red'],
			{ map: { ' FARB-TON': 'audience' } },
		],
		['ignores a column', 'Name,Audience\nMug,a\n', ['2 Mug'], { map: { Audience: '-' } }],
		[
			'refuses a column that is missing',
			'Name\nMug\n',
			['ERROR 2 --map "Terms=campaign_terms": the CSV has no column “Terms”.'],
			{ map: { Terms: 'campaign_terms' } },
		],
		[
			'refuses two columns for one field',
			'Artikel,Name\nMug,Pan\n',
			['ERROR 2 Several columns could be product_name: “Artikel” and “Name”.'],
			{ map: { Artikel: 'product_name', Name: 'product_name' } },
		],
		[
			'refuses a header that two columns have',
			'Name,Note,Note\nSoap,a,b\n',
			['ERROR 2 --map "Note=objective": several columns are named “Note”.'],
			{ map: { Note: 'objective' } },
		],
	]);
});

function mapTo(header: string) {
	return { map: { [header]: 'product_name' } } as const;
}
