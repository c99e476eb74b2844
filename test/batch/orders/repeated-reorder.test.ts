import { DAY, HOUR } from '../../support/time';
import { makeRows, mug, mugForCooks } from '../support/order-builder';
import { reorder, World } from '../support/world';

/* A --reorder that is typed again pays once (P10): it uses the brief that it has ordered. */

const rows = makeRows(mug);

test('an interrupted --reorder is repeated two hours later, and inputs are hidden', async () => {
	const world = new World({ isInputShown: false });
	await world.run(rows);
	await world.clock.pass(2 * DAY);
	world.setFaults('dies after the work');
	await world.runBatch({ rows, ...reorder(2) });
	expect(world.created).toHaveLength(2);
	await world.clock.pass(2 * HOUR);
	await world.run(rows, reorder(2));
	expect(world.created).toHaveLength(2);
	expect(await world.findLostBriefs('out')).toEqual([]);
});

test('a --reorder is repeated an hour after the journal of the day before was restored', async () => {
	const world = new World();
	await world.run(rows);
	const backup = world.files.get('out/journal.jsonl') as Buffer;
	await world.clock.pass(2 * DAY);
	await world.run(rows, reorder(2));
	world.files.set('out/journal.jsonl', backup);
	await world.clock.pass(HOUR);
	expect(await world.run(rows, reorder(2))).toBe('ready, 2 briefs');
});

test('the first --reorder of a ready row names hidden briefs, and the second orders', async () => {
	const world = new World({ isInputShown: false });
	await world.run(rows);
	await world.letColleagueOrder(mugForCooks);
	await world.clock.pass(2 * DAY);
	expect(await world.run(rows, reorder(2))).toBe('ready, 2 briefs');
	expect(await world.run(rows, reorder(2))).toBe('ready, 3 briefs');
});

test('a --reorder names all hidden briefs again if another has appeared since the review', async () => {
	const world = new World({ isInputShown: false });
	await world.letColleagueOrder(mugForCooks);
	expect(await world.run(rows)).toBe('needs_review, 1 brief');
	await world.letColleagueOrder(mugForCooks);
	expect(await world.run(rows, reorder(2))).toBe('needs_review, 2 briefs');
	const [{ contentId } = { contentId: '' }] = rows;
	expect((await world.readOrders()).listNamedBriefs(contentId)).toHaveLength(2);
	expect(await world.run(rows, reorder(2))).toBe('ready, 3 briefs');
});

test('a row is ordered again although a colleague ordered its content in an earlier month', async () => {
	const world = new World();
	await world.letColleagueOrder(mug);
	await world.passDays(40);
	await world.letColleagueOrder(mug);
	expect(await world.run(rows)).toBe('ready, 2 briefs');
	await world.passDays(2);
	expect(await world.run(rows, reorder(2))).toBe('ready, 3 briefs');
});

test('a failed brief stays failed in every view while the order that replaces it is in review', async () => {
	const world = new World();
	world.shouldFail = () => true;
	await world.run(rows);
	world.setFaults('dies before the work');
	await world.runBatch({ rows, ...reorder(2) });
	await world.letColleagueOrder(mugForCooks);
	await world.clock.pass(HOUR);
	const result = await world.runBatch({ rows });
	const states = result?.finished?.report.rows.map(({ place, state }) => [place.kind, state.kind]);
	expect(states).toEqual([
		['row', 'hidden_input'],
		['replaced', 'failed'],
	]);
});
