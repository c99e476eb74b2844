import { hasOrderPaid } from '../../../batch/orders/order';
import { MINUTE, SECOND } from '../../support/time';
import { makeRows, mug } from '../support/order-builder';
import { listProducts, reorder, retry, World } from '../support/world';

/* Which briefs count as ordered and as paid: this follows from IDs and answers, never from the times of briefs. */

const rows = makeRows(mug);

test.each([
	['the list shows it', 'dies after the work', 0],
	['the service returns it for the key', 'dies after the work', 2_000_000],
	['the key creates it', 'dies before the work', 0],
])('an order of a killed run is not ordered again by the next run if %s', async (_, fault, lag) => {
	const world = new World({ listLagMs: lag }, [fault]);
	await world.run(rows);
	const result = await world.runBatch({ rows });
	expect(result?.finished?.totals.ordered).toBe(0);
	expect((await world.readOrders()).live.map(hasOrderPaid)).toEqual([true]);
	expect(world.created).toHaveLength(1);
});

test('a brief that was listed before counts as paid by its orderer alone', async () => {
	const world = new World({ isInputShown: false });
	await world.runBatch({ rows, folder: 'other' });
	await world.run(rows);
	const result = await world.runBatch({ rows, ...reorder(2) });
	expect(result?.finished?.totals.ordered).toBe(0);
	expect((await world.readOrders()).live.map(hasOrderPaid)).toEqual([false]);
	expect(world.created).toHaveLength(1);
});

test.each([-600_000, -5_000, 600_000])(
	'a brief that is listed for an unconfirmed order counts as paid if its time is %i ms off',
	async (offset) => {
		const world = new World({}, ['dies after the work']);
		await world.runBatch({ rows });
		const [brief] = world.created;
		Object.assign(brief!, { createdAt: brief!.createdAt + offset });
		expect(await world.run(rows)).toBe('ready, 1 brief');
		expect((await world.readOrders()).live.map(hasOrderPaid)).toEqual([true]);
	},
);

describe.each<[string, (time: number) => string]>([
	['is five seconds early', (time) => new Date(time - 5 * SECOND).toISOString()],
	['has only minutes', (time) => `${new Date(time).toISOString().slice(0, 16)}Z`],
	['has only its day', (time) => new Date(time).toISOString().slice(0, 10)],
	['cannot be read', () => 'recently'],
])('if created_at %s', (_, format) => {
	function openWorld(faults: readonly string[] = []): World {
		const world = new World({}, faults);
		const show = world.show.bind(world);
		world.show = (brief) => ({ ...show(brief), created_at: format(brief.createdAt) });
		world.shouldFail = () => true;
		return world;
	}

	test('a service that fails everything is paid for six briefs', async () => {
		const world = openWorld();
		const products = makeRows(...listProducts(30).map((product_name) => ({ product_name })));
		const end = await world.runBatch({ rows: products });
		expect(end?.finished?.totals.reused).toBe(0);
		expect(world.created).toHaveLength(6);
	});

	test('retry pays for three briefs of a content', async () => {
		const world = openWorld();
		await world.run(rows);
		for (let count = 0; count < 5; count += 1) await world.run(rows, retry);
		expect(world.created).toHaveLength(3);
	});

	test('an order of a killed run whose brief failed is not paid for again', async () => {
		const world = openWorld(['dies after the work']);
		await world.clock.pass(600 * MINUTE);
		await world.runBatch({ rows });
		await world.clock.pass(120 * MINUTE);
		expect(await world.run(rows)).toBe('failed, 1 brief');
	});
});
