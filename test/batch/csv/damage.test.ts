import { readCsv, testCsvs } from '../support/read-csv';

const FULL = 'Name,Audience,SKU\nMug,Bakers,1\nPan,Cooks,2\n';
const FULL_ROWS = ['2 Mug; audience: Bakers', '3 Pan; audience: Cooks'];

describe('rows with too few or too many cells', () => {
	testCsvs([
		[
			'are damaged with fewer cells than the header, and so is the row after it',
			'Name,SKU\nCedar\nCandle,C1\nSoap,S1\n',
			['2 Cedar DAMAGED', '3 Candle DAMAGED', '4 Soap'],
		],
		[
			'leave the row below a blank line as it is',
			'Name,SKU\nCedar\n\nSoap,S1\n',
			['2 Cedar DAMAGED', '4 Soap'],
		],
		[
			'are invalid with more cells than the header',
			'Name,SKU\nPan, black,P1\nSoap,S1\n',
			['2 INVALID', '3 Soap'],
		],
		[
			'are damaged with more cells that are empty',
			'Name,SKU\nPan,P1,\nSoap,S1\n',
			['2 Pan DAMAGED', '3 Soap'],
		],
	]);

	test('name the cells only, because values in wrong columns would mislead', async () => {
		const { rows } = await readCsv('Name,Product ID\nSoap, mild,12345\n');
		expect(rows.map(({ problems }) => problems)).toEqual([
			[
				'The row has 3 cells, but the header has 2. If a delimiter belongs to the text, put the whole cell in quotation marks.',
			],
		]);
	});
});

describe('rows that are not products', () => {
	testCsvs([
		[
			'a heading among full rows is damaged',
			`${FULL}KITCHEN,,\n`,
			[...FULL_ROWS, '4 KITCHEN DAMAGED'],
		],
		[
			'a comment is damaged',
			`${FULL}# exported 2026-11-20,,\n`,
			[...FULL_ROWS, '4 # exported 2026-11-20 DAMAGED'],
		],
		[
			'a comment in a CSV of one column is damaged',
			'Name\nMug\n# exported 2026-11-20\n',
			['2 Mug', '3 # exported 2026-11-20 DAMAGED'],
		],
		[
			'a subtotal is damaged, also with an amount',
			`${FULL}Subtotal Kitchen,,\nSubtotal Kitchen,Cooks,14\n`,
			[...FULL_ROWS, '4 Subtotal Kitchen DAMAGED', '5 Subtotal Kitchen; audience: Cooks DAMAGED'],
		],
		['a total is invalid', `${FULL}Total,,2\n`, [...FULL_ROWS, '4 INVALID']],
		[
			'a name alone is a product if the column is often empty',
			'Name,Audience\nMug,Bakers\nPan,\nCup,\nPot,a\n',
			['2 Mug; audience: Bakers', '3 Pan', '4 Cup', '5 Pot; audience: a'],
		],
		[
			'a name alone is a product if --set fills the column',
			'Name,Audience\nMug,Bakers\nPan,Cooks\nCup,\n',
			['2 Mug; audience: Bakers', '3 Pan; audience: Cooks', '4 Cup; audience: All'],
			{ set: { audience: 'All' } },
		],
	]);
});

describe('quotation marks that are none for CSV', () => {
	testCsvs([
		[
			'damage a row whose cells are shifted',
			'Product Name,Audience,Objective\n“Pan, black”,Cooks\n',
			['2 “Pan; audience: black”; objective: Cooks DAMAGED'],
		],
		[
			'make a row invalid that has too many cells',
			'Product Name,Audience,Objective\n“Pan, black”,Cooks,Sell\n',
			['2 INVALID'],
		],
		[
			'damage a row if they begin in a column that is not sent',
			'Name,Note,Audience\nPan,“new, black”\nMug,“new, red, large”\n',
			['2 Pan; audience: black” DAMAGED', '3 INVALID'],
		],
		[
			'damage a row in the style of other languages',
			'Name,Audience,Objective\n„Pan, black“,Cooks\n« Mug, red »,Cooks\n',
			[
				'2 „Pan; audience: black“; objective: Cooks DAMAGED',
				'3 « Mug; audience: red »; objective: Cooks DAMAGED',
			],
		],
		[
			'are text if they are closed in the cell',
			'Name,Note\n“Pan” black,“new” model\n„Mug“,12” high\n',
			['2 “Pan” black', '3 „Mug“'],
		],
		[
			'damage a row that two stray marks have joined with the next row',
			'Name,Audience\n"Mug,Bakers\nPan",Cooks\nCup,a\n',
			['2 Mug,Bakers\nPan; audience: Cooks DAMAGED', '3 Cup; audience: a'],
		],
		[
			'can enclose a line break of a name',
			'Name,Audience\n"Mug\nred, big",Cooks\n',
			['2 Mug\nred, big; audience: Cooks'],
		],
		['damage a row after a space', 'Name,SKU\nMug, "a"\n', ['2 Mug DAMAGED']],
	]);
});

describe('values', () => {
	testCsvs([
		[
			'are damaged by a wrong encoding, lost letters, HTML or a model’s tags',
			'Name,Audience\nCrÃ¨me,a\nM?sli,a\nMug,<p>Cooks</p>\nPan,<think>…</think>Hikers\n',
			[
				'2 CrÃ¨me; audience: a DAMAGED',
				'3 M?sli; audience: a DAMAGED',
				'4 Mug; audience: <p>Cooks</p> DAMAGED',
				'5 Pan; audience: <think>…</think>Hikers DAMAGED',
			],
		],
		[
			'are damaged if all product IDs are rounded',
			'Name,Product ID\nMug,1729384756102938400\nPan,1729384756102938700\nCup,1729384756102939100\n',
			[
				'2 Mug; product_id: 1729384756102938400 DAMAGED',
				'3 Pan; product_id: 1729384756102938700 DAMAGED',
				'4 Cup; product_id: 1729384756102939100 DAMAGED',
			],
		],
		[
			'are not damaged if one product ID is not rounded',
			'Name,Product ID\nMug,1729384756102938400\nPan,1729384756102938711\n',
			['2 Mug; product_id: 1729384756102938400', '3 Pan; product_id: 1729384756102938711'],
		],
	]);

	test('are named with the column and the text', async () => {
		const { rows } = await readCsv('Title,Goal\nUntitled,for undefined only\n');
		expect(rows.map(({ warnings }) => warnings)).toEqual([
			[
				'Title is “Untitled”, which programs write for a missing name',
				'Goal contains “undefined”, which programs write for a missing value',
			],
		]);
	});
});
