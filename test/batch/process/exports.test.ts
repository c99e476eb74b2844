import { deskOf, type Desk } from '../../support/batch/brief-batch';

/* Lists as they come out of other systems. */

jest.setTimeout(60_000);

const names = ({ sandbox }: Desk) => sandbox.briefs().map(({ product_name }) => product_name);

/** What the brief of the first row was written from. */
function sent(desk: Desk, outDir = 'briefs'): unknown {
	const [{ brief_file = '' } = {}] = desk.results(outDir);
	const json = desk.read(`${outDir}/${brief_file.replace(/md$/, 'json')}`);
	return (JSON.parse(json) as { input: unknown }).input;
}

test('lines that are no products are invalid with a reason, and cost nothing', async () => {
	const none = ['Loading…', '#N/A', 'TBD', 'n/a', 'NULL', '=A2&" ml"', 'TOTAL'];
	const cells = ['Soap', ...none].map((name) => `"${name.replaceAll('"', '""')}"`);
	const desk = await deskOf(['Product Name', ...cells]);
	expect((await desk.order()).code).toBe(1);
	expect(names(desk)).toEqual(['Soap']);
	expect(desk.statuses()).toEqual(['ready', ...Array<string>(7).fill('invalid')]);
	for (const [at, row] of desk.results().slice(1).entries())
		expect(row.brief_error).toContain(`Product Name is “${none[at]}”, `);
});

test('a cell of any length is judged at once', async () => {
	const [blanks, lines] = [' '.repeat(300_000), '\n'.repeat(300_000)];
	const cells = [`=${blanks}a`, '{{'.repeat(150_000), `total${blanks}a`];
	const desk = await deskOf([
		'Product Name,Note',
		`Soap,"${lines}"`,
		...cells.map((one) => `${one},`),
	]);
	expect((await desk.order()).code).toBe(1);
	expect(desk.statuses()).toEqual(['ready', 'invalid', 'invalid', 'invalid']);
	expect(desk.read('briefs/results.csv')).toContain(lines);
});

test('barcodes and doubtful columns are named, and sent only with --map', async () => {
	const desk = await deskOf([
		'Product ID,Title,Key facts,Commission',
		'4006381333931,Soap,Vegan,15 %',
	]);
	const { out } = await desk.run('plan products.csv');
	const maps = ['Product ID=product_id', 'Commission=campaign_terms'];
	for (const map of maps) expect(out).toContain(`--map "${map}"`);
	expect(out).toContain('“Product ID” holds a barcode (EAN or UPC) in 1 row');
	expect(out).toMatch(/product_id +0 of 1\n/);
	expect(out).toMatch(/approved_facts +1 of 1 +from “Key facts”\n/);
	await desk.order();
	expect(sent(desk)).toEqual({ product_name: 'Soap', approved_facts: 'Vegan' });

	desk.csv('products.csv', ['Product ID,Title,Commission', '96385074,Mug,15 %']);
	const options = ['--out', 'mapped', ...maps.flatMap((map) => ['--map', map])];
	expect((await desk.run('plan products.csv --out mapped')).out).toMatch(
		/approved_facts +0 of 1 +the briefs will state nothing about the products/,
	);
	expect((await desk.order(...options)).out).not.toContain('barcode');
	const input = { product_name: 'Mug', product_id: '96385074', campaign_terms: '15 %' };
	expect(sent(desk, 'mapped')).toEqual(input);
});

test('a column without names is never suggested as the product', async () => {
	const desk = await deskOf(['uuid,ref,text', '1f0c22aa-1111-4222-8333-444455556666,A-1,Serum']);
	const { code, err } = await desk.run('plan products.csv');
	expect([code, err]).toEqual([2, expect.stringContaining('--map "text=product_name"')]);
	expect(err).not.toContain('"uuid=');
});

test('a product ID that a spreadsheet has rounded is not sent', async () => {
	const rounded = '1729384756123450000';
	const desk = await deskOf(['Name,Product ID', `Soap,${rounded}`, 'Mug,1729384756102938475']);
	const { code, out } = await desk.order();
	expect([code, names(desk)]).toEqual([1, ['Mug']]);
	expect(out).toMatch(/row 2 +invalid +Product ID is “1729384756123450000”.*rounded the ID/);
	expect(out).toContain('give the product’s link as its name');
});

test('a product ID of 16 digits that ends in zero is named, and invalid if all of them do', async () => {
	const desk = await deskOf(['Name,Product ID', 'Soap,1005006123456780', 'Mug,17290001']);
	const plan = () => desk.run('plan products.csv');
	const notice = 'Check the product ID 1005006123456780';
	expect(await plan()).toMatchObject({ code: 0, out: expect.stringContaining(notice) as string });
	desk.csv('products.csv', [
		'Name,Product ID',
		...['80', '90', '00'].map((n) => `Soap ${n},10050061234567${n}`),
	]);
	expect((await plan()).out).toMatch(/invalid +3/);
	desk.csv('products.csv', ['Name,Product ID', 'Soap,1005006123456780', 'Mug,1005006123456781']);
	expect((await plan()).out).not.toContain('Check the product ID');
});

test('a product in seven spellings is one order, and its list can be saved again on a Mac', async () => {
	const name = 'Crème Brûlée';
	const spellings = [name, 'CRÈME BRÛLÉE', 'Crème  Brûlée', 'Crème\u00a0Brûlée'];
	spellings.push('Crème\u200b Brûlée', `\u2060${name}`, name.normalize('NFD'));
	const rows = spellings.map((spelling) => `${spelling},Köche`);
	const desk = await deskOf(['Product Name,Audience', ...rows]);
	expect(await desk.json('plan products.csv')).toMatchObject({ new: 1, duplicates: 6 });
	await desk.order();
	expect(sent(desk)).toEqual({ product_name: name, audience: 'Köche' });
	desk.csv('products.csv', [`Product Name,Audience\n${name},Köche`.normalize('NFD')]);
	expect((await desk.order()).code).toBe(0);
	expect([names(desk).length, desk.statuses()]).toEqual([1, ['ready']]);
});

test('files are named by their products in every script', async () => {
	const files = {
		'美容液 30ml': '美容液-30ml',
		'סבון לבנדר': 'סבון-לבנדר',
		'صابون اللافندر': 'صابون-اللافندر',
		'비누 세트': '비누-세트',
		Щётка: 'щётка',
		'Crème: „30 ml“': 'creme-30-ml',
	};
	const desk = await deskOf(['Product Name', ...Object.keys(files)]);
	expect((await desk.order()).code).toBe(0);
	const made = desk.results().map(({ brief_file = '' }) => brief_file);
	const bare = made.map((file) => file.replace(/^results\/|-[0-9a-f]{8}\.md$/g, ''));
	expect(bare).toEqual(Object.values(files));
	for (const file of made) expect(desk.exists(`briefs/${file}`)).toBe(true);
	expect(desk.read('briefs/report.html')).toContain(`href="${made[0]}"`);
	await desk.order();
	desk.expectPaid(6);
});

test('Excel opens results.csv with its accents right, whatever the CSV was', async () => {
	const csv = 'Product Name\nCrème\n';
	const desk = await deskOf();
	for (const [at, bytes] of [
		Buffer.from(csv),
		Buffer.from(`\ufeff${csv}`, 'utf16le'),
		Buffer.from(csv, 'latin1'),
	].entries()) {
		desk.write('products.csv', bytes);
		const options = at === 2 ? ['--encoding', 'windows-1252'] : [];
		await desk.order('--out', `out${at}`, ...options);
		expect(desk.read(`out${at}/results.csv`)).toMatch(/^\ufeffProduct Name,.*\nCrème,/);
	}
});

describe('a part of a list', () => {
	const LIST = [
		'Product Name,Status,Gift  Card',
		'Soap,active,false',
		'Voucher,Active,true',
		'Old soap,archived,false',
		'Lamp, ACTIVE ,false',
		'TOTAL,,',
	];

	test('is what --where chooses, and the other rows are counted and are no failures', async () => {
		const desk = await deskOf(LIST);
		expect((await desk.run('plan products.csv')).out).toContain(
			'Status: 3 active, 1 archived. To leave some out: --where "Status=active"',
		);
		const where = ['--where', 'status=active', '--where', 'gift card!=TRUE'];
		const planned = await desk.run(['plan', 'products.csv', ...where]);
		expect(planned.out).not.toContain('Voucher');
		for (const { code, out } of [planned, await desk.order(...where)])
			expect([code, out]).toEqual([0, expect.stringContaining('3 rows left out')]);
		expect(names(desk)).toEqual(['Soap', 'Lamp']);
		expect(desk.statuses()).toEqual(['ready', 'pending', 'pending', 'ready', 'pending']);
		expect((await desk.run('status')).code).toBe(0);
	});

	test('is what --only names, and later runs keep what the other rows have', async () => {
		const desk = await deskOf(LIST);
		expect((await desk.order('--only', '5')).code).toBe(0);
		expect((await desk.order('--only', '2-3')).code).toBe(0);
		expect(desk.statuses()).toEqual(['ready', 'ready', 'pending', 'ready', 'pending']);
		expect((await desk.order()).code).toBe(1);
		desk.expectPaid(4);
		expect(desk.statuses()).toEqual(['ready', 'ready', 'ready', 'ready', 'invalid']);
	});

	test('leaves the other rows out of deferred.csv too', async () => {
		const desk = await deskOf(LIST, { allowance: 1 });
		expect((await desk.order('--only', '2-3')).code).toBe(3);
		expect(desk.statuses()).toEqual(['ready', 'deferred', 'pending', 'pending', 'pending']);
		expect(desk.read('briefs/deferred.csv')).not.toContain('Old soap');
	});

	test('is run from deferred.csv with the places that its own rows have in the allowance', async () => {
		const desk = await deskOf(LIST, { allowance: 1 });
		await desk.order('--only', '3-5');
		desk.sandbox.options.allowance = 3;
		expect((await desk.run('run briefs/deferred.csv --yes --max 1')).code).toBe(3);
		expect(desk.statuses()).toEqual(['pending', 'ready', 'ready', 'pending', 'pending']);
	});

	test.each([
		[['--where', 'Stauts=active'], 'The nearest is “Status”.'],
		[['--where', 'Gift!=true'], 'The nearest is “Gift  Card”.'],
		[['--where', 'Status'], '--where takes "Column=value" or "Column!=value", not “Status”.'],
		[['--where', 'Status=sold'], 'no row has “sold” in the column “Status”.'],
		[['--where', 'Status!=archivd'], 'Its values are “archived” and “active”: --where compares'],
		[['--where', 'Status=active', '--only', '4'], 'No row is left by --only and --where.'],
		[['--only', '2,9'], '--only names row 9, and the CSV has rows 2 to 6.'],
		[['--only', '4-60'], '--only names row 60, and the CSV has rows 2 to 6.'],
		[['--only', 'two'], 'Write the numbers of rows, as in --only 3,5-9.'],
	])('%j orders nothing and says what to write', async (options, message) => {
		const desk = await deskOf(LIST);
		const args = ['products.csv', ...options];
		const ended = [await desk.run(['plan', ...args]), await desk.run(['run', ...args])];
		for (const { code, err } of ended)
			expect([code, err]).toEqual([2, expect.stringContaining(message)]);
		desk.expectPaid(0);
	});
});
