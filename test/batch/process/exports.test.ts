import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../../sandbox/sandbox';
import { Desk, FAST } from '../../support/batch/brief-batch';

/* Lists as they come out of other systems. */

jest.setTimeout(60_000);

let sandbox: Sandbox;
let desk: Desk;

beforeEach(async () => {
	sandbox = await startSandbox({
		speed: 1000,
		seed: 'exports',
		failureShare: 0,
		requestsPerMinute: 0,
	});
	desk = new Desk(sandbox);
});

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

const run = (...options: string[]) => desk.run(['run', 'products.csv', ...options, ...FAST]);

/** What the brief of the first row was written from. */
function sent(outDir = 'briefs'): unknown {
	const [row] = desk.results(outDir);
	const file = (row?.['brief_file'] ?? '').replace(/md$/, 'json');
	return (JSON.parse(desk.read(join(outDir, file))) as { input: unknown }).input;
}

test('lines that are no products are invalid with a reason, and cost nothing', async () => {
	const names = ['Soap', 'Loading…', '#N/A', 'TBD', 'n/a', 'NULL', '=A2&" ml"', 'TOTAL'];
	desk.csv('products.csv', [
		'Product Name',
		...names.map((name) => `"${name.replaceAll('"', '""')}"`),
	]);
	const { code } = await run();
	expect(code).toBe(1);
	expect(sandbox.createdCount()).toBe(1);
	const [soap, ...others] = desk.results();
	expect(soap).toMatchObject({ brief_status: 'ready' });
	expect(others.map(({ brief_status }) => brief_status)).toEqual(Array(7).fill('invalid'));
	for (const [at, name] of names.slice(1).entries())
		expect(others[at]?.['brief_error']).toContain(`Product Name is “${name}”, `);
});

test('barcodes and columns that are not certain are named, and sent only with --map', async () => {
	desk.csv('products.csv', [
		'Product ID,Title,Key facts,Commission',
		'4006381333931,Soap,Vegan,15 %',
	]);
	const { out } = await desk.run(['plan', 'products.csv']);
	const maps = ['Product ID=product_id', 'Commission=campaign_terms'];
	for (const map of maps) expect(out).toContain(`--map "${map}"`);
	expect(out).toContain('“Product ID” holds a barcode (EAN or UPC) in 1 row');
	expect(out).toMatch(/product_id +0 of 1\n/);
	expect(out).toMatch(/approved_facts +1 of 1 +from “Key facts”\n/);
	await run();
	expect(sent()).toEqual({ product_name: 'Soap', approved_facts: 'Vegan' });
	desk.csv('products.csv', ['Product ID,Title,Commission', '96385074,Mug,15 %']);
	const { out: without } = await desk.run(['plan', 'products.csv', '--out', 'mapped']);
	expect(without).toMatch(
		/approved_facts +0 of 1 +the briefs will state nothing about the products/,
	);
	const { out: told } = await run('--out', 'mapped', ...maps.flatMap((map) => ['--map', map]));
	expect(told).not.toContain('barcode');
	expect(sent('mapped')).toEqual({
		product_name: 'Mug',
		product_id: '96385074',
		campaign_terms: '15 %',
	});
});

test('a column that holds no names is never suggested as the product', async () => {
	desk.csv('products.csv', [
		'uuid,ref,text',
		'1f0c22aa-1111-4222-8333-444455556666,A-1,Glow Serum',
	]);
	const { code, err } = await desk.run(['plan', 'products.csv']);
	expect(code).toBe(2);
	expect(err).toContain('--map "text=product_name"');
	expect(err).not.toContain('"uuid=');
});

test('one product in seven spellings is one order, and its list may be saved again on a Mac', async () => {
	const names = ['Crème Brûlée', 'CRÈME BRÛLÉE', 'Crème  Brûlée', 'Crème\u00a0Brûlée'];
	names.push('Crème\u200b Brûlée', '\u2060Crème Brûlée', 'Crème Brûlée'.normalize('NFD'));
	desk.csv('products.csv', ['Product Name,Audience', ...names.map((name) => `${name},Köche`)]);
	const { out } = await desk.run(['plan', 'products.csv', '--json']);
	expect(JSON.parse(out)).toMatchObject({ new: 1, duplicates: 6 });
	await run();
	expect(sent()).toEqual({ product_name: 'Crème Brûlée', audience: 'Köche' });
	desk.csv('products.csv', [`Product Name,Audience\nCrème Brûlée,Köche`.normalize('NFD')]);
	const again = await run();
	expect(again.code).toBe(0);
	expect(sandbox.createdCount()).toBe(1);
	expect(desk.results()).toMatchObject([{ brief_status: 'ready' }]);
});

test('files are named by their products in every script', async () => {
	const names = [
		'美容液 30ml',
		'סבון לבנדר',
		'صابون اللافندر',
		'비누 세트',
		'Щётка',
		'Crème: „30 ml“',
	];
	desk.csv('products.csv', ['Product Name', ...names]);
	expect((await run()).code).toBe(0);
	const files = desk.results().map(({ brief_file = '' }) => brief_file);
	expect(files.map((file) => file.replace(/^results\/|-[0-9a-f]{8}\.md$/g, ''))).toEqual([
		...['美容液-30ml', 'סבון-לבנדר', 'صابون-اللافندر', '비누-세트', 'щётка', 'creme-30-ml'],
	]);
	for (const file of files) expect(desk.exists(join('briefs', file))).toBe(true);
	expect(desk.read('briefs/report.html')).toContain(`href="${files[0] ?? ''}"`);
	const again = await run();
	expect([again.code, sandbox.createdCount()]).toEqual([0, names.length]);
});

test('Excel opens results.csv with its accents right, whatever the CSV was', async () => {
	const csv = 'Product Name\nCrème\n';
	const files = [
		Buffer.from(csv),
		Buffer.from(`\ufeff${csv}`, 'utf16le'),
		Buffer.from(csv, 'latin1'),
	];
	for (const [at, bytes] of files.entries()) {
		writeFileSync(join(desk.folder, 'products.csv'), bytes);
		const options = at === 2 ? ['--encoding', 'windows-1252'] : [];
		await run('--out', `out${at}`, ...options);
		expect(desk.read(`out${at}/results.csv`)).toMatch(/^\ufeffProduct Name,.*\nCrème,/);
	}
});

describe('a part of a list', () => {
	const plan = (...options: string[]) => desk.run(['plan', 'products.csv', ...options, ...FAST]);
	const statuses = () => desk.results().map(({ brief_status }) => brief_status);

	beforeEach(() =>
		desk.csv('products.csv', [
			'Product Name,Status,Gift  Card',
			'Soap,active,false',
			'Voucher,Active,true',
			'Old soap,archived,false',
			'Lamp, ACTIVE ,false',
			'TOTAL,,',
		]),
	);

	test('is what --where chooses; the rest is counted, stays in results.csv, and is no failure', async () => {
		const where = ['--where', 'status=active', '--where', 'gift card!=TRUE'];
		const planned = await plan(...where);
		expect([planned.code, planned.out]).toEqual([0, expect.stringContaining('3 rows left out')]);
		expect(planned.out).not.toContain('Voucher');
		const { code, out } = await run(...where);
		expect([code, out]).toEqual([0, expect.stringContaining('3 rows left out')]);
		expect(sandbox.briefs().map(({ input }) => input.product_name)).toEqual(['Soap', 'Lamp']);
		expect(statuses()).toEqual(['ready', 'pending', 'pending', 'ready', 'pending']);
		expect((await desk.run(['status'])).code).toBe(0);
	});

	test('is what --only names, and later runs keep what the others have', async () => {
		expect((await run('--only', '5')).code).toBe(0);
		expect((await run('--only', '2-3')).code).toBe(0);
		expect(statuses()).toEqual(['ready', 'ready', 'pending', 'ready', 'pending']);
		expect([(await run()).code, sandbox.createdCount()]).toEqual([1, 4]);
		expect(statuses()).toEqual(['ready', 'ready', 'ready', 'ready', 'invalid']);
	});

	test('is suggested by plan from a column that speaks of a state', async () => {
		expect((await plan()).out).toContain(
			'Status: 3 active, 1 archived. To leave some out: --where "Status=active"',
		);
	});

	test.each([
		[['--where', 'Stauts=active'], 'The nearest is “Status”.'],
		[['--where', 'Status'], '--where takes "Column=value" or "Column!=value", not “Status”.'],
		[['--where', 'Status=sold'], '--only and --where leave no row.'],
		[['--only', '2,9'], '--only names row 9, and the CSV has rows 2 to 6.'],
		[['--only', 'two'], 'Write the numbers of rows, as in --only 3,5-9.'],
	])('%j orders nothing and says what to write', async (options, message) => {
		for (const { code, err } of [await plan(...options), await run(...options)])
			expect([code, err]).toEqual([2, expect.stringContaining(message)]);
		expect(sandbox.createdCount()).toBe(0);
	});
});
