import { DAY, MINUTE } from '../../support/time';
import { VirtualClock } from '../../support/virtual-clock';
import { makeRow, mug, pan } from '../support/order-builder';
import { listProducts, World } from '../support/world';
import { COLLEAGUE } from '../../support/virtual-service';

describe('the allowance', () => {
	test('stops the run when the service refuses an order because of it', async () => {
		const world = new World({ allowance: 3, shownLicence: { monthly_allowance: 100 } });
		const { end, report, allowance } = await world.runProducts(listProducts(5));
		expect(end).toBe('allowance_used_up');
		expect(allowance.left).toBe(0);
		expect(report.counts).toMatchObject({ ready: 3, deferred: 2 });
	});

	test('stops the run when a colleague uses it during the run', async () => {
		const world = new World({ allowance: 3 });
		world.callBeforeFirstCreate(() =>
			world.create(COLLEAGUE, { product_name: 'Of a colleague' }, 0),
		);
		const { end } = await world.runProducts(listProducts(3));
		expect(end).toBe('allowance_used_up');
		expect(world.count('create_brief')).toBe(2);
	});

	test('of the next month orders the deferred rows', async () => {
		const world = new World({ allowance: 3 });
		await world.runProducts(listProducts(5));
		await world.clock.pass(21 * DAY);
		expect((await world.runProducts(listProducts(5))).report.counts.ready).toBe(5);
	});

	test('is read again when the run reaches a new month, and further orders count towards it', async () => {
		const beforeMidnight = Date.UTC(2026, 10, 30, 23, 58);
		const shownLicence = { used_this_month: 0 };
		const options = { allowance: 4, shownLicence };
		const world = new World(options, [], new VirtualClock(beforeMidnight));
		// The list does not show the briefs of others.
		void world.clock.sleep(2 * MINUTE).then(() => (shownLicence.used_this_month = 3));
		const { end, ordered } = await world.runProducts(listProducts(5));
		expect(end).toBe('allowance_used_up');
		expect(ordered).toBe(3);
		expect(world.count('create_brief')).toBe(3);
	});

	test('counts the briefs of the folder that the list does not show yet', async () => {
		const world = new World({ allowance: 4, listAgeMs: 60 * MINUTE });
		await world.runProducts(listProducts(3));
		const { report, allowance } = await world.runProducts(listProducts(6));
		expect(allowance).toEqual({ limit: 4, left: 0 });
		expect(report.counts).toMatchObject({ ready: 4, deferred: 2 });
		expect(world.count('create_brief')).toBe(4);
	});
});

test('a row of --reorder names the allowance if a colleague’s brief leaves it no brief', async () => {
	const world = new World({ allowance: 4 });
	await world.runProducts(listProducts(2));
	await world.clock.pass(2 * DAY);
	world.interceptCreates(() => {
		world.create(COLLEAGUE, { product_name: 'Of a colleague' }, 0);
		return null;
	});
	const { report } = await world.runProducts(listProducts(2), { reorder: ['2,3'] });
	expect(report.rows[1]?.message).toBe('This month’s allowance is not enough.');
});

describe('--max', () => {
	test('leaves rows of --reorder ready, and the run ends with 3', async () => {
		const world = new World();
		await world.runProducts(listProducts(3));
		await world.clock.pass(2 * DAY);
		const limited = await world.runProducts(listProducts(3), { reorder: ['2-4'], max: ['1'] });
		expect(limited.statuses).toEqual(['ready', 'ready', 'ready']);
		expect(limited.exitCode).toBe(3);
		expect(world.created).toHaveLength(4);
	});
});

describe('damaged rows', () => {
	const rows = [makeRow(2, mug, { warnings: ['CrÃ¨me'] }), makeRow(3, pan)];

	test('need review, the other rows are ordered, and the run ends with 1', async () => {
		const world = new World();
		const result = await world.runBatch({ rows });
		expect(await world.readStatuses(rows)).toEqual(['needs_review', 'ready']);
		expect(result?.finished?.exitCode).toBe(1);
		expect(world.created.map(({ input }) => input)).toEqual([pan]);
	});

	test('are ordered with --allow damaged-rows, and the run ends with 0', async () => {
		const result = await new World().runBatch({ rows, options: { allow: ['damaged-rows'] } });
		expect(result?.finished?.exitCode).toBe(0);
		expect(result?.confirmations).toEqual([]);
	});
});

test('rows that are all skipped order nothing, and the run ends with 0', async () => {
	const world = new World();
	const rows = [mug, pan].map((input, at) => makeRow(at + 2, input, { isSkipped: true }));
	const result = await world.runBatch({ rows });
	expect(result?.finished?.exitCode).toBe(0);
	expect(world.created).toEqual([]);
});
