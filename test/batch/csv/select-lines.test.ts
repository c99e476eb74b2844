import { readCsv, testCsvs } from '../support/read-csv';

describe('title lines above the header', () => {
	testCsvs([
		[
			'skips a title and a blank line',
			'Spring list\n\nName,Audience\nMug,a\n',
			['4 Mug; audience: a'],
		],
		[
			'skips a title that is padded with empty cells',
			'Spring list,,\n,,\nName,Goal,Price\nSoap,sell,3\n',
			['4 Soap; objective: sell'],
		],
		[
			'skips a title with at most half as many cells as the header',
			'Exported,2026-11-21\nShop,Name,Price,Size\nA,Soap,3,S\n',
			['3 Soap'],
		],
		[
			'skips a title that names a field',
			'Products\nProduct\nProduct Name,Product ID\nSoap,12345\n',
			['4 Soap; product_id: 12345'],
		],
		[
			'reads a header below row 1 that only --map knows',
			'x,y\nArtikel,Text\nMug,a\n',
			['3 Mug'],
			{ map: { Artikel: 'product_name' } },
		],
		[
			'lists the columns below a title when no header is known',
			'Frühjahr 2026;;\n;;\nArtikel;Preis;Status\nSeife;3;aktiv\n',
			['ERROR 2 No column is named product_name. Columns found: “Artikel”, “Preis” and “Status”.'],
		],
		[
			'refuses a first line with as many cells as the header',
			'x,y\nName,Audience\nMug,a\n',
			['ERROR 2 No column is named product_name. Columns found: “x” and “y”.'],
		],
		[
			'refuses a header below many lines, which can be products',
			'Soap\nMug\nPan\nCup\nPot\nName,Goal\nTea,sell\n',
			['ERROR 2 No column is named product_name. Columns found: “Soap”.'],
		],
	]);

	test('names the skipped titles', async () => {
		const { notices } = await readCsv('Spring list\n\nName,Audience\nMug,a\n');
		expect(notices).toEqual(['Row 3 is the header. Skipped above it: “Spring list”.']);
	});
});

/** As the seller center of a marketplace exports products. */
const TEMPLATE = [
	'product_id,category,product_name,price',
	'V3,basic_information,product_name,price',
	'Product ID,Category,Product Name,Price',
	'Mandatory,Mandatory,Mandatory,Optional',
	'Cannot be edited,Cannot be edited,"• Fewer than 255 characters.\n• Enter the title of your product.",Numbers only',
	'1729481234567890123,Care,Soap,3',
	'1729481234567890124,Care,Mug,4',
].join('\n');

const FLAT_FILE = [
	'TemplateType=fptcustom,Version=2026.0303,"The top 3 rows are for Amazon.com use only.",,,,,',
	'Product Type,Seller SKU,Brand Name,Product Name,Product ID,Product ID Type,Price,Main Image URL',
	'feed_product_type,item_sku,brand_name,item_name,external_product_id,external_product_id_type,standard_price,main_image_url',
	'skincare,A-1,Acme,Glow Serum,B0C1234567,ASIN,24.99,https://cdn.example.com/1.jpg',
].join('\n');

describe('lines of an upload template', () => {
	testCsvs([
		[
			'skips the lines that describe the columns',
			TEMPLATE,
			['6 Soap; product_id: 1729481234567890123', '7 Mug; product_id: 1729481234567890124'],
		],
		[
			'skips them also with --map',
			TEMPLATE,
			[
				'6 Soap; product_id: 1729481234567890123; audience: Care',
				'7 Mug; product_id: 1729481234567890124; audience: Care',
			],
			{ map: { category: 'audience' } },
		],
		[
			'reads a product whose name begins like an instruction',
			'Name,Goal\nEnter the Dungeon,sell\n',
			['2 Enter the Dungeon; objective: sell'],
		],
		[
			'reads a product named “Optional” that has a price',
			'Name,Price,SKU\nOptional,12.99,A-1\nSoap,3,A-2\n',
			['2 Optional', '3 Soap'],
		],
		[
			'reads a row with a product ID between them',
			'Name,Product ID\nNama Produk,\nMug,54321\nMandatory,Optional\nPan,12345\n',
			['3 Mug; product_id: 54321', '5 Pan; product_id: 12345'],
		],
		['reads the technical names of an Amazon flat file as the header', FLAT_FILE, ['4 Glow Serum']],
		[
			'reads an Amazon flat file by --map as well',
			FLAT_FILE,
			['4 Acme'],
			{ map: { brand_name: 'product_name' } },
		],
		[
			'reads a row between two spellings of the header',
			'Spring list\nName,Audience\nMug,a\nproduct_name,audience\nPan,b\n',
			['3 Mug; audience: a', '5 Pan; audience: b'],
		],
	]);

	test('names the skipped lines', async () => {
		const { notices } = await readCsv(TEMPLATE);
		expect(notices).toEqual(['Skipped template instructions: rows 2, 3, 4 and 5.']);
	});
});

describe('headers between the rows', () => {
	testCsvs([
		[
			'skips a repeated header',
			'Name,Audience\nMug,a\nNAME,audience\nPan,b\n',
			['2 Mug; audience: a', '4 Pan; audience: b'],
		],
		[
			'skips a repeated header with a byte-order mark and quotation marks',
			'\ufeff"Name","Audience"\nMug,a\n\ufeff"Name","Audience"\nPan,b\n',
			['2 Mug; audience: a', '4 Pan; audience: b'],
		],
		[
			'skips a repeated header in other words',
			'Name,Audience\nMug,a\nTitle,Target Group\n',
			['2 Mug; audience: a'],
		],
		[
			'makes another header and the rows below it invalid',
			'Name,Audience\nMug,a\nAudience,Name\nb,Pan\n',
			['2 Mug; audience: a', '3 INVALID', '4 INVALID'],
		],
		[
			'recognizes another header if half of its columns are known',
			'Name,Audience\nMug,a\nTitle,Price\nPan,3\n',
			['2 Mug; audience: a', '3 INVALID', '4 INVALID'],
		],
		[
			'reads a product that has the name of a column in another cell',
			'Name,Type\nMug,Product\nGoal,Net\n',
			['2 Mug', '3 Goal'],
		],
	]);

	test('names the skipped headers', async () => {
		const { notices } = await readCsv('Name,Goal\nSoap,a\nName,Goal\nMug,b\nName,Goal\n');
		expect(notices).toEqual(['Skipped repeated headers: rows 3 and 5.']);
	});
});

describe('CSVs without a row', () => {
	testCsvs([
		['refuses an empty file', '', ['ERROR 2 products.csv is empty.']],
		['refuses a byte-order mark alone', '\ufeff', ['ERROR 2 products.csv is empty.']],
		['refuses blank lines alone', '\n,,\n  \n', ['ERROR 2 products.csv is empty.']],
		[
			'refuses a header alone',
			'Name,Audience\n',
			['ERROR 2 products.csv has a header but no rows.'],
		],
		[
			'refuses a header with blank rows',
			'Name,Goal\n\n,,\n',
			['ERROR 2 products.csv has a header but no rows.'],
		],
		[
			'skips unticked checkboxes below the rows',
			'Name,Done\nMug,TRUE\n,FALSE\n,FALSE\n',
			['2 Mug'],
		],
		[
			'refuses our own results.csv',
			'Name,brief_id,brief_status\nMug,1,ready\n',
			[
				'ERROR 2 products.csv is a results.csv of brief-batch: it has the columns brief_id and brief_status.',
			],
		],
	]);
});
