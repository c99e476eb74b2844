import { MINUTE } from '../../support/time';
import { makeRows } from '../support/order-builder';
import { listProducts, World } from '../support/world';

/** How an order without an answer counts in the use of the month. Other parts of the use are tested in test/core. */

const productRows = (count: number) =>
	makeRows(...listProducts(count).map((product_name) => ({ product_name })));

describe('a request of an earlier run without an answer', () => {
	/** Sends an order for the first of three products, and returns how many requests a later run sends. */
	async function runLater(fault: string, ms: number, products: readonly number[]): Promise<number> {
		const rows = productRows(3);
		const world = new World({ allowance: 2, listLagMs: 5 * MINUTE, briefMs: MINUTE }, [fault]);
		await world.runBatch({ rows: rows.slice(0, 1) });
		await world.clock.pass(ms);
		const sent = world.count('create_brief');
		await world.runBatch({ rows: rows.filter((_, index) => products.includes(index)) });
		return world.count('create_brief') - sent;
	}

	describe('whose row left the CSV', () => {
		test('counts while the list might not show its brief', async () => {
			expect(await runLater('dies before the work', MINUTE, [1, 2])).toBe(1);
			expect(await runLater('dies after the work', MINUTE, [1, 2])).toBe(1);
		});

		test('does not count when the list shows that nothing was created', async () => {
			expect(await runLater('dies before the work', 20 * MINUTE, [1, 2])).toBe(2);
		});

		test('counts once when the list shows its brief', async () => {
			expect(await runLater('dies after the work', 20 * MINUTE, [1, 2])).toBe(1);
		});
	});

	test('is deferred when the list shows that nothing was created and the allowance is used up', async () => {
		const [row, other] = productRows(2);
		const rows = row === undefined ? [] : [row];
		const world = new World({ allowance: 1, briefMs: MINUTE }, ['dies before the work']);
		await world.runBatch({ rows });
		await world.clock.pass(60 * MINUTE);
		world.create('colleague', other?.input ?? { product_name: 'X' });
		await world.clock.pass(MINUTE);
		const result = await world.runBatch({ rows });
		expect(result?.finished?.report.counts).toMatchObject({ deferred: 1, pending: 0 });
		expect(world.count('create_brief')).toBe(1);
	});

	test('counts once when it is sent again', async () => {
		expect(await runLater('dies before the work', MINUTE, [0, 1, 2])).toBe(2);
		expect(await runLater('dies after the work', MINUTE, [0, 1, 2])).toBe(2);
	});

	test('counts before new orders are sent, although it is sent again after them', async () => {
		expect(await runLater('never answered in this run', MINUTE, [0, 1, 2])).toBe(2);
	});
});
