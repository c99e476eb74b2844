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

	test('--max-failures 0 stops no run', async () => {
		const batch = new VirtualBatch({ shouldFail: () => true });
		const { end } = await batch.run(listProducts(9), { maxFailures: ['0'] });
		expect([end, batch.sandbox.briefs.length]).toEqual(['complete', 9]);
	});
});

describe('--max-failures 2', () => {
	const two = { maxFailures: ['2'] };

	test('counts failures in a row: a ready brief that was paid for resets the count', async () => {
		const batch = new VirtualBatch({ shouldFail: (index) => index % 2 === 0 });
		for (const count of [1, 2, 3, 5]) await batch.run(listProducts(count), two);
		expect(batch.sandbox.briefs).toHaveLength(5);
	});

	test('counts no reused brief, failed or ready', async () => {
		const batch = new VirtualBatch({ shouldFail: () => true });
		for (const name of listProducts(2)) batch.sandbox.addBrief({ product_name: name }, 0);
		expect((await batch.run(listProducts(3), two)).ordered).toBe(1);
		batch.sandbox.addBrief({ product_name: 'Product 3' }, 0, { shouldFail: false });
		expect((await batch.run(listProducts(4), two)).ordered).toBe(0);
		// Two orders, because both slots are in use at the time of the second failure.
		expect((await batch.run(listProducts(8), two)).ordered).toBe(2);
	});

	test('sends one order after two failures, also if the service rejects it', async () => {
		const batch = new VirtualBatch({ shouldFail: () => true });
		await batch.run(listProducts(2), two);
		batch.intercept = () => makeRefusal(400, 'invalid', 'No');
		const { end, report } = await batch.run(listProducts(5), two);
		expect([end, report.counts.failed]).toEqual(['failures_in_row', 3]);
	});

	test('does not count orders that the service rejects', async () => {
		const batch = new VirtualBatch();
		batch.intercept = () => makeRefusal(400, 'invalid', 'No');
		const { end, report } = await batch.run(listProducts(3), two);
		expect(end).toBe('complete');
		expect(report.counts.failed).toBe(3);
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
	expect([stopped.end, stopped.running]).toEqual(['interrupted', 2]);
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
