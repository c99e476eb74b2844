import { matchRows } from '../../../batch/orders/match-rows';
import { hasOrderPaid } from '../../../batch/orders/order';
import { planChoices } from '../../../batch/plan/row-choices';
import type { RowChoice } from '../../../batch/plan/selection';
import type { PlanContext } from '../../../batch/plan/read-facts';
import { HOUR } from '../../support/time';
import {
	findByBrief,
	makeBrief,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	pan,
	START,
} from '../support/order-builder';
import { ALL_ROWS } from '../support/show-plan';
import { acceptEdits, useBrief, World } from '../support/world';

const mugForStudents = { product_name: 'Mug', audience: 'Students' };
const UNKNOWN_ID = '00000000-0000-4000-8000-0000000000ff';

async function startReady(...inputs: ReadonlyArray<typeof mug>): Promise<World> {
	const world = new World();
	await world.run(makeRows(...inputs));
	return world;
}

describe('--accept-edits', () => {
	test('keeps the brief of an edited row, and of the row when the edit is undone', async () => {
		const world = await startReady(mug);
		const edited = makeRows(mugForCooks);
		expect(await world.run(edited, acceptEdits(2))).toBe('ready, 1 brief');
		expect(await world.run(edited)).toBe('ready, 1 brief');
		expect(await world.run(makeRows(mug))).toBe('ready, 1 brief');
	});

	test('accepts several contents for one order', async () => {
		const world = await startReady(mug, mug);
		const edited = makeRows(mugForCooks, mugForStudents);
		expect(await world.run(edited, acceptEdits(2))).toBe('ready changed, 1 brief');
		expect(await world.run(edited, acceptEdits(3))).toBe('ready ready, 1 brief');
	});

	const only = ['3'];
	test.each([
		['was not edited', makeRow(2, mug), {}, 'the row was not edited after it was ordered'],
		['is new', makeRow(2, pan), {}, 'the row was not edited after it was ordered'],
		['is invalid', makeRow(2, mug, { problems: ['#REF!'] }), {}, 'the row is invalid'],
		['is outside --only', makeRow(2, mugForCooks), { only }, 'the row is not in --only'],
	])('is refused for a row that %s', async (_, row, options, reason) => {
		const world = await startReady(mug);
		const command = { options: { acceptEdits: ['2'], ...options } };
		const message = await world.run([row, makeRow(3, pan)], command);
		expect(message).toBe(`--accept-edits has no effect on row 2: ${reason}.`);
	});
});

test('--accept-edits is refused for an edited row whose brief failed', async () => {
	const world = new World();
	world.shouldFail = () => true;
	await world.run(makeRows(mug));
	expect(await world.run(makeRows(mugForCooks), acceptEdits(2))).toBe(
		'--accept-edits has no effect on row 2: the row was not edited after it was ordered.',
	);
});

describe('--use-brief', () => {
	test('asks for other-product if the brief has another name', async () => {
		const world = await startReady(pan);
		const command = useBrief(2, world.created[0]?.id);
		const renamed = makeRows('Skillet');
		expect(await world.run(renamed, command)).toBe('pending [other-product], 1 brief');
		const allowed = { ...command, confirmations: 'allow' } as const;
		expect(await world.run(renamed, allowed)).toBe('ready [other-product], 1 brief');
		expect(await world.run(renamed)).toBe('ready, 1 brief');
	});

	test('asks for other-product if another row has the brief', async () => {
		const world = await startReady(mug);
		const planned = await world.run(makeRows(mug, mugForCooks), useBrief(3, world.created[0]?.id));
		expect(planned).toBe('ready pending [other-product], 1 brief');
	});

	test('in place of a ready brief keeps both, and counts neither as paid twice', async () => {
		const world = new World();
		const { id } = await world.letColleagueOrder(mugForStudents);
		await world.run(makeRows(mug), { confirmations: 'allow' });
		expect(await world.run(makeRows(mug), useBrief(2, id))).toBe('ready, 2 briefs');
		const { live } = await world.readOrders();
		expect(live.map(hasOrderPaid)).toEqual([true, false]);
	});

	test('accepts the edit of a row that had the brief', async () => {
		const world = await startReady(mug);
		const command = useBrief(2, world.created[0]?.id);
		expect(await world.run(makeRows(mugForCooks), command)).toBe('ready, 1 brief');
		expect((await world.readOrders()).live).toHaveLength(1);
	});

	test('lets the row with the content of the brief use it, too', async () => {
		const world = new World();
		const { id } = await world.letColleagueOrder(mug);
		const allowed = { ...useBrief(2, id), confirmations: 'allow' } as const;
		expect(await world.run(makeRows(pan), allowed)).toBe('ready [other-product], 1 brief');
		expect(await world.run(makeRows(pan, mug))).toBe('ready ready, 1 brief');
	});

	test('for a refused order that has a brief keeps both', async () => {
		const world = new World({ listLagMs: 500_000 }, ['lost after the work', 'refused 400']);
		const { id } = await world.letColleagueOrder(mugForCooks);
		await world.runBatch({ rows: makeRows(mug) });
		expect(await world.readStatuses(makeRows(mug))).toEqual(['needs_review']);
		expect(await world.run(makeRows(mug), useBrief(2, id))).toBe('ready, 2 briefs');
		await world.run(makeRows(mug));
		const orders = await world.readOrders();
		const kinds = world.created.map((brief) => findByBrief(orders, brief.id)?.state.kind);
		expect(kinds).toEqual(['ready', 'ready']);
	});

	test('is refused while the brief of the row is being written', async () => {
		const world = new World({ briefMs: HOUR });
		await world.run(makeRows(mug));
		expect(await world.run(makeRows(mug), useBrief(2, UNKNOWN_ID))).toContain(
			'--use-brief has no effect on row 2: its brief is being written',
		);
	});

	test('is refused for the brief that the row has', async () => {
		const world = await startReady(mug);
		expect(await world.run(makeRows(mug), useBrief(2, world.created[0]?.id))).toBe(
			'--use-brief has no effect on row 2: the row already has this brief.',
		);
	});

	test.each([
		['a row', {}],
		['an invalid row', { problems: ['#REF!'] }],
	])('is refused for %s that --where skips', async (_, change) => {
		const rows = [makeRow(2, mug, { ...change, isSkipped: true })];
		expect(await new World().run(rows, useBrief(2, UNKNOWN_ID))).toBe(
			'--use-brief: --where skips row 2.',
		);
	});

	test('is refused for a brief that failed', async () => {
		const world = new World();
		world.shouldFail = () => true;
		const { id } = await world.letColleagueOrder(pan);
		const message = await world.run(makeRows(mug), useBrief(2, id));
		expect(message).toBe(`--use-brief has no effect on row 2: brief ${id} has failed.`);
	});

	test('is refused for a brief that the workspace does not have', async () => {
		const message = await new World().run(makeRows(mug), useBrief(2, UNKNOWN_ID));
		expect(message).toBe(`The workspace of this API key has no brief ${UNKNOWN_ID}.`);
	});

	test('can name briefs for 200 of 10,000 rows', async () => {
		const names = Array.from({ length: 10_000 }, (_, index) => `Glow Serum ${index}`);
		const rows = makeRows(...names.map((name) => `${name}, Teens`));
		const choose = ({ number }: { number: number }): [number, RowChoice] => [
			number,
			{ kind: 'use_brief', briefId: `L${number}` },
		];
		const context = {
			table: { rows },
			folder: { store: { runs: { count: 1 } } },
			workspace: { readBrief: async (id: string) => makeBrief(id) },
		} as unknown as PlanContext;
		const choices = new Map(rows.slice(0, 200).map(choose));
		const orders = makeOrders(...names).withChanges([]);
		const facts = { orders, matches: matchRows(rows, orders, START), now: START };
		const { changes } = await planChoices(context, facts, { ...ALL_ROWS, choices });
		expect(changes).toHaveLength(200);
	});
});

test('two decisions about one row are refused', async () => {
	const world = await startReady(mug);
	const options = { acceptEdits: ['2'], reorder: ['2'] };
	expect(await world.run(makeRows(mugForCooks), { options })).toBe(
		'Row 2 has --reorder and --accept-edits.',
	);
});
