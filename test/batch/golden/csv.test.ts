import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { batchName } from '../../../batch/commands/batch-name';
import { damageIn } from '../../../batch/csv/damage';
import { openTable, type Row, type Table } from '../../../batch/csv/table';
import { Records } from '../../../batch/folder/records';
import { tryOf } from '../../../batch/plan/try';
import { fileOf } from '../../support/batch/read-csv';
import { Desk } from '../../support/batch/desk';
import { recordsOf, entry } from '../../support/batch/journal-events';
import { readingOfRun, tableOptions } from '../../../batch/settings/reading';
import { settings } from '../../support/batch/settings';
import { World } from '../../support/world/world';
import { GOLDEN_CSVS, goldenRowsOf, type GoldenCsv } from '../../golden/golden-rows';

/*
 * Freezes the way from the bytes of a CSV to the IDs of its rows and their idempotency keys. The rows of every journal
 * that a user has are known by these IDs, and its briefs were ordered with these keys: with others, the next run of the
 * same command would order and pay for every row again. So an expectation here is never changed to fit the code.
 */

/** As the command line would have it. */
const table = (path: string, options: GoldenCsv['options'] = {}): Promise<Table> =>
	openTable(path, tableOptions(readingOfRun(settings(options))));

const pathOf = (file: string) => join(__dirname, '../../golden/csv', file);
const batchOf = (path: string, batch?: string) =>
	batchName(path, { batch, outDir: 'out' }, new Records());
const keyOf = (batch: string, row: Row) => tryOf(batch, row, 1).key;

describe.each(GOLDEN_CSVS)('$file', (csv) => {
	const { file, bytes, batch, options, signs = [] } = csv;
	const path = pathOf(file);
	const golden = goldenRowsOf(csv);
	const sound = golden.flatMap((row) => ('id' in row ? [row] : []));
	/** Without rows of the same content as an earlier one: these share its brief. */
	const ordered = sound.filter(({ id }, at) => sound.findIndex((row) => row.id === id) === at);

	test('is the file that was committed', () => {
		const sum = createHash('sha256').update(readFileSync(path)).digest('hex');
		expect(sum.slice(0, bytes.length)).toBe(bytes);
	});

	test('has the rows that it always had', async () => {
		const { rows } = await table(path, options);
		const read = rows.map(({ number, input, contentId, problems }) =>
			problems.length > 0
				? { number, refused: true, id: contentId }
				: { number, input, id: contentId },
		);
		expect(read).toEqual(
			golden.map((row) =>
				'id' in row
					? { number: row.number, input: row.input, id: row.id }
					: { number: row.number, refused: true, id: '' },
			),
		);
	});

	test('has signs of damage in the rows that always had some', async () => {
		const damagedTable = await table(path, options);
		const valid = damagedTable.rows.filter(({ problems }) => problems.length === 0);
		const damaged = valid.filter((row) => damageIn([row], damagedTable).length > 0);
		expect(damaged.map(({ number }) => number)).toEqual(signs);
	});

	test('is ordered with the keys that it always had, each with its row’s input', async () => {
		const desk = new Desk();
		await desk.run(await table(path, options), { batch: batchOf(path, batch) });
		const sent = desk.service.creates();
		const bodies = sent.map(({ body }) => JSON.parse(body ?? '') as { idempotency_key: string });
		const byKey = (one: { idempotency_key: string }, other: { idempotency_key: string }) =>
			one.idempotency_key < other.idempotency_key ? -1 : 1;
		expect(bodies.sort(byKey)).toEqual(
			ordered.map(({ key, input }) => ({ ...input, idempotency_key: key })).sort(byKey),
		);
		const inHeaders = sent.map(({ headers }) => headers['idempotency-key']);
		expect(inHeaders.sort()).toEqual(ordered.map(({ key }) => key).sort());
	});
});

describe('the headers of a CSV', () => {
	const CELLS = ['Tea', '77777', 'Adults', 'Sell more', 'Organic', '15 %', 'Calm'];
	const LINK = 'https://video.example.com/tea';
	const ID = 'b5ac367367d9ea13841febbea075501b';
	const KEY = '43cd22a4-971a-4ff4-a36d-623c088ea1cf';

	/** In the order of CELLS, then the link. Together these are all names that a column may have. */
	test.each([
		'product_name,product_id,audience,objective,approved_facts,campaign_terms,creative_direction,reference_urls',
		'Product,Item ID,Target Audience,Goal,Facts,Terms,Direction,Reference URL',
		'Name,product_id,audience,objective,Claims,campaign_terms,Creative,Reference Links',
		'Title,product_id,audience,objective,Claims,campaign_terms,Creative,Reference Link',
		'Product Title,product_id,audience,objective,Facts,Terms,Direction,References',
		'Product URL,product_id,audience,objective,Facts,Terms,Direction,Links',
		'Product Link,product_id,audience,objective,Facts,Terms,Direction,URLs',
		'Link,product_id,audience,objective,Facts,Terms,Direction,reference_urls',
		'Product,Item ID,Target Group,Campaign Objective,Approved Claims,Terms and Conditions,Direction,Links',
		'Name,product_id,Audience,Campaign Goal,Product Claims,Terms & Conditions,Creative,URLs',
		'Title,product_id,Audience,Goal,Key Claims,Terms,Creative,References',
		'Title,product_id,Audience,Goal,Key Facts,Terms,Creative,References',
		'Title,product_id,Audience,Goal,Product Facts,Terms,Creative,References',
		// Other writings of them.
		'PRODUCT NAME, Product ID ,AUDIENCE,Objective,approved-facts,Campaign__Terms,CreativeDirection,reference urls',
		'ｐｒｏｄｕｃｔ,ITEM-ID,target_audience,goal,FACTS,terms,creative,reference\u00a0links',
	])('give a row the same ID and key: %s', async (header) => {
		const rows = (await table(fileOf(`${header}\n${CELLS.join()},${LINK}\n`))).rows;
		expect(rows.map(({ contentId }) => contentId)).toEqual([ID]);
		expect(rows.map((row) => keyOf('tea.csv', row))).toEqual([KEY]);
	});

	test.each(['Link,Name', 'Product Link,Title', 'Product URL,Product', 'Link,product name'])(
		'of links do not serve as the product where another does: %s',
		async (header) => {
			const csv = `${header}\nhttps://shop.example.com/1,Mug\n`;
			const [row] = (await table(fileOf(csv))).rows;
			expect(row?.contentId).toBe('1341e7d065c95e5b4119303ff585fbf1');
		},
	);

	test.each(['Brand', 'ID', 'SKU', 'Description', 'Price', 'Notes', 'URL', 'Video', 'Keywords'])(
		'that name no field add nothing to a row: %s',
		async (header) => {
			const csv = `Name,${header}\nMug,https://video.example.com/12345\n`;
			const [row] = (await table(fileOf(csv))).rows;
			expect(row?.contentId).toBe('1341e7d065c95e5b4119303ff585fbf1');
		},
	);
});

describe('the key of a row', () => {
	const mug = async () => {
		const [row] = (await table(fileOf('Name\nMug\n'))).rows;
		return row!;
	};

	test.each([
		['4910548d-9f5a-4296-aede-dae31929a3d2', '/home/a/products.csv', undefined],
		['4910548d-9f5a-4296-aede-dae31929a3d2', 'other/products.csv', undefined],
		['4910548d-9f5a-4296-aede-dae31929a3d2', 'other.csv', 'products.csv'],
		['8ad3d646-01b7-495a-80ba-bde7cd4d8470', 'products.csv', 'spring'],
		['81b7f2c0-b96b-41e0-89ec-d161b391abb7', 'products.csv', ' spring '],
		['efb25248-a100-48af-8977-3d7f158a8fbf', 'products.csv', 'Frühling 2026'],
		['d85de1b9-0afa-4365-86a1-f4b372d4ffcc', 'products.csv', 'a,b:1'],
	])('is %s for the file %s and --batch %s', async (key, path, asked) => {
		expect(keyOf(batchOf(path, asked), await mug())).toBe(key);
	});

	test('takes the name of the batch from the journal, whatever the file is called now', async () => {
		const records = recordsOf({ ...entry.batch(), batch: 'spring' });
		const batch = batchName('products.csv', { batch: undefined, outDir: 'out' }, records);
		expect(keyOf(batch, await mug())).toBe('8ad3d646-01b7-495a-80ba-bde7cd4d8470');
	});

	test('is on the wire what it is here, through two new starts of a row that fails', async () => {
		const world = new World({ failed: () => true });
		world.rows = ['Mug'];
		await world.run();
		await world.run({ retry: true });
		await world.run({ retry: true });
		expect(world.paid().map(({ key }) => key)).toEqual([
			'4910548d-9f5a-4296-aede-dae31929a3d2',
			'a7c81dc8-9642-49fa-b4ef-c0d1428f7d1c',
			'd3ba9fa2-52ff-48e1-890e-c69e9dd8f782',
		]);
	});
});

test('every file under csv/ has its rows here', () => {
	const files = readdirSync(join(__dirname, '../../golden/csv'));
	expect(files).toEqual(GOLDEN_CSVS.map(({ file }) => file).sort());
});
