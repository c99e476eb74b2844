import { deskOf, readEvents } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

const HEADER = 'Product Name,Audience,SKU';
const BRUSH = 'Brush,parents,B-1';
const MUG = 'Mug,chefs,M-1';
const NOVA = 'Nova Mask,all,N-1';
const SPOON = 'Spoon,cooks,S-1';

test('a line put on top of the CSV of an interrupted run: each product is named by the row that it has now', async () => {
	const desk = await deskOf([HEADER, BRUSH], { inputShape: 'empty' });
	await desk.killAt(/ordered .*Brush/);
	// A brief that does not show what it was made from: the row of its product is parked beside it.
	const { id } = desk.sandbox.addBrief({ product_name: 'Mug', status: 'ready' });

	desk.csv('products.csv', [HEADER, NOVA, BRUSH, MUG]);
	const { out, code } = await desk.order('--json');
	const events = readEvents(out, code);
	const named = events.filter(({ event, key }) => typeof key === 'string' && event !== 'run_ended');
	const rows = new Map([
		['Nova Mask', 2],
		['Brush', 3],
		['Mug', 4],
	]);
	expect(new Set(named.map(({ product_name }) => product_name))).toEqual(new Set(rows.keys()));
	for (const { row, product_name } of named)
		expect([product_name, row]).toEqual([product_name, rows.get(product_name as string)]);
	// No two orders have one name, and no order has two.
	expect(new Set(named.map(({ key }) => key)).size).toBe(3);
	expect(events.find(({ event }) => event === 'parked')).toMatchObject({ candidate: id });
	expect(desk.results().map(({ brief_status }) => brief_status)).toEqual([
		...['ready', 'ready', 'parked'],
	]);

	const expectRow = async (row: number) => {
		const adopt = `--adopt ${row}=${id}`;
		expect((await desk.run('status')).out).toMatch(new RegExp(`row ${row} +Mug +.*\n.*${adopt}`));
		expect(desk.results().find(({ SKU }) => SKU === 'M-1')?.brief_error).toContain(adopt);
		expect(desk.read('briefs/report.html')).toContain(adopt);
	};
	await expectRow(4);

	// One more line, and nothing was run since: what is shown is of the CSV as it is now.
	desk.csv('products.csv', [HEADER, SPOON, NOVA, BRUSH, MUG]);
	await desk.run('report');
	await expectRow(5);
	const { brief_id } = desk.results().find(({ SKU }) => SKU === 'B-1')!;
	expect((await desk.paste(`brief-batch run products.csv --adopt 5=${id}`)).code).toBe(0);
	expect(desk.results()).toMatchObject([
		{ SKU: 'S-1', brief_status: 'ready' },
		{ SKU: 'N-1', brief_status: 'ready' },
		{ SKU: 'B-1', brief_id },
		{ SKU: 'M-1', brief_status: 'ready', brief_id: id },
	]);
	expect(desk.sandbox.createdCount()).toBe(3);
});

test('an order whose row was taken out of the CSV is named by its product', async () => {
	const desk = await deskOf([HEADER, BRUSH, MUG]);
	await desk.killAt(/ordered .*Brush/);
	desk.csv('products.csv', [HEADER, MUG]);
	const { out, code } = await desk.order('--yes', '--json');
	const ready = readEvents(out, code).filter(({ event }) => event === 'filed');
	const rows = new Map(ready.map(({ product_name, row }) => [product_name, row]));
	expect(rows).toEqual(
		new Map([
			['Brush', undefined],
			['Mug', 2],
		]),
	);
});
