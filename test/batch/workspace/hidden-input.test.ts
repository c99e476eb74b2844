import { hasPaid } from '../../../batch/orders/order';
import { makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { HOUR, MINUTE, reorder, Story, useBrief } from '../support/story';

/* The service lists briefs that do not show the input that they were ordered with. */

const hidden = { showsInput: false, keyMemoryMs: HOUR } as const;
const rows = makeRows(mug, mugForCooks, pan);

test('a row of a lost journal needs review, and --reorder returns the brief of its key', async () => {
	const story = new Story([], { showsInput: false });
	await story.run(makeRows(mug));
	story.loseJournal();
	expect(await story.run(makeRows(mug))).toBe('needs_review, 1 briefs');
	const allowed = { ...reorder(2), confirmations: 'allow' } as const;
	expect(await story.run(makeRows(mug), allowed)).toBe('ready [new-folder], 1 briefs');
});

test.each([
	['the row', mug],
	['the row, which was edited since', mugForCooks],
])('an old order in review takes the brief that --use-brief names for %s', async (_, input) => {
	const story = new Story(['dies after the work'], hidden);
	await story.run(makeRows(mug));
	await story.world.clock.pass(2 * HOUR);
	expect(await story.run(makeRows(mug))).toBe('needs_review, 1 briefs');
	const [brief] = story.world.created;
	expect(await story.run(makeRows(input), useBrief(2, brief!.id))).toBe('ready, 1 briefs');
	const { live } = await story.readOrders();
	expect(live.map(hasPaid)).toEqual([true]);
});

test('a second row of the product is decided after the order that is sent again', async () => {
	const story = new Story(['dies after the work'], hidden);
	await story.world.runBatch({ rows });
	await story.world.clock.pass(20 * MINUTE);
	expect(await story.run(rows)).toBe('ready ready ready, 3 briefs');
});

test('a second row of the product needs review if the hidden brief is a colleague’s', async () => {
	const story = new Story(['dies before the work'], hidden);
	await story.world.runBatch({ rows });
	story.world.create('colleague', { ...mug, audience: 'Students' });
	await story.world.clock.pass(20 * MINUTE);
	expect(await story.run(rows)).toBe('ready needs_review ready, 3 briefs');
});

test('an order that was killed while another folder ordered the same needs review', async () => {
	const story = new Story([], { ...hidden, listLagMs: 9 * MINUTE });
	await story.world.runBatch({ rows: makeRows(mug), folder: 'other' });
	story.plan('dies before the work');
	await story.world.runBatch({ rows: makeRows(mug) });
	await story.world.clock.pass(3 * HOUR);
	expect(await story.run(makeRows(mug))).toBe('needs_review, 1 briefs');
});

test('a folder whose only orders are undecided counts as empty', async () => {
	const story = new Story([], { showsInput: false });
	await story.letColleagueOrder(mug);
	expect(await story.run(makeRows(mug))).toBe('needs_review, 1 briefs');
	expect(await story.run(makeRows(pan))).toBe('ready, 2 briefs');
});

test('a review that has not changed is written to the journal once', async () => {
	const story = new Story([], { showsInput: false });
	await story.letColleagueOrder(mug);
	for (const run of ['first', 'second'])
		expect(`${run}: ${await story.run(makeRows(mug))}`).toBe(`${run}: needs_review, 1 briefs`);
	const journal = String(story.world.files.get('out/journal.jsonl'));
	expect(journal.match(/"undecided"/g)).toHaveLength(1);
});
