import { describeNotices, describeRows, readCsv, testCsvs } from '../support/read-csv';

describe('title lines above the header', () => {
	test('are skipped and named', async () => {
		const table = await readCsv('Spring list,\n\nName,Audience\nMug,a\n');
		expect(describeRows(table)).toBe('4 Mug; audience: a');
		expect(describeNotices(table)).toEqual([
			'Row 3 is the header. Skipped above it: “Spring list”.',
		]);
	});

	testCsvs([
		[
			'have at most half as many cells as the header',
			'Exported,2026-11-21\nShop,Name,Price,Size\nA,Soap,3,S\n',
			'3 Soap',
		],
		[
			'can name a field in one of two cells',
			'Spring list\nAudience,Cooks\nName,Goal,Facts,Terms\nSoap,a,,\n',
			'4 Soap; objective: a',
		],
		[
			'can be above a header that only --map knows',
			'x,y\nArtikel,Text\nMug,a\n',
			'3 Mug',
			{ map: { Artikel: 'product_name' } },
		],
		[
			'are shown as the first line when no header is known',
			'Frühjahr 2026;;\nArtikel;Preis;Status\nSeife;3;aktiv\n',
			'ERROR No column is named product_name. The first line is “Frühjahr 2026;;”.',
		],
		[
			'are not assumed in a line with as many texts as the header',
			'x,y\nName,Audience\nMug,a\n',
			'ERROR No column is named product_name. The first line is “x,y”.',
		],
		[
			'can have a cell for each column if half of them repeat a word',
			'Non-editable,Non-editable,Editable,Editable\nProduct ID,Product Name,Price,Quantity\n12345,Soap,3,9\n',
			'3 Soap; product_id: 12345',
		],
		[
			'are not assumed in many lines, which can be products',
			'Soap\nMug\nPan\nCup\nPot\nName,Goal\nTea,sell\n',
			'ERROR No column is named product_name. The first line is “Soap”.',
		],
	]);
});

/** An upload template as a marketplace exports it. */
const TEMPLATE = [
	'product_id,category,product_name,price',
	'V3,basic_information,product_name,price',
	'Product ID,Category,Product Name,Price',
	'Mandatory,Mandatory,Mandatory,Optional',
	'Cannot be edited,Cannot be edited,"• Fewer than 255 characters.\n• Enter the title of your product.",Numbers only',
	'1729481234567890123,Care,Soap,3',
].join('\n');

const FLAT_FILE = [
	'TemplateType=fptcustom,Version=2026.0303,"The top 3 rows are for Amazon.com use only.",,,,',
	'Product Type,Seller SKU,Brand Name,Product Name,Product ID,Price,Main Image URL',
	'feed_product_type,item_sku,brand_name,item_name,external_product_id,standard_price,main_image_url',
	'skincare,A-1,Acme,Glow Serum,B0C1234567,24.99,https://cdn.example.com/1.jpg',
].join('\n');

describe('lines of an upload template', () => {
	test('are skipped and named', async () => {
		const table = await readCsv(TEMPLATE);
		expect(describeRows(table)).toBe('6 Soap; product_id: 1729481234567890123');
		expect(describeNotices(table)).toEqual(['Skipped template instructions: rows 2, 3, 4 and 5.']);
	});

	testCsvs([
		[
			'are skipped also with --map',
			TEMPLATE,
			'6 Soap; product_id: 1729481234567890123; audience: Care',
			{ map: { category: 'audience' } },
		],
		[
			'are not assumed above product IDs that less than half of the products have',
			'Name,Product ID\nSoap,\nMug,54321\nPan,\nCup,\n',
			'2 Soap\n3 Mug; product_id: 54321\n4 Pan\n5 Cup',
		],
		[
			'are not assumed in a product that repeats one header',
			'Name,Product ID,Size\nSoap,,Size\nMug,54321,S\n',
			'2 Soap DAMAGED\n3 Mug; product_id: 54321',
		],
		[
			'are not assumed without product IDs, but a header as name is invalid',
			'product_name,price\nProduct Name,Price in USD\nEnter a name,\nSoap,3\n',
			'2 INVALID\n3 Enter a name DAMAGED\n4 Soap',
		],
		[
			'need review above the first product ID if none of them repeats the header',
			'Name,Product ID\nNama Produk,\nMug,54321\nMandatory,Optional\nPan,12345\n',
			'2 Nama Produk DAMAGED\n3 Mug; product_id: 54321\n4 INVALID\n5 Pan; product_id: 12345',
		],
		['end with the technical names of an Amazon flat file', FLAT_FILE, '4 Glow Serum'],
		[
			'of an Amazon flat file are read by --map as well',
			FLAT_FILE,
			'4 Acme',
			{ map: { brand_name: 'product_name' } },
		],
		[
			'are not assumed in a row between two spellings of the header',
			'Spring list\nName,Audience\nMug,a\nproduct_name,audience\nPan,b\n',
			'3 Mug; audience: a\n5 Pan; audience: b',
		],
	]);
});

describe('headers between the rows', () => {
	test('are skipped and named if they repeat the header', async () => {
		const table = await readCsv('\ufeff"Name",Goal\nSoap,a\nNAME,goal\nMug,b\n\ufeff"Name",Goal\n');
		expect(describeRows(table)).toBe('2 Soap; objective: a\n4 Mug; objective: b');
		expect(describeNotices(table)).toEqual(['Skipped repeated headers: rows 3 and 5.']);
	});

	testCsvs([
		[
			'are skipped if their names differ',
			'Name,Goal\nMug,a\nTitle,Objective',
			'2 Mug; objective: a',
		],
		[
			'are invalid if their columns differ and their product is a header of a field',
			'Name,Audience\nMug,a\nAudience,Name\nTitle,Price\nPan,3\n',
			'2 Mug; audience: a\n3 INVALID\n4 INVALID\n5 Pan; audience: 3',
		],
		[
			'are not assumed in a product that has the name of a column in another cell',
			'Name,Type\nMug,Product\nNet,Goal\n',
			'2 Mug\n3 Net',
		],
	]);
});

describe('CSVs without a row', () => {
	testCsvs([
		['are refused as empty with a byte-order mark alone', '\ufeff', 'ERROR products.csv is empty.'],
		['are refused as empty with blank lines alone', '\n,,\n  \n', 'ERROR products.csv is empty.'],
		[
			'are refused with blank rows alone',
			'Name,Goal\n\n,,\n',
			'ERROR products.csv has a header but no rows.',
		],
		['can have unticked checkboxes below the rows', 'Name,Done\nMug,TRUE\n,FALSE\n', '2 Mug'],
	]);
});

test('our own results.csv is refused', async () => {
	await expect(readCsv('Name,brief_id,brief_status\nMug,1,ready\n')).rejects.toThrow(
		'products.csv is a results.csv of brief-batch: it has the columns brief_id and brief_status.',
	);
});
