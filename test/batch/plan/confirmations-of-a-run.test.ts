import { cup, makeRow, makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { DAY, MINUTE, reorder, Story, useBrief } from '../support/story';

/* A run that cannot ask orders nothing if a confirmation is missing. */

async function startReady(): Promise<Story> {
	const story = new Story();
	expect(await story.run(makeRows(mug))).toBe('ready, 1 briefs');
	return story;
}

test('a folder without an order for any row asks for unknown-csv', async () => {
	const story = await startReady();
	expect(await story.run(makeRows(cup))).toBe('pending [unknown-csv], 1 briefs');
	expect(await story.run(makeRows(cup, mug))).toBe('ready ready, 2 briefs');
});

test('unknown-csv is judged before --use-brief gives a row an order', async () => {
	const story = await startReady();
	const { id } = await story.letColleagueOrder(pan);
	const planned = await story.run(makeRows(pan, cup), useBrief(2, id));
	expect(planned).toBe('pending pending [unknown-csv], 2 briefs');
});

test('an empty folder asks for new-folder if the workspace has the products with other content', async () => {
	const story = new Story();
	await story.letColleagueOrder(mug);
	expect(await story.run(makeRows(mugForCooks))).toBe('pending [new-folder], 1 briefs');
});

test('an empty folder does not ask for briefs that other rows reuse', async () => {
	const story = new Story();
	await story.letColleagueOrder(mug);
	expect(await story.run(makeRows(mug, mugForCooks))).toBe('ready ready, 2 briefs');
});

describe('a workspace that lists none of the briefs of the folder', () => {
	test('asks for other-workspace', async () => {
		const story = await startReady();
		await story.world.clock.pass(DAY);
		story.world.created.length = 0;
		expect(await story.run(makeRows(mug, pan))).toBe('ready pending [other-workspace], 0 briefs');
	});

	test('asks for nothing while the list can lag', async () => {
		const story = new Story([], { listLagMs: 9 * MINUTE });
		await story.world.runBatch({ rows: makeRows(mug) });
		const result = await story.world.runBatch({ rows: makeRows(mug, pan) });
		expect(result?.plan.confirmations).toEqual([]);
	});

	test('asks for nothing if all briefs of the folder are older than 90 days', async () => {
		const story = await startReady();
		for (let count = 0; count < 10; count += 1) await story.world.clock.pass(10 * DAY);
		story.world.created.length = 0;
		expect(await story.run(makeRows(mug, pan))).toBe('ready ready, 1 briefs');
	});
});

test('damaged rows need review, and the others are ordered', async () => {
	const rows = [makeRow(2, mug, { warnings: ['CrÃ¨me'] }), makeRow(3, pan)];
	expect(await new Story().run(rows)).toBe('pending ready, 1 briefs');
});

describe('the rows of a run without a row in the CSV', () => {
	test('are mentioned as removed', async () => {
		const story = new Story();
		await story.run(makeRows(mug, [pan, 'A1']));
		const result = await story.world.runBatch({ rows: makeRows(mug) });
		const removed = result?.finished?.overview.groups.find(({ name }) => name === 'removed');
		expect(removed?.rows).toMatchObject([{ name: 'Pan', rowId: 'A1', status: 'ready' }]);
	});

	test('are mentioned as replaced after --reorder', async () => {
		const story = await startReady();
		await story.world.clock.pass(DAY);
		const result = await story.world.runBatch({ rows: makeRows(mug), ...reorder(2) });
		const replaced = result?.finished?.overview.groups.find(({ name }) => name === 'replaced');
		expect(replaced?.rows.map(({ brief }) => brief?.id)).toEqual([story.world.created[0]?.id]);
	});
});

test('a brief from before 90 days is not reused', async () => {
	const story = new Story();
	await story.letColleagueOrder(mug);
	for (let count = 0; count < 10; count += 1) await story.world.clock.pass(10 * DAY);
	expect(await story.run(makeRows(mug))).toBe('ready, 2 briefs');
});
