import { nameCsvOptions } from '../../../batch/cli/command-line';
import { findHints } from '../../../batch/csv/hints';
import type { CsvOptions } from '../../../batch/csv/types';
import { formatCommand } from '../../../batch/text';
import { describeSteps, readCsv } from '../support/read-csv';

async function suggest(csv: string, options: Partial<CsvOptions> = {}): Promise<string[]> {
	const hints = findHints(await readCsv(csv, options));
	const steps = hints.flatMap((hint) => nameCsvOptions(hint).nextSteps);
	return steps.flatMap(({ commands = [] }) => commands.map(formatCommand));
}

describe('a column that might be a field', () => {
	test.each([
		['Commission', '15 %', '--map Commission=campaign_terms'],
		['Commission rate', '15 %', "--map 'Commission rate=campaign_terms'"],
		['standard_commission', '15 %', '--map standard_commission=campaign_terms'],
		['Offer', '2 for 1', '--map Offer=campaign_terms'],
		['Offer $(touch x)', '2 for 1', "--map 'Offer $(touch x)=campaign_terms'"],
		['USPs', 'Vegan', '--map USPs=approved_facts'],
		['Persona', 'Cooks', '--map Persona=audience'],
		['Product URL', 'https://shop.example/1', "--map 'Product URL=reference_urls'"],
		['URL', 'https://shop.example/1', '--map URL=reference_urls'],
	])('“%s” is named with the option, and not sent', async (header, cell, option) => {
		const csv = `Name,${header}\nSoap,${cell}\nMug,\n`;
		expect(await suggest(csv)).toEqual([option]);
		expect((await readCsv(csv)).rows[0]?.input).toEqual({ product_name: 'Soap' });
	});

	test.each<[reason: string, csv: string, options: Partial<CsvOptions>]>([
		['the field has a column', 'Name,Terms,Offer\nSoap,10 %,2 for 1\n', {}],
		['--set supplies the field', 'Name,Offer\nSoap,2\n', { set: { campaign_terms: '10 %' } }],
		['--map ignores the column', 'Name,Offer\nSoap,2\n', { map: { Offer: '-' } }],
		['the column is empty', 'Name,Offer\nSoap,\n', {}],
		['links can be pictures', 'Name,Image URL\nSoap,https://shop.example/1.jpg\n', {}],
		['a column of links has other text', 'Name,URL\nSoap,see below\n', {}],
		['the column is read as the product', 'Link,Price\nhttps://shop.example/1,3\n', {}],
	])('is not named if %s', async (_reason, csv, options) => {
		expect(await suggest(csv, options)).toEqual([]);
	});

	test('is reported with the effect of reading it', async () => {
		const [hint] = findHints(await readCsv('Name,Commission\nMug,10 %\n'));
		expect([hint?.message, hint === undefined ? '' : describeSteps(hint)]).toEqual([
			'“Commission” is not sent.',
			'If it contains campaign_terms, add this option now; after the first order, it would change every row: --map Commission=campaign_terms',
		]);
	});
});

describe('rows without a name', () => {
	const VARIANTS = 'Handle,Title,Size\nsoap,Soap,S\nsoap,,M\nsoap,,L\nmug,Mug,S\n';

	test('are reported with a --where that skips them if they begin like the row above', async () => {
		const [hint] = findHints(await readCsv(VARIANTS));
		expect([hint?.message, hint === undefined ? '' : describeSteps(hint)]).toEqual([
			'2 rows have no “Title” and begin like the row above, as variants of a product do.',
			"To skip rows without it, add: --where 'Title!='",
		]);
	});

	test.each<[reason: string, csv: string, options: Partial<CsvOptions>]>([
		['--where skips them', VARIANTS, { where: ['Title!='] }],
		['--set supplies the name', VARIANTS, { set: { product_name: 'Soap' } }],
		['they begin in another way', 'Handle,Title\nsoap,Soap\nmug,\n', {}],
		['they begin with an empty cell', 'Note,Title,Size\n,Soap,S\n,,M\n', {}],
	])('are not named if %s', async (_reason, csv, options) => {
		expect(await suggest(csv, options)).toEqual([]);
	});
});

describe('a column of product IDs', () => {
	test('is reported with a --map that ignores it if it has no marketplace ID', async () => {
		const [hint] = findHints(await readCsv('Name,Product ID\nMug,A-1\nPan,A-2\nCup,\n'));
		expect([hint?.message, hint === undefined ? '' : describeSteps(hint)]).toEqual([
			'“Product ID” contains no marketplace IDs (5 to 40 digits), for example “A-1”.',
			"If these are IDs of a shop, ignore the column: --map 'Product ID=-'",
		]);
	});

	test.each(['Name,Product ID\nMug,A-1\nPan,12345\n', 'Name,Product ID\nMug,\n'])(
		'is not named if it has one, or is empty: %j',
		async (csv) => expect(await suggest(csv)).toEqual([]),
	);
});

describe('a column that might be a row ID', () => {
	test.each(['ID', 'SKU', 'Item code', 'Ref.', 'Handle', 'Variant SKU', 'ean_code', 'ASIN'])(
		'“%s” is named with --id',
		async (header) => {
			const option = header.includes(' ') ? `'${header}'` : header;
			const csv = `Name,${header},Code\nMug,M1,x\nPan,P1,y\nCup,C1,z\nPot,,\n`;
			expect(await suggest(csv)).toEqual([`--id ${option}`]);
		},
	);

	test.each<[reason: string, csv: string, options: Partial<CsvOptions>]>([
		['--id is used', 'Name,SKU\nMug,A\nPan,B\nCup,C\n', { id: 'SKU' }],
		['two rows share a value', 'Name,SKU\nMug,A\nPan,B\nCup,C\nPot,a\n', {}],
		['fewer than three rows have a value', 'Name,SKU\nMug,A\nPan,B\nCup,\n', {}],
		['it only counts the rows', 'Name,ID\nMug,1\nPan,2\nCup,3\n', {}],
		['it is read as a field', 'Name,Product ID\nMug,12345\nPan,12346\nCup,12347\n', {}],
		['its header contains the word in another', 'Name,Video\nMug,A\nPan,B\nCup,C\n', {}],
	])('is not named if %s', async (_reason, csv, options) => {
		expect(await suggest(csv, options)).toEqual([]);
	});
});
