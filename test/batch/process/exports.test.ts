import { deskOf, type Desk } from '../../support/batch/brief-batch';

/* Lists as they come out of other systems. */

jest.setTimeout(60_000);

const names = ({ sandbox }: Desk) => sandbox.briefs().map(({ product_name }) => product_name);

test('a cell of any length is judged at once', async () => {
	const [blanks, lines] = [' '.repeat(300_000), '\n'.repeat(300_000)];
	const cells = [`=${blanks}a`, '{{'.repeat(150_000), `total${blanks}a`];
	const desk = await deskOf([
		'Product Name,Note',
		`Soap,"${lines}"`,
		...cells.map((one) => `${one},`),
	]);
	expect(await desk.comesTo()).toBe('1: ready, invalid, invalid, invalid; 1 paid');
	expect(desk.read('briefs/results.csv')).toContain(lines);
});

test('plan names barcodes and doubtful columns', async () => {
	const desk = await deskOf([
		'Product ID,Title,Key facts,Commission',
		'4006381333931,Soap,Vegan,15 %',
	]);
	const { out } = await desk.run('plan products.csv');
	for (const map of ['Product ID=product_id', 'Commission=campaign_terms'])
		expect(out).toContain(`--map "${map}"`);
	expect(out).toContain('“Product ID” holds a barcode (EAN or UPC) in 1 row');
});

test('a product in seven spellings is one order, and its list can be saved again on a Mac', async () => {
	const name = 'Crème Brûlée';
	const spellings = [name, 'CRÈME BRÛLÉE', 'Crème  Brûlée', 'Crème\u00a0Brûlée'];
	spellings.push('Crème\u200b Brûlée', `\u2060${name}`, name.normalize('NFD'));
	const rows = spellings.map((spelling) => `${spelling},Köche`);
	const desk = await deskOf(['Product Name,Audience', ...rows]);
	expect(await desk.json('plan products.csv')).toMatchObject({ new: 1, duplicates: 6 });
	await desk.order();
	const input = { product_name: name, audience: 'Köche' };
	expect(desk.sandbox.briefs()).toMatchObject([{ input }]);
	desk.csv('products.csv', [`Product Name,Audience\n${name},Köche`.normalize('NFD')]);
	expect(await desk.comesTo()).toBe('0: ready; 1 paid');
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
		const hint = 'Status: 3 active, 1 archived. To leave some out: --where "Status=active"';
		await desk.expectEnd('plan products.csv', 1, hint);
		const where = ['--where', 'status=active', '--where', 'gift card!=TRUE'];
		for (const name of ['plan', 'run']) {
			const { out } = await desk.expectEnd([name, 'products.csv', ...where], 0, '3 rows left out');
			expect(out).not.toContain('Voucher');
		}
		expect(names(desk)).toEqual(['Soap', 'Lamp']);
		expect(desk.statuses()).toEqual(['ready', 'left_out', 'left_out', 'ready', 'left_out']);
		expect((await desk.run('status')).code).toBe(0);
	});

	test('says so if an option names rows that --only leaves aside', async () => {
		const desk = await deskOf(4);
		const options =
			'--order-changed 3 --order-again 4-5 --adopt 5=1f0c22aa-0000-4000-8000-000000000000';
		const { out } = await desk.run(`run products.csv --yes --only 2 ${options}`);
		expect(out).toContain('Rows 3-5 are not in this run, so nothing is done with them.');
		expect(out).toContain('Row 5 is not in this run, so --adopt changes nothing.');
		desk.expectPaid(1);
	});

	test('is what --only names, and later runs keep what the other rows have', async () => {
		const desk = await deskOf(LIST);
		expect((await desk.order('--only', '5')).code).toBe(0);
		const both = await desk.comesTo('--only', '2-3');
		expect(both).toBe('0: ready, ready, pending, ready, invalid; 3 paid');
		expect(await desk.comesTo()).toBe('1: ready, ready, ready, ready, invalid; 4 paid');
	});

	test('hides no other row: those beyond the allowance are deferred too', async () => {
		const desk = await deskOf(LIST, { allowance: 1 });
		const came = await desk.comesTo('--only', '2-3');
		expect(came).toBe('3: ready, deferred, deferred, deferred, invalid; 1 paid');
		expect(desk.read('briefs/deferred.csv')).toContain('Old soap');
	});

	test.each([
		[['--where', 'Stauts=active'], 'The nearest is “Status”.'],
		[['--where', 'Gift!=true'], 'The nearest is “Gift  Card”.'],
		[['--where', 'Status'], '--where takes "Column=value" or "Column!=value", not “Status”.'],
		[['--where', 'Status=sold'], 'no row has “sold” in the column “Status”.'],
		[['--where', 'Status!=archivd'], 'Its values are “archived” and “active”: --where compares'],
		[['--only', '2,9'], '--only names row 9, and the CSV has rows 2 to 6.'],
		[['--only', '4-60'], '--only names row 60, and the CSV has rows 2 to 6.'],
		[['--only', 'two'], 'Write the numbers of rows, as in --only 3,5-9, or'],
	])('%j orders nothing and says what to write', async (options, message) => {
		const desk = await deskOf(LIST);
		for (const name of ['plan', 'run'])
			await desk.expectEnd([name, 'products.csv', ...options], 2, message);
		desk.expectPaid(0);
	});
});
