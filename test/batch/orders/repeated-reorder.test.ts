import { DAY, HOUR } from '../../support/time';
import { makeRows, mug, mugForCooks } from '../support/order-builder';
import { reorder, Story } from '../support/story';

/* A --reorder that is typed again pays once (P10): it uses the brief that it has ordered. */

const rows = makeRows(mug);

test('an interrupted --reorder is repeated two hours later, and inputs are hidden', async () => {
	const story = new Story([], { isInputShown: false });
	await story.run(rows);
	await story.clock.pass(2 * DAY);
	story.setFaults('dies after the work');
	await story.runBatch({ rows, ...reorder(2) });
	expect(story.created).toHaveLength(2);
	await story.clock.pass(2 * HOUR);
	await story.run(rows, reorder(2));
	expect(story.created).toHaveLength(2);
	expect(await story.findLostBriefs('out')).toEqual([]);
});

test('a --reorder is repeated an hour after the journal of the day before was restored', async () => {
	const story = new Story();
	await story.run(rows);
	const backup = story.files.get('out/journal.jsonl') as Buffer;
	await story.clock.pass(2 * DAY);
	await story.run(rows, reorder(2));
	story.files.set('out/journal.jsonl', backup);
	await story.clock.pass(HOUR);
	expect(await story.run(rows, reorder(2))).toBe('ready, 2 briefs');
});

test('two folders reorder the same content within an hour', async () => {
	const story = new Story();
	for (const folder of ['a', 'b']) await story.run(rows, { folder });
	await story.clock.pass(2 * DAY);
	await story.run(rows, { ...reorder(2), folder: 'a' });
	await story.clock.pass(HOUR);
	expect(await story.run(rows, { ...reorder(2), folder: 'b' })).toBe('ready, 2 briefs');
});

test('the first --reorder of a ready row names hidden briefs, and the second orders', async () => {
	const story = new Story([], { isInputShown: false });
	await story.run(rows);
	await story.letColleagueOrder(mugForCooks);
	await story.clock.pass(2 * DAY);
	expect(await story.run(rows, reorder(2))).toBe('ready, 2 briefs');
	expect(await story.run(rows, reorder(2))).toBe('ready, 3 briefs');
});

test('a --reorder names all hidden briefs again if another has appeared since the review', async () => {
	const story = new Story([], { isInputShown: false });
	await story.letColleagueOrder(mugForCooks);
	expect(await story.run(rows)).toBe('needs_review, 1 brief');
	await story.letColleagueOrder(mugForCooks);
	expect(await story.run(rows, reorder(2))).toBe('needs_review, 2 briefs');
	const [{ contentId } = { contentId: '' }] = rows;
	expect((await story.readOrders()).listNamedBriefs(contentId)).toHaveLength(2);
	expect(await story.run(rows, reorder(2))).toBe('ready, 3 briefs');
});

test('a row is ordered again although a colleague ordered its content in an earlier month', async () => {
	const story = new Story();
	await story.letColleagueOrder(mug);
	await story.passDays(40);
	await story.letColleagueOrder(mug);
	expect(await story.run(rows)).toBe('ready, 2 briefs');
	await story.passDays(2);
	expect(await story.run(rows, reorder(2))).toBe('ready, 3 briefs');
});
