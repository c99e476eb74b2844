import { makeRefusal } from '../../support/faults';
import { DAY, HOUR } from '../../support/time';
import { listProducts, World } from '../support/world';
import { COLLEAGUE } from '../../support/virtual-service';

describe('when a service fails every brief', () => {
	test('a run of 36 rows pays for six briefs, and each later run for one', async () => {
		const world = new World();
		world.shouldFail = () => true;
		const paid: number[] = [];
		for (let night = 0; night < 4; night += 1) {
			const { end } = await world.runProducts(listProducts(36));
			expect(end).toBe('failures_in_row');
			paid.push(world.created.length);
			await world.clock.pass(DAY);
		}
		expect(paid).toEqual([6, 7, 8, 9]);
	});
});

describe('failures in a row', () => {
	test('begin anew after a ready brief that was paid for', async () => {
		const world = new World();
		world.shouldFail = ({ product_name }) => product_name !== 'Product 4';
		for (const count of [4, 5, 9]) await world.runProducts(listProducts(count));
		expect(world.created).toHaveLength(9);
	});

	test('do not count reused briefs, failed or ready', async () => {
		const world = new World();
		world.shouldFail = () => true;
		for (const name of listProducts(3)) world.create(COLLEAGUE, { product_name: name }, 0);
		expect((await world.runProducts(listProducts(7))).ordered).toBe(4);
		world.create(COLLEAGUE, { product_name: 'Product 7' }, 0).plan.errorCode = null;
		expect((await world.runProducts(listProducts(8))).ordered).toBe(0);
		// Two orders, because both slots are in use at the time of the fifth failure.
		expect((await world.runProducts(listProducts(20))).ordered).toBe(2);
	});

	test('let the next run send one order, even if the service rejects it', async () => {
		const world = new World();
		world.shouldFail = () => true;
		await world.runProducts(listProducts(5));
		world.interceptCreates(() => makeRefusal(400, 'invalid', 'No'));
		const { end, report } = await world.runProducts(listProducts(8));
		expect([end, report.counts.failed]).toEqual(['failures_in_row', 6]);
	});

	test('do not count orders that the service rejects', async () => {
		const world = new World();
		world.interceptCreates(() => makeRefusal(400, 'invalid', 'No'));
		const { end, report } = await world.runProducts(listProducts(6));
		expect(end).toBe('complete');
		expect(report.counts.failed).toBe(6);
	});
});

test('a brief that takes an hour is saved by a later run, and is paid once', async () => {
	const world = new World();
	world.interceptCreates((request, count) => {
		if (count === 1) world.createFromRequest(request, 4_000_000);
		return null;
	});
	expect((await world.runProducts(listProducts(3))).statuses).toEqual([
		'pending',
		'ready',
		'ready',
	]);
	expect((await world.runProducts(listProducts(3))).statuses).toEqual([
		'pending',
		'ready',
		'ready',
	]);
	await world.clock.pass(HOUR);
	expect((await world.runProducts(listProducts(3))).statuses).toEqual(['ready', 'ready', 'ready']);
	expect(world.created).toHaveLength(3);
});

test('a run that Ctrl-C ends names its running briefs, and the same command finishes it', async () => {
	const world = new World();
	// Stops a minute after the second create request. A time since the start would be too early on a busy machine.
	world.interceptCreates((_, count) => {
		if (count === 2) void world.clock.sleep(60_000).then(() => world.pressCtrlC());
		return null;
	});
	const stopped = await world.runProducts(listProducts(5));
	expect(stopped.end).toBe('interrupted');
	expect(stopped.report.rows.filter(({ brief }) => brief === null)).toHaveLength(3);
	expect(stopped.stop?.finding?.nextSteps.map(({ text }) => text)).toEqual([
		'Run the same command again: it saves briefs that are being written, at no further cost, and orders rows that were not ordered yet.',
	]);
	const { report } = await world.runProducts(listProducts(5));
	expect(report.counts.ready).toBe(5);
	expect(world.created).toHaveLength(5);
});
