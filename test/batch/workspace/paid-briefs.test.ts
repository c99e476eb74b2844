import { hasPaid } from '../../../batch/orders/order';
import { makeRows, mug } from '../support/order-builder';
import { Story } from '../support/story';
import type { Nature } from '../support/world';

/* Which briefs count as ordered: an order has paid if its brief was created after the order was first sent. */

const rows = makeRows(mug);

/** Returns how many briefs the second run says that it has ordered, and how many there are. */
async function countOrdered(faults: readonly string[], nature: Partial<Nature> = {}) {
	const story = new Story(faults, nature);
	await story.run(rows);
	const result = await story.world.runBatch({ rows });
	return { ordered: result?.finished?.orderedIds.size, created: story.world.created.length };
}

test('a brief that a killed run has ordered does not count for the next run', async () => {
	expect(await countOrdered(['dies after the work'])).toEqual({ ordered: 0, created: 1 });
});

test('a brief that comes back for the key of a killed run does not count for the next run', async () => {
	const nature = { listLagMs: 2_000_000 };
	expect(await countOrdered(['dies after the work'], nature)).toEqual({ ordered: 0, created: 1 });
});

test('a brief that the run itself has ordered counts', async () => {
	expect(await countOrdered(['dies before the work'])).toEqual({ ordered: 1, created: 1 });
});

test.each([5_000, 30_000, 600_000])(
	'a brief that another process made under the same key %i ms before does not count',
	async (age) => {
		const story = new Story([], { listLagMs: 700_000 });
		await story.world.runBatch({ rows, folder: 'other' });
		const [brief] = story.world.created;
		Object.assign(brief!, { createdAt: story.world.clock.now() - age });
		const result = await story.world.runBatch({ rows });
		expect(result?.finished?.orderedIds.size).toBe(0);
		expect((await story.readOrders()).live.map(hasPaid)).toEqual([false]);
		expect(story.world.created).toHaveLength(1);
	},
);

test('an older brief that the list shows for an unconfirmed order does not count as paid', async () => {
	const story = new Story(['dies before the work']);
	await story.world.runBatch({ rows });
	const brief = story.world.create('colleague', mug);
	Object.assign(brief, { createdAt: brief.createdAt - 600_000 });
	await story.run(rows);
	const { live } = await story.readOrders();
	expect(live.map((order) => [order.state.kind, hasPaid(order)])).toEqual([['ready', false]]);
});
