import { resolve } from 'node:path';
import type { TableOptions } from '../../../batch/csv/table';
import { Desk } from '../../support/batch/desk';
import { open } from '../../support/batch/read-csv';

type Csv = [content: string, options?: Partial<TableOptions>, file?: string];

/** The same CSV on another day: its name stays, whatever it holds. */
const csv = async (...[content, options = {}, file = 'products.csv']: Csv) => ({
	...(await open(content, options)),
	file: resolve('/lists', file),
});
const mapped = (header: string): Partial<TableOptions> => ({
	map: [{ header, field: 'product_name' }],
});

const LINKS = 'Link,Audience\nhttps://shop.example/1,Teens\nhttps://shop.example/2,Teens\n';
const NAMED =
	'Name,Link,Audience\nLamp,https://shop.example/1,Teens\nMug,https://shop.example/2,Teens\n';
const GERMAN = 'Produktname,Link\nLampe,https://shop.example/1\n';
const PAID = ['https://shop.example/1', 'https://shop.example/2'];
const BRAND = { set: { product_name: 'The brand' } };

let desk: Desk;
beforeEach(() => (desk = new Desk()));

describe('a run whose products come from another column than in the last one orders nothing', () => {
	test.each<[string, Csv, Csv, what: string, cure: string]>([
		[
			'a column was added that serves the product',
			[LINKS],
			[NAMED],
			'from the column “Name”, and were read from the column “Link” in the last run',
			'--map "Link=product_name"',
		],
		[
			'a --map was forgotten',
			[GERMAN, mapped('Produktname')],
			[GERMAN],
			'were read from the column “Produktname”',
			'--map "Produktname=',
		],
		[
			'the column of the last run was taken out',
			[NAMED, mapped('Link')],
			['Name,Audience\nLamp,Teens\nMug,Teens\n'],
			'were read from the column “Link”',
			'put the column “Link” back',
		],
		[
			'a --set gave the product, and was forgotten',
			['Audience\nTeens\n', BRAND],
			['Name,Audience\nLamp,Teens\n'],
			'were given by --set product_name=“The brand”',
			'--set "product_name=The brand"',
		],
	])('if %s, and says from where they came', async (_, first, then, what, cure) => {
		await desk.run(await csv(...first));
		const paid = desk.paid();
		await expect(desk.run(await csv(...then))).rejects.toMatchObject({
			exitCode: 2,
			what: expect.stringContaining(what) as string,
			cure: expect.stringContaining(cure) as string,
		});
		expect(desk.paid()).toEqual(paid);
		expect(desk.records().notBegun?.stop.reason).toBe('other_product_column');
	});
});

test.each<[string, Csv[], string[]]>([
	['--map names the column as before', [[LINKS], [NAMED, mapped('Link')]], PAID],
	[
		'--map names another on purpose',
		[[LINKS], [NAMED, mapped('Link')], [NAMED, mapped('Name')]],
		[...PAID, 'Lamp', 'Mug'],
	],
	['only its header changes', [['Title\nLamp\n'], ['Product Name\nLamp\nMug\n']], ['Lamp', 'Mug']],
	[
		'another CSV of the batch has other columns',
		[[LINKS], ['Name\nLamp\n', {}, 'february.csv'], [LINKS]],
		[...PAID, 'Lamp'],
	],
])('a run goes on if %s', async (_, runs, paid) => {
	for (const one of runs) expect((await desk.run(await csv(...one))).exitCode).toBe(0);
	expect(desk.paid()).toEqual(paid);
});
