import { cup, makeRow, makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { DAY, MINUTE, reorder, retry, Story } from '../support/story';

const FIRST_FAILS = (_: unknown, index: number) => index === 0;

/** A story in which all briefs of these products fail, once each. */
async function startFailed(rows = makeRows(mug)): Promise<Story> {
	const story = new Story();
	story.world.failedBriefs = FIRST_FAILS;
	await story.run(rows);
	return story;
}

describe('retry', () => {
	test('orders failed rows and nothing else', async () => {
		const story = new Story();
		story.world.failedBriefs = ({ product_name }, index) => product_name === 'Pan' && index === 0;
		expect(await story.run(makeRows(mug, pan))).toBe('ready failed, 2 briefs');
		expect(await story.run(makeRows(mug, pan))).toBe('ready failed, 2 briefs');
		expect(await story.run(makeRows(mug, pan, cup), retry)).toBe('ready ready pending, 3 briefs');
	});

	test('orders nothing and ends with 0 in a folder without failed rows', async () => {
		const story = new Story();
		const rows = makeRows(mug, pan);
		const result = await story.world.runBatch({ rows, ...retry });
		expect(result?.finished?.exitCode).toBe(0);
		expect(story.world.created).toEqual([]);
	});

	test('ends with 0 when the failed rows are ready, although another row is new', async () => {
		const story = await startFailed();
		const result = await story.world.runBatch({ rows: makeRows(mug, pan), ...retry });
		expect(result?.finished?.exitCode).toBe(0);
		expect(story.world.created).toHaveLength(2);
	});

	test('with --only of a duplicate orders the failed row with its content', async () => {
		const rows = makeRows(mug, mug);
		const story = await startFailed(rows);
		const result = await story.world.runBatch({ rows, ...retry, options: { only: ['3'] } });
		expect(result?.finished?.exitCode).toBe(0);
		expect(await story.readStatuses(rows)).toEqual(['ready', 'ready']);
		expect(story.world.created).toHaveLength(2);
	});

	test('uses a failed brief that has become ready', async () => {
		const story = await startFailed();
		story.world.failedBriefs = () => false;
		expect(await story.run(makeRows(mug), retry)).toBe('ready, 1 briefs');
	});

	test('reuses a brief of the workspace for a row that was edited after it failed', async () => {
		const story = await startFailed();
		story.world.failedBriefs = ({ audience }) => audience === 'Bakers';
		await story.letColleagueOrder(mugForCooks);
		expect(await story.run(makeRows(mugForCooks), retry)).toBe('ready, 2 briefs');
	});

	test('sends a rejected order again', async () => {
		const story = new Story(['refused 400']);
		expect(await story.run(makeRows(mug))).toBe('failed, 0 briefs');
		expect(await story.run(makeRows(mug), retry)).toBe('ready, 1 briefs');
	});

	test('of a rejected order pays once while another folder orders the same', async () => {
		const story = new Story(['refused 400'], { listLagMs: MINUTE });
		expect(await story.run(makeRows(mug))).toBe('failed, 0 briefs');
		const both = await Promise.all([
			story.run(makeRows(mug), retry),
			story.run(makeRows(mug), { folder: 'other' }),
		]);
		expect(both).toEqual(['ready, 1 briefs', 'ready, 1 briefs']);
	});

	test('leaves skipped and invalid rows that failed', async () => {
		const rows = makeRows(mug, pan);
		const story = await startFailed(rows);
		const later = [makeRow(2, mug, { isSkipped: true }), makeRow(3, pan, { problems: ['#REF!'] })];
		expect(await story.run(later, retry)).toBe('skipped invalid, 2 briefs');
	});
});

describe('the attempts of a content', () => {
	test('end after three paid briefs, and --reorder starts a new count', async () => {
		const story = new Story();
		story.world.failedBriefs = () => true;
		await story.run(makeRows(mug));
		for (let count = 0; count < 5; count += 1) await story.run(makeRows(mug), retry);
		expect(story.world.created).toHaveLength(3);
		await story.run(makeRows(mug), reorder(2));
		expect(await story.run(makeRows(mug), retry)).toBe('failed, 5 briefs');
	});

	test('are used by the newest brief that has become ready', async () => {
		const story = new Story();
		story.world.failedBriefs = () => true;
		await story.run(makeRows(mug));
		await story.run(makeRows(mug), retry);
		await story.world.clock.pass(DAY);
		story.world.failedBriefs = () => false;
		expect(await story.run(makeRows(mug))).toBe('ready, 2 briefs');
	});

	test('are followed by a hint that names --reorder in place of retry', async () => {
		const story = new Story();
		story.world.failedBriefs = () => true;
		const rows = makeRows(mug);
		await story.run(rows);
		await story.run(rows, retry);
		const result = await story.world.runBatch({ rows, ...retry });
		const overview = result?.finished?.overview;
		const [row] = overview?.rows ?? [];
		expect(row?.nextSteps.flatMap(({ commands = [] }) => commands)).toEqual([
			'brief-batch run products.csv --reorder 2',
		]);
		const failed = overview?.groups.find(({ name }) => name === 'failed');
		expect(failed?.nextSteps).toEqual([]);
	});
});
