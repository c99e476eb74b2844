import { formatCommand } from '../../../batch/text';
import { DAY, HOUR } from '../../support/time';
import { cup, makeRows, mug } from '../support/order-builder';
import { retry, World } from '../support/world';

/** A world in which the first brief of each of these products has failed. */
async function startFailed(rows = makeRows(mug)): Promise<World> {
	const world = new World();
	world.shouldFail = (_, index) => index === 0;
	await world.run(rows);
	return world;
}

describe('retry', () => {
	test('orders only failed rows, and ends with 0', async () => {
		const world = await startFailed();
		const rows = makeRows(mug, cup);
		const result = await world.runBatch({ rows, ...retry });
		expect(result?.finished?.exitCode).toBe(0);
		expect(await world.readStatuses(rows)).toEqual(['ready', 'pending']);
	});

	test('with --only of a duplicate orders the failed row with its content', async () => {
		const rows = makeRows(mug, mug);
		const world = await startFailed(rows);
		const result = await world.runBatch({ rows, ...retry, options: { only: ['3'] } });
		expect(result?.finished?.exitCode).toBe(0);
		expect(await world.readStatuses(rows)).toEqual(['ready', 'ready']);
	});

	test('uses a failed brief that has become ready', async () => {
		const world = await startFailed();
		world.created[0]!.plan.errorCode = null;
		expect(await world.run(makeRows(mug), retry)).toBe('ready, 1 brief');
	});
});

describe('a brief that is late for a day', () => {
	const names = ['Mug'];

	/** The brief was ordered 25 hours ago, and is finished 111 hours after it was ordered. */
	async function startLate() {
		const world = new World({ briefMs: 400_000_000 });
		expect((await world.runProducts(names)).statuses).toEqual(['pending']);
		await world.clock.pass(22 * HOUR);
		expect((await world.runProducts(names)).statuses).toEqual(['pending']);
		await world.clock.pass(3 * HOUR);
		return { world, late: await world.runProducts(names) };
	}

	test('needs review, and the hints are --use-brief and --reorder', async () => {
		const { late } = await startLate();
		expect(late.statuses).toEqual(['needs_review']);
		expect(late.exitCode).toBe(1);
		const [row] = late.report.rows;
		expect(row?.brief?.status).toBe('researching');
		expect(row?.nextSteps.flatMap(({ commands = [] }) => commands.map(formatCommand))).toEqual([
			'brief-batch run products.csv --use-brief 2=BRIEF_ID --max 0',
			'brief-batch run products.csv --only 2 --reorder 2',
		]);
	});

	test('is saved in place of a reorder if it has finished', async () => {
		const { world } = await startLate();
		await world.clock.pass(5 * DAY);
		const { statuses } = await world.runProducts(names, { reorder: ['2'] });
		expect(statuses).toEqual(['ready']);
		expect(world.created).toHaveLength(1);
	});

	test('is also saved when it finishes after a reorder', async () => {
		const { world } = await startLate();
		await world.runProducts(names, { reorder: ['2'] });
		expect(world.created).toHaveLength(2);
		await world.clock.pass(5 * DAY);
		const { orders } = await world.runProducts(names);
		expect(orders.live.map(({ state }) => state.kind)).toEqual(['ready', 'ready']);
	});

	test('needs review at once if the service does not know the brief', async () => {
		const { world } = await startLate();
		world.remove(world.created[0]!);
		const { orders } = await world.runProducts(names);
		expect(orders.live[0]?.state).toMatchObject({ kind: 'accepted', review: 'not_found' });
	});
});
