import { deskOf, products } from '../../support/batch/brief-batch';
import { DAY } from '../../support/time';

jest.setTimeout(60_000);

const DEAD = 'Lamp (discontinued),1729000001';

test('a failed product is retry’s: a column added, another --set and a mended cell pay for nothing, and retry pays three times at most', async () => {
	const desk = await deskOf(['Product Name,Product ID', DEAD]);
	const paid = () => desk.sandbox.createdCount();
	const edits: Array<[header: string, row: string, ...options: string[]]> = [
		['', '', '--set', 'objective=sell'],
		[',Audience', ',cooks'],
		[',Audience', ',chefs'],
	];
	expect((await desk.order()).code).toBe(1);
	for (const [at, [header, row, ...options]] of edits.entries()) {
		desk.csv('products.csv', [`Product Name,Product ID${header}`, `${DEAD}${row}`]);
		const said = [
			/row 2 +failed +Lamp .* failed before, and edited since: /,
			/this run takes +0\n/,
		];
		await desk.expectEnd(['plan', 'products.csv', ...options], 1, ...said);
		for (const more of [[], ['--order-changed', '--yes']])
			await desk.expectEnd(['run', 'products.csv', ...options, ...more], 1);
		expect(paid()).toBe(Math.min(at + 1, 3));
		await desk.expectEnd(['retry', 'products.csv', '--yes', ...options], 1);
		expect(paid()).toBe(Math.min(at + 2, 3));
	}
});

test('what is asked for again and has no allowance stays as it is: no later run pays for it unasked', async () => {
	const desk = await deskOf(['Product Name,Product ID', DEAD, 'Mug,1729000002'], { allowance: 2 });
	expect(await desk.comesTo()).toBe('1: failed, ready; 2 paid');
	desk.csv('products.csv', [
		'Product Name,Product ID,Audience',
		`${DEAD},`,
		'Mug,1729000002,cooks',
	]);
	const until = /allowance has nothing left for it until 1 \w+ \d{4} \(UTC\)/;

	await desk.expectEnd('retry products.csv', 3, /Row 2 is not ordered again now/, until);
	for (const command of ['plan', 'run'])
		await desk.expectEnd(`${command} products.csv --order-changed 3`, 3, /Row 3 is not/, until);
	expect(desk.statuses()).toEqual(['failed', 'changed']);
	desk.sandbox.options.allowance = 10;
	expect(await desk.comesTo()).toBe('1: failed, changed; 2 paid');
	await desk.expectEnd('retry products.csv --max 1 --yes', 1);
	expect(desk.statuses()).toEqual(['failed', 'changed']);
	expect(await desk.comesTo('--order-changed', '3')).toBe('1: failed, ready; 4 paid');
});

test('--expect-at-most orders nothing if more rows are new, and says which', async () => {
	const desk = await deskOf(2);
	const brake = ['--expect-at-most', '2', '--yes'];
	expect((await desk.order(...brake)).code).toBe(0);
	desk.csv('products.csv', products(5));
	await desk.expectEnd(
		['run', 'products.csv', ...brake],
		2,
		'3 rows are new, from “Product 3” on, and --expect-at-most allows 2. Nothing was ordered.\n' +
			'Check that this is the right CSV. If it is, raise --expect-at-most.\n',
	);
	expect((await desk.run('status')).code).toBe(2);
	expect(desk.sandbox.createdCount()).toBe(2);
	expect((await desk.order('--expect-at-most', '3')).code).toBe(0);
	expect(desk.sandbox.createdCount()).toBe(5);
});

test('--quiet says what is paid for although the workspace has an older brief of it', async () => {
	const desk = await deskOf(1, { keyMemoryMs: 1 });
	desk.sandbox.addBrief({ product_name: 'Product 2', status: 'ready' });
	desk.sandbox.advance(40 * DAY);
	expect((await desk.order()).code).toBe(0);
	desk.csv('products.csv', products(2));
	const said = /older briefs of 1 product .* so these rows are ordered/;
	await desk.expectEnd('run products.csv --quiet', 0, said);
	expect((await desk.order('--quiet')).out).toBe('');
});
