import { rmSync } from 'node:fs';
import { deskOf, readEvents } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

const HEADER = 'Product Name,Audience,SKU';
const BRUSH = 'Brush,parents,B-1';
const MUG = 'Mug,chefs,M-1';
const ROWS = [HEADER, BRUSH, MUG];

/** A row that is edited so that neither its product nor its other cells show which one it was. */
const OTHER = 'Bristle brush,students,B-1';

describe('with --id a row is recognised by its own number', () => {
	test('whatever else was edited, and wherever it is', async () => {
		const desk = await deskOf(ROWS);
		await desk.order('--id', 'SKU');
		const [brush] = desk.results();
		desk.csv('products.csv', [HEADER, MUG, OTHER, 'Spoon,cooks,S-1']);
		const planned = await desk.json('plan products.csv --id SKU');
		expect(planned).toMatchObject({
			by_row: [
				{ row: 2, own_number: 'M-1', is: 'ready' },
				{ row: 3, own_number: 'B-1', is: 'changed' },
				{ row: 4, own_number: 'S-1', is: 'new' },
			],
		});
		// A plain run holds it back each time, also when no results.csv is there to say so.
		for (let run = 1; run <= 2; run += 1) {
			expect(await desk.comesTo('--id', 'sku')).toBe('1: ready, changed, ready; 3 paid');
			expect(desk.results()[1]).toMatchObject({ SKU: 'B-1', brief_id: brush?.brief_id });
			rmSync(desk.path('briefs/results.csv'));
		}
		for (const options of [['--order-changed', '3'], []])
			expect(await desk.comesTo('--id', 'SKU', ...options)).toBe('0: ready, ready, ready; 4 paid');
	});

	test('also if it has failed: then it is retry that orders it again', async () => {
		const desk = await deskOf([HEADER, 'Brush (discontinued),parents,B-1', MUG]);
		expect((await desk.order('--id', 'SKU')).code).toBe(1);
		desk.csv('products.csv', [HEADER, OTHER, MUG]);
		expect(await desk.comesTo('--id', 'SKU')).toBe('1: failed, ready; 2 paid');
		expect((await desk.run('retry products.csv --id SKU --yes')).code).toBe(0);
		expect([desk.statuses(), desk.sandbox.createdCount()]).toEqual([['ready', 'ready'], 3]);
	});

	test('also if another row has the content now that it had', async () => {
		const desk = await deskOf(ROWS);
		await desk.order('--id', 'SKU');
		desk.csv('products.csv', [HEADER, OTHER, 'Brush,parents,B-2', MUG]);
		expect(await desk.comesTo('--id', 'SKU')).toBe('1: changed, ready, ready; 2 paid');
	});

	test('also if the header of its column is decorated since', async () => {
		const desk = await deskOf(ROWS);
		await desk.order('--id', 'SKU');
		desk.csv('products.csv', [`${HEADER} *`, OTHER, MUG]);
		expect(await desk.comesTo()).toBe('1: changed, ready; 2 paid');
	});

	test('and a second brief of the same number and product is new', async () => {
		const desk = await deskOf(ROWS);
		await desk.order('--id', 'SKU');
		desk.csv('products.csv', [...ROWS, 'Brush,students,B-1']);
		expect(await desk.comesTo('--id', 'SKU')).toBe('0: ready, ready, ready; 3 paid');
	});

	test('and its number is in no key: without --id nothing is ordered again', async () => {
		const desk = await deskOf(ROWS);
		await desk.order('--id', 'SKU');
		expect(await desk.comesTo()).toBe('0: ready, ready; 2 paid');
		rmSync(desk.path('briefs/journal.jsonl'));
		expect(await desk.comesTo('--batch', 'products.csv')).toBe('0: ready, ready; 2 paid');
	});
});

describe('before anything is ordered, exit 2', () => {
	test.each(['run', 'plan'])('%s refuses a number of two products, by row', async (name) => {
		const desk = await deskOf([...ROWS, 'Spoon,cooks,b-1']);
		const said = 'SKU “B-1” stands at two products: row 2 (“Brush”) and row 4 (“Spoon”).';
		await desk.expectEnd(`${name} products.csv --id SKU`, 2, said);
		desk.expectPaid(0);
	});

	test('a number of two products is none if --where leaves one of them out', async () => {
		const desk = await deskOf([`${HEADER},Status`, `${BRUSH},active`, 'Comb,cooks,B-1,draft']);
		expect(await desk.comesTo('--id', 'SKU', '--where', 'Status=active')).toBe(
			'0: ready, left_out; 1 paid',
		);
	});

	test('run refuses a column that the CSV does not have', async () => {
		const desk = await deskOf(ROWS);
		const said = ['--id names the column “Skus”, which the CSV does not', 'nearest is “SKU”.'];
		await desk.expectEnd('run products.csv --id Skus', 2, ...said);
		desk.expectPaid(0);
	});
});

test('with --id each event that names a row has its number, also of an order from before --id', async () => {
	const desk = await deskOf([...ROWS, BRUSH, 'x,,X-1', 'Pan (discontinued),cooks,P-1']);
	await desk.killAt(/ordered .*Brush/);
	const { out, code } = await desk.order('--id', 'SKU', '--json');
	const events = readEvents(out, code).filter((event) => 'row' in event);
	const said = (each: Record<string, unknown>) =>
		`${String(each.event)} ${String(each.own_number)}`;
	const named = new Set(events.map(said));
	expect(events.filter(({ own_number }) => typeof own_number !== 'string')).toEqual([]);
	for (const name of [
		...['accepted M-1', 'accepted P-1', 'filed B-1', 'filed M-1'],
		...['row_duplicate B-1', 'ended P-1', 'row_invalid X-1'],
	])
		expect(named).toContain(name);
	const { out: again } = await desk.run('retry products.csv --id SKU --max-tries 1 --yes --json');
	expect(again).toMatch(/"event":"row_not_retried",.*"own_number":"P-1"/);
	const { out: retried } = await desk.run('retry products.csv --yes --json');
	expect(retried).toMatch(/"event":"ordered",.*"try":2,.*"row":6[,}]/);
});

describe('rows are named by their own numbers', () => {
	test('in any spelling, beside numbers of rows', async () => {
		const desk = await deskOf([...ROWS, 'Pan,cooks,P-1', 'Lid,cooks,L-1']);
		await desk.order('--id', 'SKU', '--only', '@m-1,4');
		expect(desk.sandbox.briefs().map(({ product_name }) => product_name)).toEqual(['Mug', 'Pan']);
		desk.csv('products.csv', [HEADER, 'Lid,cooks,L-1', OTHER, MUG, 'Pan,cooks,P-1']);
		expect(await desk.comesTo('--only', '@B-1')).toBe('0: pending, ready, ready, ready; 3 paid');
	});

	test('also without the zeros that a spreadsheet takes away, if no other row has that number', async () => {
		const desk = await deskOf([HEADER, 'Brush,parents,00471', 'Mug,chefs,00472', 'Pan,cooks,472']);
		await desk.order('--id', 'SKU', '--only', '@471,@472');
		expect(desk.sandbox.briefs().map(({ product_name }) => product_name)).toEqual(['Brush', 'Pan']);
	});

	test('in the commands that are shown, and an option takes them', async () => {
		const desk = await deskOf([...ROWS, 'Pan,cooks,P 1']);
		await desk.order('--id', 'SKU');
		desk.csv('products.csv', [HEADER, 'Pan,bakers,P 1', OTHER, 'Mug,cooks,M-1']);
		const again = 'brief-batch run products.csv --order-changed @B-1,@M-1,2\n';
		await desk.expectEnd('plan products.csv', 1, again);
		await desk.expectEnd('run products.csv', 1, again);
		await desk.expectEnd('status', 1, again);
		expect(desk.results()[1]?.brief_error).toContain('--order-changed @B-1');
		expect(await desk.comesTo('--order-changed', '@B-1,2')).toBe(
			'1: ready, ready, changed; 5 paid',
		);
	});

	test('that an order gets in a run frees no changed row in it', async () => {
		const header = 'Product Name,Audience,SKU';
		const desk = await deskOf([header, 'Brush,cooks,7']);
		await desk.order('--id', 'SKU');
		desk.csv('products.csv', [header, 'Brush,cooks,5', 'Brush,bakers,']);
		await desk.expectEnd('plan products.csv', 1, 'row 3     changed');
		await desk.order();
		desk.expectPaid(1);
	});

	test('and --adopt keeps no brief that another row has', async () => {
		const desk = await deskOf(['Product Name,SKU', 'Mug,1']);
		await desk.order('--id', 'SKU');
		desk.csv('products.csv', ['Product Name,SKU', 'Brush,1', 'Mug,2']);
		await desk.expectEnd('run products.csv --yes --adopt 2', 2, 'would keep the same brief');
		desk.expectPaid(1);
	});

	test('and --adopt takes one too', async () => {
		const desk = await deskOf(ROWS);
		const { id } = desk.sandbox.addBrief({ product_name: 'Brush', status: 'ready' });
		await desk.expectEnd(`run products.csv --id SKU --yes --adopt @b-1=${id}`, 0);
		expect(desk.results()[0]?.brief_id).toBe(id);
		expect(desk.sandbox.createdCount()).toBe(1);
	});

	test.each([
		[['--id', 'SKU', '--only', '@X-9'], '--only names @X-9, and no row has this number.'],
		[['--only', '@B-1'], 'Name the column of the rows’ own numbers with --id'],
		[['--id', 'SKU', '--order-again', '2,@X-9'], '--order-again names @X-9, and no row'],
		[['--id', 'SKU', '--order-changed', '@B-1-@M-1'], '--order-changed names @B-1-@M-1, and no'],
		[['--id', 'SKU', '--adopt', '@X-9=x'], '--adopt names @X-9, and no row has this number.'],
		[['--id', 'SKU', '--adopt', '@D-1=x'], '--adopt names @D-1, and several rows have'],
	])('%j is refused before anything is paid', async (options, said) => {
		const desk = await deskOf([...ROWS, 'Pan,cooks,D-1', 'Pan,bakers,D-1']);
		await desk.expectEnd(['run', 'products.csv', ...options], 2, said);
		desk.expectPaid(0);
	});
});

describe('without --id', () => {
	test('a row that was renamed is a new product, and plan names the column that would do for --id', async () => {
		const desk = await deskOf(ROWS);
		await desk.order();
		desk.csv('products.csv', [HEADER, MUG, 'Brush-set,parents,B-1']);
		const { out } = await desk.run('plan products.csv');
		expect(out.match(/“SKU” is different in each row\. With --id "SKU" a row stays/g)).toHaveLength(
			1,
		);
		expect(out).toMatch(/new +1\n/);
		expect((await desk.run('plan products.csv --id SKU')).out).not.toContain(
			'is different in each row',
		);
		expect((await desk.order('--expect-at-most', '0')).code).toBe(2);
		expect(await desk.comesTo('--yes')).toBe('0: ready, ready, ready; 3 paid');
	});

	test.each([
		['Artikel-Nr.', ['A1', 'A2'], true],
		['Item No', ['1', '2'], true],
		['Référence', ['r1', 'r2'], true],
		['SKU', ['A1', 'a1'], false],
		['SKU', ['A1', ''], false],
		['Color', ['red', 'blue'], false],
	])('the column %s with %j would do: %s', async (header, [one, two], expected) => {
		const desk = await deskOf([`Product Name,${header}`, `Brush,${one}`, `Mug,${two}`]);
		const { out } = await desk.run('plan products.csv');
		expect(out.includes(`With --id "${header}"`)).toBe(expected);
	});
});
