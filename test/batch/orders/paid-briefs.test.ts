import { hasOrderPaid } from '../../../batch/orders/order';
import { MINUTE, SECOND } from '../../support/time';
import { makeRows, mug } from '../support/order-builder';
import { reorder, retry, Story } from '../support/story';
import { listProducts } from '../support/virtual-batch';

/* Which briefs count as ordered and as paid: this follows from IDs and answers, never from the times of briefs. */

const rows = makeRows(mug);

test.each([
	['the list shows it', 'dies after the work', 0],
	['the service returns it for the key', 'dies after the work', 2_000_000],
	['the key creates it', 'dies before the work', 0],
])('an order of a killed run is not ordered again by the next run if %s', async (_, fault, lag) => {
	const story = new Story([fault], { listLagMs: lag });
	await story.run(rows);
	const result = await story.runBatch({ rows });
	expect(result?.finished?.totals.ordered).toBe(0);
	expect((await story.readOrders()).live.map(hasOrderPaid)).toEqual([true]);
	expect(story.created).toHaveLength(1);
});

test('a brief that was listed before counts as paid by its orderer alone', async () => {
	const story = new Story([], { isInputShown: false });
	await story.runBatch({ rows, folder: 'other' });
	await story.run(rows);
	const result = await story.runBatch({ rows, ...reorder(2) });
	expect(result?.finished?.totals.ordered).toBe(0);
	expect((await story.readOrders()).live.map(hasOrderPaid)).toEqual([false]);
	expect(story.created).toHaveLength(1);
});

test.each([-600_000, -5_000, 600_000])(
	'a brief that is listed for an unconfirmed order counts as paid if its time is %i ms off',
	async (offset) => {
		const story = new Story(['dies after the work']);
		await story.runBatch({ rows });
		const [brief] = story.created;
		Object.assign(brief!, { createdAt: brief!.createdAt + offset });
		expect(await story.run(rows)).toBe('ready, 1 brief');
		expect((await story.readOrders()).live.map(hasOrderPaid)).toEqual([true]);
	},
);

describe.each<[string, (time: number) => string]>([
	['is five seconds early', (time) => new Date(time - 5 * SECOND).toISOString()],
	['has only minutes', (time) => `${new Date(time).toISOString().slice(0, 16)}Z`],
	['has only its day', (time) => new Date(time).toISOString().slice(0, 10)],
	['cannot be read', () => 'recently'],
])('if created_at %s', (_, format) => {
	function openStory(faults: readonly string[] = []): Story {
		const story = new Story(faults);
		const show = story.show.bind(story);
		story.show = (brief) => ({ ...show(brief), created_at: format(brief.createdAt) });
		story.shouldFail = () => true;
		return story;
	}

	test('a service that fails everything is paid for six briefs', async () => {
		const story = openStory();
		const products = makeRows(...listProducts(30).map((product_name) => ({ product_name })));
		const end = await story.runBatch({ rows: products });
		expect(end?.finished?.totals.reused).toBe(0);
		expect(story.created).toHaveLength(6);
	});

	test('retry pays for three briefs of a content', async () => {
		const story = openStory();
		await story.run(rows);
		for (let count = 0; count < 5; count += 1) await story.run(rows, retry);
		expect(story.created).toHaveLength(3);
	});

	test('an order of a killed run whose brief failed is not paid for again', async () => {
		const story = openStory(['dies after the work']);
		await story.clock.pass(600 * MINUTE);
		await story.runBatch({ rows });
		await story.clock.pass(120 * MINUTE);
		expect(await story.run(rows)).toBe('failed, 1 brief');
	});
});
