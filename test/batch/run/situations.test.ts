import { makeRefusal } from '../../support/faults';
import { DAY, HOUR } from '../../support/time';
import { listProducts, VirtualBatch } from '../support/virtual-batch';

describe('when a service fails every brief', () => {
	test('a run of 36 rows pays for six briefs, and each later run for one', async () => {
		const batch = new VirtualBatch({ shouldFail: () => true });
		const paid: number[] = [];
		for (let night = 0; night < 4; night += 1) {
			const { end } = await batch.run(listProducts(36));
			expect(end).toBe('failures_in_row');
			paid.push(batch.sandbox.briefs.length);
			await batch.clock.pass(DAY);
		}
		expect(paid).toEqual([6, 7, 8, 9]);
	});
});

describe('failures in a row', () => {
	test('begin anew after a ready brief that was paid for', async () => {
		const batch = new VirtualBatch({ shouldFail: (index) => index !== 4 });
		for (const count of [4, 5, 9]) await batch.run(listProducts(count));
		expect(batch.sandbox.briefs).toHaveLength(9);
	});

	test('do not count reused briefs, failed or ready', async () => {
		const batch = new VirtualBatch({ shouldFail: () => true });
		for (const name of listProducts(3)) batch.sandbox.addBrief({ product_name: name }, 0);
		expect((await batch.run(listProducts(7))).ordered).toBe(4);
		batch.sandbox.addBrief({ product_name: 'Product 7' }, 0, { shouldFail: false });
		expect((await batch.run(listProducts(8))).ordered).toBe(0);
		// Two orders, because both slots are in use at the time of the fifth failure.
		expect((await batch.run(listProducts(20))).ordered).toBe(2);
	});

	test('let the next run send one order, even if the service rejects it', async () => {
		const batch = new VirtualBatch({ shouldFail: () => true });
		await batch.run(listProducts(5));
		batch.intercept = () => makeRefusal(400, 'invalid', 'No');
		const { end, report } = await batch.run(listProducts(8));
		expect([end, report.counts.failed]).toEqual(['failures_in_row', 6]);
	});

	test('do not count orders that the service rejects', async () => {
		const batch = new VirtualBatch();
		batch.intercept = () => makeRefusal(400, 'invalid', 'No');
		const { end, report } = await batch.run(listProducts(6));
		expect(end).toBe('complete');
		expect(report.counts.failed).toBe(6);
	});
});

describe('slots that are taken by others', () => {
	const refusals = ['refuse', 400, 403, 409] as const;

	test.each([...refusals, 'queue'] as const)(
		'are waited for, and no create is refused (third brief: %s)',
		async (thirdBrief) => {
			const batch = new VirtualBatch({ thirdBrief });
			batch.sandbox.orderAsColleague(400_000, 'Of a colleague');
			batch.sandbox.orderAsColleague(500_000, 'Of another colleague');
			const { report } = await batch.run(listProducts(4));
			expect(report.counts.ready).toBe(4);
			expect(batch.sandbox.mostRunning).toBe(2);
			expect(batch.sandbox.count('create_brief')).toBe(4);
		},
	);

	test.each(refusals)(
		'just before the create request cost one refused request (third brief: %s)',
		async (thirdBrief) => {
			const batch = new VirtualBatch({ thirdBrief });
			batch.beforeFirstCreate = () => {
				batch.sandbox.orderAsColleague(300_000, 'Of a colleague');
				batch.sandbox.orderAsColleague(200_000, 'Of another colleague');
			};
			const { report } = await batch.run(listProducts(3));
			expect(report.counts.ready).toBe(3);
			expect(batch.sandbox.mostRunning).toBe(2);
			expect(batch.sandbox.count('create_brief')).toBe(4);
		},
	);
});

test('a brief that takes an hour is saved by a later run, and is paid once', async () => {
	const batch = new VirtualBatch({ duration: (index) => (index === 0 ? 4_000_000 : 240_000) });
	expect((await batch.run(listProducts(3))).statuses).toEqual(['pending', 'ready', 'ready']);
	expect((await batch.run(listProducts(3))).statuses).toEqual(['pending', 'ready', 'ready']);
	await batch.clock.pass(HOUR);
	expect((await batch.run(listProducts(3))).statuses).toEqual(['ready', 'ready', 'ready']);
	expect(batch.sandbox.briefs).toHaveLength(3);
});

test('a run that Ctrl-C ends names its running briefs, and the same command finishes it', async () => {
	const batch = new VirtualBatch();
	const stop = new AbortController();
	let creates = 0;
	// Stops a minute after the second create request. A time since the start would be too early on a busy machine.
	batch.intercept = () => {
		creates += 1;
		if (creates === 2) void batch.clock.sleep(60_000).then(() => stop.abort());
		return null;
	};
	const stopped = await batch.run(listProducts(5), {}, stop.signal);
	expect(stopped.end).toBe('interrupted');
	expect(stopped.report.rows.filter(({ brief }) => brief === null)).toHaveLength(3);
	expect(stopped.stop?.finding?.nextSteps.map(({ text }) => text)).toEqual([
		'Run the same command again: it saves briefs that are being written, at no further cost, and orders rows that were not ordered yet.',
	]);
	const { report } = await batch.run(listProducts(5));
	expect(report.counts.ready).toBe(5);
	expect(batch.sandbox.briefs).toHaveLength(5);
});

test('deleted files are fetched again at no cost', async () => {
	const batch = new VirtualBatch();
	await batch.run(listProducts(3));
	const listFiles = () => [...batch.disk.files.keys()].filter((path) => path.endsWith('.md'));
	for (const path of listFiles()) batch.disk.files.delete(path);
	const { report } = await batch.run(listProducts(3));
	expect(report.counts.ready).toBe(3);
	expect(listFiles()).toHaveLength(3);
	expect(batch.sandbox.briefs).toHaveLength(3);
});
