import { DAY, MINUTE } from '../../support/time';
import { VirtualClock } from '../../support/virtual-clock';
import { makeRow, mug, pan } from '../support/order-builder';
import { Story } from '../support/story';
import { listProducts, VirtualBatch } from '../support/virtual-batch';

describe('the allowance', () => {
	test('stops the run when the service refuses an order because of it', async () => {
		const batch = new VirtualBatch({ allowance: 3, shownLicence: { monthly_allowance: 100 } });
		const { end, report, allowance } = await batch.run(listProducts(5));
		expect(end).toBe('allowance_used_up');
		expect(allowance.left).toBe(0);
		expect(report.counts).toMatchObject({ ready: 3, deferred: 2 });
	});

	test('stops the run when a colleague uses it during the run', async () => {
		const batch = new VirtualBatch({ allowance: 3 });
		batch.beforeFirstCreate = () => batch.sandbox.orderAsColleague(0, 'Of a colleague');
		const { end } = await batch.run(listProducts(3));
		expect(end).toBe('allowance_used_up');
		expect(batch.sandbox.count('create_brief')).toBe(2);
	});

	test('of the next month orders the deferred rows', async () => {
		const batch = new VirtualBatch({ allowance: 3 });
		await batch.run(listProducts(5));
		await batch.clock.pass(21 * DAY);
		expect((await batch.run(listProducts(5))).report.counts.ready).toBe(5);
	});

	test('is read again when the run reaches a new month, and further orders count towards it', async () => {
		const beforeMidnight = Date.UTC(2026, 10, 30, 23, 58);
		const shownLicence = { used_this_month: 0 };
		const options = { allowance: 4, shownLicence };
		const batch = new VirtualBatch(options, new VirtualClock(beforeMidnight));
		// The list does not show the briefs of others.
		void batch.clock.sleep(2 * MINUTE).then(() => (shownLicence.used_this_month = 3));
		const { end, ordered } = await batch.run(listProducts(5));
		expect(end).toBe('allowance_used_up');
		expect(ordered).toBe(3);
		expect(batch.sandbox.count('create_brief')).toBe(3);
	});

	test('counts the briefs of the folder that the list does not show yet', async () => {
		const batch = new VirtualBatch({ allowance: 4, listAgeMs: 60 * MINUTE });
		await batch.run(listProducts(3));
		const { report, allowance } = await batch.run(listProducts(6));
		expect(allowance).toEqual({ limit: 4, left: 0 });
		expect(report.counts).toMatchObject({ ready: 4, deferred: 2 });
		expect(batch.sandbox.count('create_brief')).toBe(4);
	});
});

test('a row of --reorder names the allowance if a colleague’s brief leaves it no brief', async () => {
	const batch = new VirtualBatch({ allowance: 4 });
	await batch.run(listProducts(2));
	await batch.clock.pass(2 * DAY);
	batch.intercept = () => {
		batch.sandbox.orderAsColleague(0);
		return null;
	};
	const { report } = await batch.run(listProducts(2), { reorder: ['2,3'] });
	expect(report.rows[1]?.message).toBe('This month’s allowance is not enough.');
});

describe('--max', () => {
	test('leaves rows of --reorder ready, and the run ends with 3', async () => {
		const batch = new VirtualBatch();
		await batch.run(listProducts(3));
		await batch.clock.pass(2 * DAY);
		const limited = await batch.run(listProducts(3), { reorder: ['2-4'], max: ['1'] });
		expect(limited.statuses).toEqual(['ready', 'ready', 'ready']);
		expect(limited.exitCode).toBe(3);
		expect(batch.sandbox.briefs).toHaveLength(4);
	});
});

describe('damaged rows', () => {
	const rows = [makeRow(2, mug, { warnings: ['CrÃ¨me'] }), makeRow(3, pan)];

	test('need review, the other rows are ordered, and the run ends with 1', async () => {
		const story = new Story();
		const result = await story.runBatch({ rows });
		expect(await story.readStatuses(rows)).toEqual(['needs_review', 'ready']);
		expect(result?.finished?.exitCode).toBe(1);
		expect(story.created.map(({ input }) => input)).toEqual([pan]);
	});

	test('are ordered with --allow damaged-rows, and the run ends with 0', async () => {
		const result = await new Story().runBatch({ rows, options: { allow: ['damaged-rows'] } });
		expect(result?.finished?.exitCode).toBe(0);
		expect(result?.confirmations).toEqual([]);
	});
});

test('rows that are all skipped order nothing, and the run ends with 0', async () => {
	const story = new Story();
	const rows = [mug, pan].map((input, at) => makeRow(at + 2, input, { isSkipped: true }));
	const result = await story.runBatch({ rows });
	expect(result?.finished?.exitCode).toBe(0);
	expect(story.created).toEqual([]);
});
