import { hasOrderPaid } from '../../../batch/orders/order';
import { HOUR, MINUTE } from '../../support/time';
import { makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { reorder, retry, useBrief, World } from '../support/world';

/* The service lists briefs that do not show the input that they were ordered with. */

const hidden = { isInputShown: false } as const;
const one = makeRows(mug);
const three = makeRows(mug, mugForCooks, pan);

test.each([
	['the row', mug],
	['the row, which was edited since', mugForCooks],
])('an old order in review takes the brief that --use-brief names for %s', async (_, input) => {
	const world = new World(hidden, ['dies after the work']);
	await world.run(one);
	await world.clock.pass(2 * HOUR);
	expect(await world.run(one)).toBe('needs_review, 1 brief');
	const command = useBrief(2, world.created[0]?.id);
	expect(await world.run(makeRows(input), command)).toBe('ready, 1 brief');
	const { live } = await world.readOrders();
	expect(live.map(hasOrderPaid)).toEqual([true]);
});

test.each([
	['was killed', ['dies after the work']],
	['got no answer', Array<string>(20).fill('lost after the work')],
])('a second row of the product is decided after an order that %s', async (...given) => {
	const [, faults] = given;
	const world = new World(hidden, faults);
	await world.runBatch({ rows: one });
	world.setFaults();
	await world.clock.pass(20 * MINUTE);
	const rows = makeRows(mugForCooks, mug, pan);
	expect(await world.run(rows)).toBe('ready ready ready, 3 briefs');
});

test('--max leaves the second row of the product first', async () => {
	const world = new World(hidden, ['dies after the work']);
	await world.runBatch({ rows: one });
	await world.clock.pass(20 * MINUTE);
	const rows = makeRows(mugForCooks, mug, pan);
	expect(await world.run(rows, { options: { max: ['1'] } })).toBe('pending ready ready, 2 briefs');
});

test('a second row of the product needs review if the hidden brief is a colleague’s', async () => {
	const world = new World(hidden, ['dies before the work']);
	await world.runBatch({ rows: three });
	world.create('colleague', { ...mug, audience: 'Students' });
	await world.clock.pass(20 * MINUTE);
	expect(await world.run(three)).toBe('ready needs_review ready, 3 briefs');
});

test('a second row of the product is decided after the answer to the first is in the journal', async () => {
	const world = new World(hidden);
	const rows = makeRows(mug, mugForCooks);
	world.onSession = ({ clock, folder: { store } }) => {
		const save = store.save.bind(store);
		store.save = async (changes) => {
			if (JSON.stringify(changes).includes('"accepted"')) await clock.sleep(MINUTE);
			await save(changes);
		};
	};
	await world.runBatch({ rows });
	expect(await world.readStatuses(rows)).toEqual(['ready', 'ready']);
});

test('a review that has not changed is written to the journal once', async () => {
	const world = new World(hidden);
	await world.letColleagueOrder(mug);
	expect(await world.run(one)).toBe('needs_review, 1 brief');
	expect(await world.run(one)).toBe('needs_review, 1 brief');
	const journal = String(world.files.get('out/journal.jsonl'));
	expect(journal.match(/"review":"/g)).toHaveLength(1);
});

test('a review ends with its order, which the used-up allowance keeps from being sent', async () => {
	const world = new World({ ...hidden, allowance: 1 }, ['dies before the work']);
	await world.runBatch({ rows: one });
	await world.letColleagueOrder(mugForCooks);
	await world.clock.pass(2 * HOUR);
	expect(await world.run(one, reorder(2))).toBe('needs_review, 1 brief');
	const end = await world.runBatch({ rows: one, ...reorder(2) });
	expect(end?.finished?.report.rows[0]?.state.kind).toBe('beyond_allowance');
	expect(await world.readStatuses(one)).toEqual(['pending']);
});

test('a hidden brief that appears while a row waits for its turn needs review', async () => {
	const world = new World({ ...hidden, thirdBrief: 'refuse', briefMs: 10 * MINUTE });
	for (const product_name of ['Lamp', 'Vase']) world.create('colleague', { product_name });
	const run = world.runBatch({ rows: one });
	await world.clock.pass(5 * MINUTE);
	world.create('colleague', mugForCooks);
	await run;
	expect(await world.readStatuses(one)).toEqual(['needs_review']);
	expect(world.created).toHaveLength(3);
});

describe('two rows of a product, of which one has an old order without an answer', () => {
	const two = makeRows(mug, mugForCooks);

	async function askAboutBoth(): Promise<World> {
		const world = new World(hidden, ['dies after the work']);
		await world.runBatch({ rows: one });
		await world.clock.pass(2 * HOUR);
		const result = await world.runBatch({ rows: two });
		const actions = result?.plan?.planned.map(({ action }) => action.kind);
		expect(actions).toEqual(['leave', 'leave']);
		expect(await world.readStatuses(two)).toEqual(['needs_review', 'needs_review']);
		return world;
	}

	test('both need review, and the plan orders none of them', askAboutBoth);

	test('the review of the second row ends when the brief turns out to be of the first', async () => {
		const world = await askAboutBoth();
		world.options.inputShape = 'as-submitted';
		world.setFaults('refused 400');
		expect(await world.run(two)).toBe('ready failed, 1 brief');
	});
});

test('a second retry asks again about the brief that the review of the first has named', async () => {
	const world = new World(hidden);
	world.shouldFail = () => true;
	await world.run(one);
	await world.letColleagueOrder(mugForCooks);
	for (let count = 0; count < 2; count += 1)
		expect(await world.run(one, retry)).toBe('needs_review, 2 briefs');
	expect(await world.run(one, reorder(2))).toBe('failed, 3 briefs');
});
