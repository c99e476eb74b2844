import { hints } from '../../../batch/csv/hints';
import { open, read } from '../../support/batch/read-csv';

/** What is said of a CSV of which all rows would be ordered. */
async function hintsOf(csv: string, options = {}, isFiltered = false): Promise<string[]> {
	const table = await open(csv, options);
	return hints(table, table.rows, isFiltered);
}

describe('columns that may be meant for a brief', () => {
	const suggested = async (csv: string, options = {}) =>
		(await hintsOf(csv, options)).flatMap((text) => /--map "(.*)"/.exec(text)?.[1] ?? []);

	test.each([
		['Commission', '15 %', 'campaign_terms'],
		['Commission rate', '15 %', 'campaign_terms'],
		['Offer', '2 for 1', 'campaign_terms'],
		['Provision', '15 %', 'campaign_terms'],
		['Taux de commission', '15 %', 'campaign_terms'],
		['Comisión', '15 %', 'campaign_terms'],
		['USPs', 'Vegan', 'approved_facts'],
		['Argumentos de venta', 'Vegan', 'approved_facts'],
		['Product URL', 'https://shop.example/1', 'reference_urls'],
		['Link', 'https://shop.example/1', 'reference_urls'],
	])('“%s” is named with the --map to type, and not sent', async (header, cell, field) => {
		const csv = `Name,${header}\nSoap,${cell}\nMug,\n`;
		expect(await suggested(csv)).toEqual([`${header}=${field}`]);
		expect((await read(csv))[0]?.input).toEqual({ product_name: 'Soap' });
	});

	test('are not named if the field has a column or a --set, if they are empty or hold no links', async () => {
		expect(await suggested('Name,Terms,Offer\nSoap,10 %,2 for 1\n')).toEqual([]);
		const set = { campaign_terms: '10 %' };
		expect(await suggested('Name,Offer\nSoap,2 for 1\n', { set })).toEqual([]);
		expect(await suggested('Name,Offer\nSoap,\n')).toEqual([]);
		expect(await suggested('Name,URL\nSoap,/soap\n')).toEqual([]);
	});

	test('are not named if they are read, as links of products without names are', async () => {
		expect(await suggested('Link,Price\nhttps://shop.example/1,3\n')).toEqual([]);
	});
});

describe('rows that may not be meant', () => {
	const SHOPIFY = 'Title,Status\nSoap,active\nMug,Active\nPan,archived\n';
	const WOO =
		'Type,Name\nvariable,Soap\nvariation,Soap red\n"variation, virtual",Soap card\nsimple,Mug\n';

	test('are named by the column that says so, with the --where to type', async () => {
		expect(await hintsOf(SHOPIFY)).toEqual([
			'Status: 2 active, 1 archived. To leave some out: --where "Status=active"',
		]);
		expect(await hintsOf(WOO)).toEqual([
			'Type: 1 variable, 1 variation, 1 variation, virtual, 1 simple. To leave some out: --where "Type!=variation" --where "Type!=variation, virtual"',
		]);
	});

	test('are not named if a --where chooses already', async () => {
		expect(await hintsOf(SHOPIFY, {}, true)).toEqual([]);
	});
});

describe('a product ID with several names', () => {
	const ROWS = 'Name,Product ID\nSoap,12345\nMug,54321\nSOAP ,12345\nSoap red,12345\n';

	test('is named with its rows', async () => {
		expect(await hintsOf(ROWS)).toEqual([
			'Product ID 12345 is in rows 2 and 5 under different names, “Soap” and “Soap red”. Check the IDs: each of these rows is ordered.',
		]);
		expect((await hintsOf(`${ROWS}Cup,54321\n`)).join()).toContain('and so is 1 more. Check');
	});

	test('is nothing to ask about if its rows are not ordered', async () => {
		const table = await open(ROWS);
		expect(hints(table, table.rows.slice(0, 3), false)).toEqual([]);
	});
});

test('there is nothing to change if nothing is ordered', async () => {
	expect(
		hints(await open('Name,Status,Commission\nSoap,active,3\nMug,draft,4\n'), [], false),
	).toEqual([]);
});
