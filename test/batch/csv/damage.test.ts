import { listProblems, listWarnings, readCsv, testCsvs } from '../support/read-csv';

/* The damage of single values is in the golden CSVs and in test/core/input. */

describe('rows with too few or too many cells', () => {
	testCsvs([
		[
			'are damaged with fewer cells than the header, and so is the row after it',
			'Name,SKU\nCedar\nCandle,C1\nSoap,S1\n',
			'2 Cedar DAMAGED\n3 Candle DAMAGED\n4 Soap',
		],
		['are alone below a blank line', 'Name,SKU\nCup\n\nSoap,S1', '2 Cup DAMAGED\n4 Soap'],
		['are damaged with more cells that are empty', 'Name,SKU\nPan,P1,', '2 Pan DAMAGED'],
	]);

	test('are damaged for one reason each if both halves of a split row are short', async () => {
		const table = await readCsv('Name,SKU\nCedar\nCandle\n');
		const damage = ['The row has 1 of 2 cells'];
		expect(listWarnings(table)).toEqual([damage, damage]);
	});

	test('name the cells only, because values in wrong columns would mislead', async () => {
		const table = await readCsv('Name,Product ID\nSoap, mild,12345\n');
		expect(listProblems(table)).toEqual([
			[
				'The row has 3 cells, but the header has 2. If a delimiter belongs to the text, put the whole cell in quotation marks.',
			],
		]);
	});
});

describe('rows that are not products', () => {
	const full = (...lines: string[]) => ['Name,Audience', 'Mug,a', 'Pan,b', ...lines].join('\n');
	const expected = (lines: string) => `2 Mug; audience: a\n3 Pan; audience: b\n${lines}`;

	testCsvs([
		['a heading among full rows is damaged', full('KITCHEN,'), expected('4 KITCHEN DAMAGED')],
		['a comment in a CSV of one column is damaged', 'Name\nMug\n# new', '2 Mug\n3 # new DAMAGED'],
		[
			'a subtotal is damaged, also with an amount',
			full('Subtotal A,14'),
			expected('4 Subtotal A; audience: 14 DAMAGED'),
		],
		['a total is invalid', full('Total,'), expected('4 INVALID')],
		[
			'a name alone is a product if half of the rows have no more',
			full('Cup,', 'Pot,'),
			expected('4 Cup\n5 Pot'),
		],
		[
			'a name alone is a product if --set fills the column',
			full('Cup,'),
			expected('4 Cup; audience: All'),
			{ set: { audience: 'All' } },
		],
	]);
});

describe('quotation marks that do not quote a cell', () => {
	testCsvs([
		[
			'are text if they are typographic',
			'Name,Audience,Goal\n“Pan, black”,Cooks\n',
			'2 “Pan; audience: black”; objective: Cooks',
		],
		[
			'damage a row that two stray marks have joined with the next row',
			'Name,Audience\n"Mug,Bakers\nPan",Cooks\nCup,a\n',
			'2 Mug,Bakers\nPan; audience: Cooks DAMAGED\n3 Cup; audience: a',
		],
		['can enclose a line break of a name', 'Name\n"Mug\nred, big"', '2 Mug\nred, big'],
		['damage a row after a space', 'Name,SKU\nMug, "a"\n', '2 Mug DAMAGED'],
	]);
});

test('damaged values are named with the column and the text', async () => {
	const table = await readCsv('Title,Goal\n4711,for undefined only\n');
	expect(listWarnings(table)).toEqual([
		[
			'Title is “4711”, which has no letter',
			'Goal contains “undefined”, which programs write for a missing value',
		],
	]);
});
