import { deskOf, products } from '../../support/batch/brief-batch';
import { DAY } from '../../support/time';

jest.setTimeout(60_000);

describe('a product that failed is retry’s, edited or not', () => {
	const DEAD = 'Lamp (discontinued),1729000001';

	test('a column added, another --set and a mended cell pay for nothing; retry does, three tries in all', async () => {
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
			const plan = await desk.run(['plan', 'products.csv', ...options]);
			expect(plan.out).toMatch(/row 2 +failed +Lamp .* failed before, and edited since: /);
			expect(plan.out).toMatch(/this run takes +0\n/);
			for (const more of [[], ['--order-changed', '--yes']])
				expect((await desk.order(...options, ...more)).code).toBe(1);
			expect(paid()).toBe(Math.min(at + 1, 3));
			expect((await desk.run(['retry', 'products.csv', '--yes', ...options])).code).toBe(1);
			expect(paid()).toBe(Math.min(at + 2, 3));
		}
		const { out } = await desk.run('status');
		expect(out).toContain('Failed 3 times, 3 briefs paid: correct row 2 or take it out.');
		expect(out).not.toContain('brief-batch retry');
	});
});

describe('--expect-at-most', () => {
	test('orders nothing if more rows are new, and says which', async () => {
		const desk = await deskOf(2);
		const brake = ['--expect-at-most', '2', '--yes'];
		expect((await desk.order(...brake)).code).toBe(0);
		desk.csv('products.csv', products(5));
		const { code, err } = await desk.order(...brake);
		expect([code, err]).toEqual([
			2,
			'3 rows are new, from row 4 (“Product 3”) on, and --expect-at-most allows 2. Nothing was ordered.\n' +
				'Check that this is the right CSV. If it is, raise --expect-at-most.\n',
		]);
		expect((await desk.run('status')).code).toBe(2);
		expect(desk.sandbox.createdCount()).toBe(2);
		expect((await desk.order('--expect-at-most', '3')).code).toBe(0);
		expect(desk.sandbox.createdCount()).toBe(5);
	});
});

test('--quiet says what is paid for although the workspace has an older brief of it', async () => {
	const desk = await deskOf(1, { keyMemoryMs: 1 });
	desk.sandbox.addBrief({ product_name: 'Product 2', status: 'ready' });
	desk.sandbox.advance(40 * DAY);
	expect((await desk.order()).code).toBe(0);
	desk.csv('products.csv', products(2));
	const { code, out } = await desk.order('--quiet');
	expect([code, out]).toEqual([
		0,
		expect.stringMatching(/older briefs of 1 product .* so these rows are ordered/),
	]);
	expect((await desk.order('--quiet')).out).toBe('');
});
