import { nameCsvOptions } from '../../../batch/cli/command-line';
import { findHints } from '../../../batch/csv/hints';
import type { CsvOptions } from '../../../batch/csv/types';
import { describeSteps, readCsv } from '../support/read-csv';

async function suggest(csv: string, options: Partial<CsvOptions> = {}): Promise<string[]> {
	const hints = findHints(await readCsv(csv, options));
	const steps = hints.flatMap((hint) => nameCsvOptions(hint).nextSteps);
	return steps.flatMap(({ commands = [] }) => commands);
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

describe('a column that might be a status', () => {
	const STATUSES = 'Title,Status\nSoap,active\nMug,Active\nPan,archived\n';

	test('is reported with its values and a --where for it', async () => {
		const [hint] = findHints(await readCsv(STATUSES));
		expect([hint?.message, hint === undefined ? '' : describeSteps(hint)]).toEqual([
			'“Status” contains 2 “active”, 1 “archived”.',
			'To order only some of these rows, add a condition such as: --where Status=active',
		]);
	});

	test('is suggested without a value that a shell would run', async () => {
		const csv = 'Title,Status\nSoap,$(touch x)\nMug,$(touch x)\nPan,archived\n';
		expect(await suggest(csv)).toEqual(["--where 'Status=$(touch x)'"]);
	});

	test.each<[reason: string, csv: string, options: Partial<CsvOptions>]>([
		['--where chooses the rows', STATUSES, { where: ['Status!=archived'] }],
		['all rows have one value', 'Title,Status\nSoap,active\nMug,active\n', {}],
		['no value is a status', 'Title,Color\nSoap,red\nMug,blue\n', {}],
	])('is not named if %s', async (_reason, csv, options) => {
		expect(await suggest(csv, options)).toEqual([]);
	});
});
