import { deskOf } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

const ROWS = [
	'Product Name,Product ID,Audience,Note',
	'Brush,1729000001,parents,a',
	'Mug,,chefs,b',
];
const TERMS = ['--set', 'campaign_terms=10 % off until Friday'];
const NO_TERMS = ['--set', 'campaign_terms='];
const WAS = 'campaign_terms: was “10 % off until Friday”';

test('rows whose --set was taken back are changed: they keep their briefs until --order-changed', async () => {
	const desk = await deskOf(ROWS);
	const { sandbox } = desk;
	expect((await desk.order(...TERMS)).code).toBe(0);
	const before = desk.results();
	const without = await desk.order(...NO_TERMS);
	expect([without.code, sandbox.createdCount()]).toEqual([1, 2]);
	expect(without.out).toMatch(
		/row 3 +changed +Mug +campaign_terms: was “10 % off until Friday” \(from --set of the run of \d+ \w+ \d{4}\), now empty/,
	);
	const again = 'brief-batch run products.csv --order-changed';
	expect(without.out).toMatch(
		/order them again:\s+brief-batch run products.csv --order-changed 2-3\n/,
	);
	expect((await desk.run('status')).out).toContain(`${again} 2-3\n`);
	for (const [at, row] of desk.results().entries()) {
		const { brief_id, brief_title, brief_url, brief_file } = before[at]!;
		const kept = { brief_id, brief_title, brief_url, brief_file };
		expect(row).toMatchObject({ ...kept, brief_status: 'changed' });
		expect(row.brief_error).toContain(`${again} ${at + 2}`);
	}

	desk.csv('products.csv', [...ROWS, 'Spoon,,chefs,c']);
	const { out } = await desk.expectEnd(
		'plan products.csv',
		1,
		new RegExp(`row 2 +changed +Brush +${WAS}`),
		/changed +2 +put back what differs; [^\n]*\n +.* --order-changed 2-3\n/,
		/this run takes +1\n/,
	);
	expect(out).not.toContain('ready to go');
	expect(await desk.json('plan products.csv')).toMatchObject({
		event: 'plan',
		new: 1,
		changed: 2,
		to_order: 1,
		by_row: [{ is: 'changed' }, { is: 'changed' }, { row: 4, is: 'new' }],
	});

	desk.csv('products.csv', ROWS);
	expect(await desk.comesTo(...TERMS)).toBe('0: ready, ready; 2 paid');
	expect((await desk.order(...NO_TERMS)).code).toBe(1);
	const andNow = [
		/changed +2 +ordered before with other content, and now again/,
		/this run takes +2\n/,
	];
	await desk.expectEnd('plan products.csv --order-changed', 0, ...andNow);
	expect((await desk.paste(`${again} 3`)).code).toBe(1);
	expect([sandbox.createdCount(), desk.statuses()]).toEqual([3, ['changed', 'ready']]);
	const said = 'Row 3 is not ordered again: nothing in it has changed since the order.';
	for (const command of ['plan', 'run'])
		await desk.expectEnd(`${command} products.csv --order-changed 3`, 1, said);
	for (const options of [['--order-changed', '--yes'], []])
		expect(await desk.comesTo(...options)).toBe('0: ready, ready; 4 paid');
});

test('an edited cell and a renamed column change rows, and only new rows are ordered', async () => {
	const desk = await deskOf(ROWS);
	await desk.order();
	const edited = (from: string, to: string) => ROWS.map((row) => row.replace(from, to));
	const more = ['Spoon,,chefs,c', 'Brush,1729000001,students,d'];
	desk.csv('products.csv', [...edited('Mug,,chefs', 'Mug,,bakers'), ...more]);
	expect(await desk.comesTo()).toBe('1: ready, changed, ready, ready; 4 paid');
	desk.csv('products.csv', edited('Note', 'Goal'));
	const said = /row 2 +changed +Brush +objective: was empty, now “a”/;
	await desk.expectEnd('run products.csv', 1, said);
	expect(desk.sandbox.createdCount()).toBe(4);
	desk.csv('products.csv', ROWS);
	expect((await desk.order()).code).toBe(0);
});

test('a row whose brief was kept for an edit, and that is put back, keeps the brief and costs nothing', async () => {
	const list = (audience: string) => ['Product Name,Audience,SKU', `Mug,${audience},A1`];
	const desk = await deskOf(list('Bakers'));
	expect(await desk.comesTo('--id', 'SKU')).toBe('0: ready; 1 paid');
	const [{ brief_id } = { brief_id: '' }] = desk.results();
	desk.csv('products.csv', list('Tea drinkers'));
	expect(await desk.comesTo('--adopt', '@A1')).toBe('0: ready; 1 paid');
	for (const audience of ['Bakers', 'Tea drinkers', 'Bakers']) {
		desk.csv('products.csv', list(audience));
		expect(await desk.comesTo()).toBe('0: ready; 1 paid');
		await desk.expectEnd('status', 0, '1 ready');
		expect(desk.results()).toMatchObject([{ brief_id }]);
	}
	desk.csv('products.csv', list('Milkmen'));
	expect(await desk.comesTo('--order-changed', '@A1')).toBe('0: ready; 2 paid');
	// Its brief is another row's content by now: it is changed, and a new order of it has a key of its own.
	desk.csv('products.csv', list('Tea drinkers'));
	expect(await desk.comesTo()).toBe('1: changed; 2 paid');
	expect(await desk.comesTo('--order-changed', '@A1')).toBe('0: ready; 3 paid');
});
