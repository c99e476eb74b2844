import type { Row } from '../../../batch/csv/types';
import { getOrderBrief } from '../../../batch/orders/order';
import { HOUR, MINUTE } from '../../support/time';
import { cup, makeRow, makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { retry, World, type WorldCommand } from '../support/world';

/* Orders of a process that was killed: their briefs are found, or the same key is sent again, and no brief is paid twice. */

const KILLED = ['dies before the work'];
const ORDERED_AND_KILLED = ['dies after the work'];
const one = makeRows(mug);

/** A world in which the first order was sent by a killed run. */
async function startKilled(
	rows: readonly Row[] = one,
	faults: readonly string[] = KILLED,
): Promise<World> {
	const world = new World({}, faults);
	await world.run(rows);
	return world;
}

describe('an order of a killed run without a brief', () => {
	const skipped = [makeRow(2, mug, { isSkipped: true })];
	test.each<[string, Row[], Omit<WorldCommand, 'rows'>, string]>([
		['while --where skips its row', skipped, {}, 'skipped, 0 briefs'],
		['by retry', one, retry, 'pending, 0 briefs'],
		['outside --only', makeRows(mug, pan), { options: { only: ['3'] } }, 'pending ready, 1 brief'],
	])('is dropped and not sent %s', async (_, rows, command, expected) => {
		const world = await startKilled(rows);
		expect(await world.run(rows, command)).toBe(expected);
		const { live } = await world.readOrders();
		expect(live.map(({ input }) => input)).not.toContainEqual(mug);
	});

	test('is dropped when its row was removed, and ordered when the row is put back', async () => {
		const world = await startKilled(makeRows(pan, mug), ['slow answer', ...KILLED]);
		expect(await world.run(makeRows(pan))).toBe('ready, 1 brief');
		expect(await world.run(makeRows(pan, mug))).toBe('ready ready, 2 briefs');
	});

	test('is replaced by the order of its edited row, also after the edit is undone', async () => {
		const world = await startKilled();
		await world.run(makeRows(mugForCooks));
		await world.run(makeRows(mugForCooks));
		expect(world.created.map(({ input }) => input)).toEqual([mugForCooks]);
		expect(await world.run(one)).toBe('changed, 1 brief');
	});
});

describe('an order of a killed run with a brief', () => {
	test('has its brief 99 days later, although its row was edited', async () => {
		const world = new World({}, ORDERED_AND_KILLED);
		await world.runBatch({ rows: makeRows(mug, pan) });
		await world.passDays(99);
		expect(await world.run(makeRows(mugForCooks, pan))).toBe('changed ready, 2 briefs');
	});

	test('takes the brief of a colleague in place of its failed brief', async () => {
		const world = new World({}, ORDERED_AND_KILLED);
		world.shouldFail = (_, index) => index === 0;
		await world.runBatch({ rows: one });
		await world.clock.pass(MINUTE);
		await world.letColleagueOrder(mug);
		expect(await world.run(one)).toBe('ready, 2 briefs');
		const { live } = await world.readOrders();
		expect(live.map(getOrderBrief)).toMatchObject([{ id: world.created[1]?.id }]);
	});

	test('that another folder has paid for and that failed is not paid for again', async () => {
		const world = new World({ listLagMs: 9 * MINUTE });
		world.shouldFail = () => true;
		await world.runBatch({ rows: one, folder: 'other' });
		await world.clock.pass(2 * MINUTE);
		// The list does not show the brief yet. The service returns it for the same key, and the process is killed.
		world.setFaults(...ORDERED_AND_KILLED);
		await world.runBatch({ rows: one });
		await world.clock.pass(2 * HOUR);
		expect(await world.run(one)).toBe('failed, 1 brief');
	});

	test('leaves the brief of a colleague from 40 days ago to its edited row', async () => {
		const world = new World({ pageSize: 1 });
		await world.letColleagueOrder(mugForCooks);
		await world.passDays(40);
		await world.run(makeRows(pan));
		world.setFaults(...KILLED);
		await world.run(makeRows(mug, pan));
		await world.run(makeRows(mugForCooks, pan));
		expect(await world.run(makeRows(mugForCooks, pan))).toBe('ready ready, 2 briefs');
	});

	test('counts the slot of its brief as used, although the list does not show the brief', async () => {
		const world = new World({ listLagMs: 5 * MINUTE }, ORDERED_AND_KILLED);
		const rows = makeRows(mug, pan, cup);
		await world.runBatch({ rows: rows.slice(0, 1) });
		await world.runBatch({ rows, options: { only: ['3,4'] } });
		expect(world.created).toHaveLength(3);
		expect(world.mostRunning).toBe(2);
	});
});

describe('a key that the service counts from its first request', () => {
	const behavior = { isKeyAgedFromFirstRequest: true, listLagMs: 5 * MINUTE } as const;

	/** Runs one row repeatedly, with these minutes after each run. */
	async function playRuns(world: World, ...minutes: readonly number[]): Promise<number> {
		for (const pause of minutes) {
			await world.runBatch({ rows: one });
			await world.clock.pass(pause * MINUTE);
		}
		return world.created.length;
	}

	test('pays once when it expires between two kills', async () => {
		const world = new World(behavior, [...KILLED, ...ORDERED_AND_KILLED]);
		expect(await playRuns(world, 58, 3, 20, 20)).toBe(1);
	});

	test('pays once when it is an hour old and was sent a minute ago', async () => {
		const world = new World({ listLagMs: 5 * MINUTE }, [...KILLED, ...KILLED]);
		expect(await playRuns(world, 60, 1, 0)).toBe(1);
	});

	/** A killed run, and a `retry` that drops its order. */
	async function startDropped(): Promise<World> {
		const world = new World({ ...behavior, listLagMs: MINUTE, isInputShown: false }, KILLED);
		await world.runBatch({ rows: one });
		await world.clock.pass(12 * MINUTE);
		await world.runBatch({ rows: one, ...retry });
		return world;
	}

	test('is not repeated by a request that would be the first after an hour', async () => {
		const world = await startDropped();
		// The request is 59 minutes and 59 seconds after the first.
		await world.clock.pass(47 * MINUTE + 57_000);
		world.setFaults('lost after the work');
		await world.runBatch({ rows: one });
		expect(await world.run(one)).toBe('needs_review, 1 brief');
	});
});
