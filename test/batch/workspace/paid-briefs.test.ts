import { hasPaid } from '../../../batch/orders/order';
import { makeRows, mug } from '../support/order-builder';
import { Story } from '../support/story';

/* Which briefs count as ordered: an order has paid if its brief was created after the order was first sent. */

const rows = makeRows(mug);

test.each([
	['a killed run has ordered it', 'dies after the work', 0, 0],
	['the service returns it for the key of a killed run', 'dies after the work', 2_000_000, 0],
	['the run itself has ordered it', 'dies before the work', 0, 1],
])('a brief counts for the next run if %s: %s, list lag %i', async (_, fault, listLagMs, count) => {
	const story = new Story([fault], { listLagMs });
	await story.run(rows);
	const result = await story.runBatch({ rows });
	expect(result?.finished?.orderedIds.size).toBe(count);
	expect(story.created).toHaveLength(1);
});

test.each([5_000, 600_000])(
	'a brief that another process made under the same key %i ms before does not count',
	async (age) => {
		const story = new Story([], { listLagMs: 700_000 });
		await story.runBatch({ rows, folder: 'other' });
		Object.assign(story.created[0]!, { createdAt: story.clock.now() - age });
		const result = await story.runBatch({ rows });
		expect(result?.finished?.orderedIds.size).toBe(0);
		expect((await story.readOrders()).live.map(hasPaid)).toEqual([false]);
		expect(story.created).toHaveLength(1);
	},
);

test('an older brief that the list shows for an unconfirmed order does not count as paid', async () => {
	const story = new Story(['dies before the work']);
	await story.runBatch({ rows });
	const brief = story.create('colleague', mug);
	Object.assign(brief, { createdAt: brief.createdAt - 600_000 });
	expect(await story.run(rows)).toBe('ready, 1 brief');
	expect((await story.readOrders()).live.map(hasPaid)).toEqual([false]);
});
