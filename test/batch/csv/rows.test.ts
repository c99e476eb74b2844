import { getContentId } from '../../../batch/csv/types';
import { describeNotices, listProblems, readCsv, testCsvs } from '../support/read-csv';

const STATUSES = 'Name,Status\nMug,Active\nPan,Paused\n';

describe('rows', () => {
	test('keep their cells as they are, and their input is trimmed except for campaign terms', async () => {
		const { rows } = await readCsv('Name,Goal,Terms\n"  Soap ","a\r\nb "," 5 %\r\n"\n');
		expect(rows).toMatchObject([
			{
				cells: ['  Soap ', 'a\r\nb ', ' 5 %\r\n'],
				input: { product_name: 'Soap', objective: 'a\nb', campaign_terms: ' 5 %\r\n' },
			},
		]);
		const tidy = await readCsv('Terms,Goal,Name\n5 %,"a\nb",Soap\n');
		expect(tidy.rows.map(getContentId)).toEqual(rows.map(getContentId));
	});

	test('with problems are reported with the columns of the CSV and the next steps', async () => {
		const csv = 'Title,Product ID,Links\nSoap,1.73E+18,http://example.com\n,12345.0,\n';
		expect(listProblems(await readCsv(csv))).toEqual([
			[
				'Product ID is “1.73E+18”: a spreadsheet rounded the ID, and its digits are lost. Format the column as Text in the spreadsheet, then enter the ID again.',
				'Links has “http://example.com”, which starts with http:// instead of https://. Use public links that start with https://.',
			],
			[
				'Title is missing. Enter the product’s name or its marketplace link.',
				'Product ID is “12345.0”: a spreadsheet turned the ID into a decimal number. Format the column as Text in the spreadsheet, then enter the ID again.',
			],
		]);
	});

	test('are reported with the texts that count as empty', async () => {
		const table = await readCsv('Name,Goal\nMug,n/a\nPan,-\nCup,sell\n');
		expect(table.rows.map(({ input }) => input.objective)).toEqual([undefined, undefined, 'sell']);
		expect(describeNotices(table)).toEqual(['“n/a” and “-” in 2 rows count as empty.']);
	});

	testCsvs([
		[
			'are invalid with a placeholder as name or a program’s null in a field',
			'Name,Audience\nTBD,a\n{{ $json.name }},a\n???,a\nMug,null\n',
			'2 INVALID\n3 INVALID\n4 INVALID\n5 INVALID',
		],
	]);
});

describe('--set', () => {
	testCsvs([
		[
			'fills empty cells and cells without a value',
			'Name,Goal\nMug,\nPan,n/a\nCup,c\n',
			'2 Mug; objective: All\n3 Pan; objective: All\n4 Cup; objective: c',
			{ set: { objective: 'All' } },
		],
		[
			'supplies a field without a column',
			'Goal\nsell\n',
			'2 Soap; objective: sell',
			{ set: { product_name: 'Soap' } },
		],
		[
			'refuses an invalid value before any row',
			'Name\nMug\n',
			'ERROR --set: product_id is “A1”, not 5 to 40 digits.',
			{ set: { product_id: 'A1' } },
		],
	]);
});

describe('--id', () => {
	test('reads the row ID', async () => {
		const { rows } = await readCsv('Name,SKU\nMug, A1 \nPan,\n', { id: 'sku' });
		expect(rows.map(({ rowId }) => rowId)).toEqual(['A1', null]);
	});

	const id = 'SKU';
	testCsvs([
		['accepts one row ID for one product', 'Name,SKU\nMug,A1\nmug,A1', '2 Mug\n3 mug', { id }],
		[
			'accepts the row ID of a row that --where skips',
			'Name,SKU,Status\nMug,A1,new\nPan,A1,old\n',
			'2 Mug\n3 Pan SKIPPED',
			{ id, where: ['Status=new'] },
		],
		[
			'refuses one row ID for two products',
			'Name,SKU\nMug,A1\nPan,A1\n',
			'ERROR --id "SKU": rows 2 and 3 have the same ID “A1”, but are different products.',
			{ id },
		],
		[
			'refuses row IDs that differ only in zeros in front',
			'Name,SKU\nMug,0471\nPan,471\n',
			'ERROR --id "SKU": rows 2 and 3 have the same ID (“0471” and “471”), but are different products.',
			{ id },
		],
		[
			'refuses row IDs that differ only in case',
			'Name,SKU\nMug,ab1\nPan,AB1\n',
			'ERROR --id "SKU": rows 2 and 3 have the same ID (“ab1” and “AB1”), but are different products.',
			{ id },
		],
		[
			'refuses a missing column',
			'Name\nMug',
			'ERROR --id "SKU": the CSV has no column “SKU”.',
			{ id },
		],
	]);
});

describe('--where', () => {
	const kept = '2 Mug\n3 Pan SKIPPED';
	testCsvs([
		['skips rows without the value', STATUSES, kept, { where: ['status=active'] }],
		['skips invalid rows', 'Name,A\nTBD,a\nPan,b\n', '2 TBD SKIPPED\n3 Pan', { where: ['A=b'] }],
		['skips rows with the value after !=', STATUSES, kept, { where: ['Status!=paused'] }],
		[
			'keeps rows that meet all conditions',
			'Name,A,B\nMug,1,1\nPan,1,2\n',
			kept,
			{ where: ['A=1', 'B=1'] },
		],
		['keeps rows with any value after !=', 'Name,A\nMug,a', '2 Mug', { where: ['Name!='] }],
		[
			'refuses a value after != that no row has',
			STATUSES,
			'ERROR --where: no row has “Pausd” in “Status”, so the condition would skip nothing.',
			{ where: ['Status!=Pausd'] },
		],
		[
			'refuses a column that is missing',
			STATUSES,
			'ERROR --where "State=a": the CSV has no column “State”.',
			{ where: ['State=a'] },
		],
	]);

	test('reports that a value that no row has skips all rows', async () => {
		const table = await readCsv(STATUSES, { where: ['Status=New'] });
		expect(table.rows.map(({ kind }) => kind)).toEqual(['skipped', 'skipped']);
		expect(describeNotices(table)).toEqual([
			'--where: no row has “New” in “Status”. Values found: “Active” and “Paused”.',
			'--where: all 2 rows are skipped, so there is nothing to order.',
		]);
	});
});
