import { hasOrderPaid } from '../../../batch/orders/order';
import { HOUR, MINUTE } from '../../support/time';
import { makeRows, mug, mugForCooks, pan } from '../support/order-builder';
import { reorder, Story, useBrief } from '../support/story';

/* The service lists briefs that do not show the input that they were ordered with. */

const hidden = { isInputShown: false } as const;
const one = makeRows(mug);
const three = makeRows(mug, mugForCooks, pan);

test('a row of a lost journal needs review, and --reorder returns the brief of its key', async () => {
	const story = new Story([], hidden);
	await story.run(one);
	story.loseJournal();
	expect(await story.run(one)).toBe('needs_review, 1 brief');
	expect(await story.run(one, reorder(2))).toBe('ready, 1 brief');
});

test.each([
	['the row', mug],
	['the row, which was edited since', mugForCooks],
])('an old order in review takes the brief that --use-brief names for %s', async (_, input) => {
	const story = new Story(['dies after the work'], hidden);
	await story.run(one);
	await story.clock.pass(2 * HOUR);
	expect(await story.run(one)).toBe('needs_review, 1 brief');
	const command = useBrief(2, story.created[0]?.id);
	expect(await story.run(makeRows(input), command)).toBe('ready, 1 brief');
	const { live } = await story.readOrders();
	expect(live.map(hasOrderPaid)).toEqual([true]);
});

test.each([
	['was killed', ['dies after the work']],
	['got no answer', Array<string>(20).fill('lost after the work')],
])('a second row of the product is decided after an order that %s', async (...given) => {
	const [, faults] = given;
	const story = new Story(faults, hidden);
	await story.runBatch({ rows: one });
	story.setFaults();
	await story.clock.pass(20 * MINUTE);
	const rows = makeRows(mugForCooks, mug, pan);
	expect(await story.run(rows)).toBe('ready ready ready, 3 briefs');
});

test('--max leaves the second row of the product first', async () => {
	const story = new Story(['dies after the work'], hidden);
	await story.runBatch({ rows: one });
	await story.clock.pass(20 * MINUTE);
	const rows = makeRows(mugForCooks, mug, pan);
	expect(await story.run(rows, { options: { max: ['1'] } })).toBe('pending ready ready, 2 briefs');
});

test('a second row of the product needs review if the hidden brief is a colleague’s', async () => {
	const story = new Story(['dies before the work'], hidden);
	await story.runBatch({ rows: three });
	story.create('colleague', { ...mug, audience: 'Students' });
	await story.clock.pass(20 * MINUTE);
	expect(await story.run(three)).toBe('ready needs_review ready, 3 briefs');
});

test('a second row of the product is decided after the answer to the first is in the journal', async () => {
	const story = new Story([], hidden);
	const rows = makeRows(mug, mugForCooks);
	await story.runBatch({
		rows,
		onSession: ({ clock, folder: { store } }) => {
			const save = store.save.bind(store);
			store.save = async (changes) => {
				if (JSON.stringify(changes).includes('"accepted"')) await clock.sleep(MINUTE);
				await save(changes);
			};
		},
	});
	expect(await story.readStatuses(rows)).toEqual(['ready', 'ready']);
});

test('an order that was killed while another folder ordered the same needs review', async () => {
	const story = new Story([], { ...hidden, listLagMs: 9 * MINUTE });
	await story.runBatch({ rows: one, folder: 'other' });
	story.setFaults('dies before the work');
	await story.runBatch({ rows: one });
	await story.clock.pass(3 * HOUR);
	expect(await story.run(one)).toBe('needs_review, 1 brief');
});

test('a review that has not changed is written to the journal once', async () => {
	const story = new Story([], hidden);
	await story.letColleagueOrder(mug);
	expect(await story.run(one)).toBe('needs_review, 1 brief');
	expect(await story.run(one)).toBe('needs_review, 1 brief');
	const journal = String(story.files.get('out/journal.jsonl'));
	expect(journal.match(/"review":"/g)).toHaveLength(1);
});

test('an old order whose listed brief shows a rewritten input is asked about, and not paid for again', async () => {
	const story = new Story(['dies after the work']);
	const show = story.show.bind(story);
	story.show = (brief) => {
		const shown = show(brief) as { input: object };
		return { ...shown, input: { ...shown.input, approved_facts: ['2 litres', 'BPA-free'] } };
	};
	const facts = makeRows({ product_name: 'Mug', approved_facts: '2 litres; BPA-free' });
	await story.runBatch({ rows: facts });
	await story.clock.pass(2 * HOUR);
	expect(await story.run(facts)).toBe('needs_review, 1 brief');
});

test('a brief that shows a value under another name is not used for a row with the name alone', async () => {
	const story = new Story();
	const show = story.show.bind(story);
	story.show = (brief) => {
		const { product_name, audience } = brief.input;
		return { ...show(brief), input: { product_name, target_group: audience } };
	};
	await story.letColleagueOrder(mug);
	expect(await story.run(makeRows({ product_name: 'Mug' }))).toBe('needs_review, 1 brief');
});

test('a hidden brief that appears while a row waits for its turn needs review', async () => {
	const story = new Story([], { ...hidden, thirdBrief: 'refuse', briefMs: 10 * MINUTE });
	for (const product_name of ['Lamp', 'Vase']) story.create('colleague', { product_name });
	const run = story.runBatch({ rows: one });
	await story.clock.pass(5 * MINUTE);
	story.create('colleague', mugForCooks);
	await run;
	expect(await story.readStatuses(one)).toEqual(['needs_review']);
	expect(story.created).toHaveLength(3);
});

describe('two rows of a product, of which one has an old order without an answer', () => {
	const two = makeRows(mug, mugForCooks);

	async function askAboutBoth(): Promise<Story> {
		const story = new Story(['dies after the work'], hidden);
		await story.runBatch({ rows: one });
		await story.clock.pass(2 * HOUR);
		const result = await story.runBatch({ rows: two });
		const actions = result?.plan?.planned.map(({ action }) => action.kind);
		expect(actions).toEqual(['leave', 'leave']);
		expect(await story.readStatuses(two)).toEqual(['needs_review', 'needs_review']);
		return story;
	}

	test('both need review, and the plan orders none of them', askAboutBoth);

	test('the review of the second row ends when the brief turns out to be of the first', async () => {
		const story = await askAboutBoth();
		story.options.inputShape = 'as-submitted';
		story.setFaults('refused 400');
		expect(await story.run(two)).toBe('ready failed, 1 brief');
	});
});
