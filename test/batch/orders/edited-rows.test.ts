import { DAY } from '../../support/time';
import { makeRows } from '../support/order-builder';
import { reorder, retry, World } from '../support/world';

test('an edited failed row with a row ID stays failed, and `retry` orders it as a new row', async () => {
	const world = new World();
	world.shouldFail = ({ product_name }) => product_name === 'Mug';
	await world.run(makeRows('S1: Mug'));
	const edited = makeRows('S1: Vase, Kids');
	expect(await world.run(edited)).toBe('failed, 1 brief');
	expect(await world.run(edited, retry)).toBe('ready, 2 briefs');
	expect(world.created.map(({ input }) => input)).toEqual([
		{ product_name: 'Mug' },
		{ product_name: 'Vase', audience: 'Kids' },
	]);
});

describe('without --id', () => {
	test('a name that was edited, reordered, undone and edited again costs one brief', async () => {
		const world = new World();
		await world.run(makeRows('Glow Serum', 'Pan'));
		const edited = makeRows('Glow Serum 2026', 'Pan');
		expect(await world.run(edited, reorder(2))).toBe('ready ready, 3 briefs');
		await world.clock.pass(2 * DAY);
		expect(await world.run(makeRows('Glow Serum', 'Pan'))).toBe('ready ready, 3 briefs');
		const again = makeRows('Glow Serum Night', 'Pan');
		expect(await world.run(again)).toBe('changed ready, 3 briefs');
	});

	test('a run that dies after a reorder leaves the row to its new order', async () => {
		const world = new World();
		world.shouldFail = ({ audience }) => audience === 'Bakers';
		expect(await world.run(makeRows('Mug, Bakers'))).toBe('failed, 1 brief');
		world.setFaults('dies after the work');
		await world.run(makeRows('Mug, Cooks'), reorder(2));
		world.setFaults();
		expect(await world.run(makeRows('Mug, Kids'))).toBe('changed, 2 briefs');
	});
});
