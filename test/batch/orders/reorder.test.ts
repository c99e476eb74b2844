import { makeIdempotencyKey } from '../../../core/input/idempotency-key';
import { getOrderBrief } from '../../../batch/orders/order';
import { makeRows, mug, mugForCooks } from '../support/order-builder';
import { DAY, reorder, Story } from '../support/story';
import { VirtualBatch } from '../support/virtual-batch';

describe('--reorder', () => {
	test('reuses a brief of the workspace for an edited row', async () => {
		const story = new Story();
		await story.run(makeRows(mug));
		await story.letColleagueOrder(mugForCooks);
		expect(await story.run(makeRows(mugForCooks), reorder(2))).toBe('ready, 2 briefs');
	});

	test('supersedes the first brief of a row that was edited back', async () => {
		const story = new Story();
		await story.run(makeRows(mug));
		await story.run(makeRows(mugForCooks), reorder(2));
		await story.world.clock.pass(DAY);
		expect(await story.run(makeRows(mug), reorder(2))).toBe('ready, 3 briefs');
		const [first, , third] = story.world.created;
		expect(third?.key).toBe(makeIdempotencyKey(mug, first?.id ?? ''));
	});

	test('of changed orders the changed rows', async () => {
		const story = new Story();
		await story.run(makeRows(mug));
		const changed = { options: { reorder: ['changed'] } };
		expect(await story.run(makeRows(mugForCooks), changed)).toBe('ready, 2 briefs');
	});
});

describe('a brief that is late for a day', () => {
	test('needs review, and the hints are --use-brief and --reorder', async () => {
		const batch = new VirtualBatch({ duration: () => 400_000_000 });
		await batch.run(['Mug']);
		await batch.clock.pass(DAY + 3_600_000);
		const { statuses, exitCode, overview } = await batch.run(['Mug']);
		expect(statuses).toEqual(['needs_review']);
		expect(exitCode).toBe(1);
		const commands = overview.rows[0]?.nextSteps.flatMap(({ commands = [] }) => commands);
		expect(commands).toEqual([
			'brief-batch run products.csv --use-brief 2=BRIEF_ID',
			'brief-batch run products.csv --reorder 2',
		]);
	});

	test('is saved in place of --reorder if it is finished by that time', async () => {
		const batch = new VirtualBatch({ duration: () => 400_000_000 });
		await batch.run(['Mug']);
		await batch.clock.pass(DAY + 3_600_000);
		expect((await batch.run(['Mug'])).statuses).toEqual(['needs_review']);
		await batch.clock.pass(5 * DAY);
		const { statuses } = await batch.run(['Mug'], { reorder: ['2'] });
		expect(statuses).toEqual(['ready']);
		expect(batch.sandbox.briefs).toHaveLength(1);
	});

	test('is saved, too, when it is finished after --reorder', async () => {
		const batch = new VirtualBatch({ duration: () => 400_000_000 });
		await batch.run(['Mug']);
		await batch.clock.pass(DAY + 3_600_000);
		await batch.run(['Mug']);
		await batch.run(['Mug'], { reorder: ['2'] });
		expect(batch.sandbox.briefs).toHaveLength(2);
		await batch.clock.pass(5 * DAY);
		const { orders } = await batch.run(['Mug']);
		expect(orders.live.map(({ state }) => state.kind)).toEqual(['ready', 'ready']);
	});
});

test('a brief that comes back under its key is the order’s, although it looks different and was listed before', async () => {
	const story = new Story();
	await story.run(makeRows(mug));
	story.loseJournal();
	// The service has rewritten the input.
	const [brief] = story.world.created;
	Object.assign(brief!, { input: { ...mug, audience: 'Home bakers' } });
	await story.run(makeRows(mug), { confirmations: 'allow' });
	const { live } = await story.readOrders();
	expect(live.map((order) => getOrderBrief(order)?.id)).toEqual([brief?.id]);
	expect(story.world.created).toHaveLength(1);
});

test('the same content in another spelling is paid again while the list does not show its brief', async () => {
	// The price of a key that contains the exact body.
	const batch = new VirtualBatch({ listLag: 300_000 });
	await batch.run(["Fay's Mug"]);
	batch.disk.files.clear();
	await batch.run(['FAY’S  MUG']);
	await batch.clock.pass(600_000);
	const { statuses } = await batch.run(['FAY’S  MUG']);
	expect(statuses).toEqual(['ready']);
	expect(batch.sandbox.briefs).toHaveLength(2);
});
