import { hasPaid } from '../../../batch/orders/order';
import { planDecisions } from '../../../batch/plan/row-decisions';
import { ALL_ROWS, type RowDecision } from '../../../batch/plan/selection';
import type { ConnectedSession } from '../../../batch/session';
import {
	cup,
	makeBrief,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	pan,
} from '../support/order-builder';
import { acceptEdits, HOUR, Story, useBrief } from '../support/story';

describe('--accept-edits', () => {
	test('keeps the brief of an edited row, and of the row when the edit is undone', async () => {
		const story = new Story();
		await story.run(makeRows(mug));
		const edited = makeRows(mugForCooks);
		expect(await story.run(edited, acceptEdits(2))).toBe('ready, 1 briefs');
		expect(await story.run(edited)).toBe('ready, 1 briefs');
		expect(await story.run(makeRows(mug))).toBe('ready, 1 briefs');
	});

	test('accepts several contents for one order', async () => {
		const story = new Story();
		await story.run(makeRows(mug, mug));
		const edited = makeRows(mugForCooks, { ...mug, audience: 'Kids' });
		expect(await story.run(edited, acceptEdits(2, 3))).toBe('ready ready, 1 briefs');
		expect(await story.run(edited)).toBe('ready ready, 1 briefs');
	});

	test.each([
		['that was not edited', [makeRow(2, mug)], 'the row was not edited after it was ordered'],
		['that is invalid', [makeRow(2, mug, { problems: ['#REF!'] })], 'the row is invalid'],
		['that is new', [makeRow(2, pan)], 'the row was not edited after it was ordered'],
	])('is refused for a row %s', async (_, rows, reason) => {
		const story = new Story();
		await story.run(makeRows(mug));
		const message = await story.run(rows, acceptEdits(2));
		expect(message).toBe(`--accept-edits has no effect on row 2: ${reason}.`);
	});

	test('is refused for a row outside --only', async () => {
		const story = new Story();
		await story.run(makeRows(mug, pan));
		const options = { acceptEdits: ['2'], only: ['3'] };
		const message = await story.run(makeRows(mugForCooks, pan), { options });
		expect(message).toBe('--accept-edits has no effect on row 2: the row is not in --only.');
	});
});

describe('--use-brief', () => {
	test('gives a renamed product the brief of its order', async () => {
		const story = new Story();
		await story.run(makeRows(pan));
		const [brief] = story.world.created;
		const command = { ...useBrief(2, brief!.id), confirmations: 'allow' } as const;
		const renamed = makeRows({ product_name: 'Skillet' });
		expect(await story.run(renamed, command)).toBe('ready [other-product], 1 briefs');
		expect(await story.run(renamed)).toBe('ready, 1 briefs');
	});

	test('asks for other-product if another row has the brief', async () => {
		const story = new Story();
		await story.run(makeRows(mug));
		const [brief] = story.world.created;
		const planned = await story.run(makeRows(mug, mugForCooks), useBrief(3, brief!.id));
		expect(planned).toBe('ready pending [other-product], 1 briefs');
	});

	test('in place of a ready brief keeps both, and counts neither as paid twice', async () => {
		const story = new Story();
		const colleagues = await story.letColleagueOrder({ product_name: 'Mug', audience: 'Students' });
		await story.run(makeRows(mug), { confirmations: 'allow' });
		expect(await story.run(makeRows(mug), useBrief(2, colleagues.id))).toBe('ready, 2 briefs');
		const { live } = await story.readOrders();
		expect(live.map(hasPaid)).toEqual([true, false]);
	});

	test('is refused while the brief of the row is being written', async () => {
		const story = new Story([], { briefMs: HOUR });
		const colleagues = story.world.create('colleague', {
			product_name: 'Mug',
			audience: 'Students',
		});
		await story.world.clock.pass(HOUR);
		await story.run(makeRows(mug), { confirmations: 'allow' });
		expect(await story.run(makeRows(mug), useBrief(2, colleagues.id))).toContain(
			'--use-brief has no effect on row 2: its brief is being written',
		);
	});

	test('is refused for a row that --where skips', async () => {
		const rows = [makeRow(2, mug, { isSkipped: true })];
		expect(await new Story().run(rows, useBrief(2, '00000000-0000-4000-8000-000000000001'))).toBe(
			'--use-brief has no effect on row 2: --where skips the row.',
		);
	});

	test('is refused for the brief that the row has', async () => {
		const story = new Story();
		await story.run(makeRows(mug));
		const [brief] = story.world.created;
		expect(await story.run(makeRows(mug), useBrief(2, brief!.id))).toBe(
			'--use-brief has no effect on row 2: the row already has this brief.',
		);
	});

	test('accepts the edit of a row that had the brief', async () => {
		const story = new Story();
		await story.run(makeRows(mug));
		const [brief] = story.world.created;
		expect(await story.run(makeRows(mugForCooks), useBrief(2, brief!.id))).toBe('ready, 1 briefs');
		const { live } = await story.readOrders();
		expect(live).toHaveLength(1);
	});

	test('is refused for a brief that failed', async () => {
		const story = new Story();
		story.world.failedBriefs = () => true;
		const colleagues = await story.letColleagueOrder(cup);
		const message = await story.run(makeRows(mug), useBrief(2, colleagues.id));
		expect(message).toBe(`--use-brief has no effect on row 2: brief ${colleagues.id} has failed.`);
	});

	test('is refused for a brief that the workspace does not have', async () => {
		const id = '00000000-0000-4000-8000-0000000000ff';
		const message = await new Story().run(makeRows(mug), useBrief(2, id));
		expect(message).toBe(`The workspace of this API key has no brief ${id}.`);
	});

	test('for a refused order that has a brief keeps both', async () => {
		const story = new Story(['lost after the work', 'refused 400'], { listLagMs: 500_000 });
		const colleagues = await story.letColleagueOrder(mugForCooks);
		await story.world.runBatch({ rows: makeRows(mug) });
		expect(await story.readStatuses(makeRows(mug))).toEqual(['needs_review']);
		expect(await story.run(makeRows(mug), useBrief(2, colleagues.id))).toBe('ready, 2 briefs');
		await story.run(makeRows(mug));
		const orders = await story.readOrders();
		const kinds = story.world.created.map(({ id }) => orders.findByBrief(id)?.state.kind);
		expect(kinds).toEqual(['ready', 'ready']);
	});

	test('names briefs for 200 of 20,000 rows', async () => {
		const inputs = Array.from({ length: 20_000 }, (_, index) => ({
			product_name: `Glow Serum ${index}`,
		}));
		const rows = makeRows(...inputs.map((input) => ({ ...input, objective: 'Sell' })));
		const decide = (number: number): [number, RowDecision] => [
			number,
			{ kind: 'use_brief', briefId: `L${number}` },
		];
		const session = {
			table: { rows },
			workspace: { readBrief: async (id: string) => makeBrief(id) },
		} as unknown as ConnectedSession;
		const decisions = new Map(rows.slice(0, 200).map(({ number }) => decide(number)));
		const orders = makeOrders(...inputs.map((input) => ({ input })));
		const { changes } = await planDecisions(session, orders, { ...ALL_ROWS, decisions });
		expect(changes).toHaveLength(200);
	});
});

test('two decisions about one row are refused', async () => {
	const story = new Story();
	await story.run(makeRows(mug));
	const options = { acceptEdits: ['2'], reorder: ['2'] };
	expect(await story.run(makeRows(mugForCooks), { options })).toBe(
		'Row 2 has --reorder and --accept-edits.',
	);
});
