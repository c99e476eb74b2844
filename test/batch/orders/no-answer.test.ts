import type { WireResponse } from '../../../core/api/ports';
import { FailurePolicy } from '../../../batch/run/failure-policy';
import { makeRefusal, UNAVAILABLE } from '../../support/faults';
import { DAY } from '../../support/time';
import { cup, makeRows, mug, pan } from '../support/order-builder';
import { listProducts, reorder, useBrief, World } from '../support/world';

/* Orders that get no usable answer, and orders that the service refuses (P11, P12, P13). */

const BLOCKED: WireResponse = {
	status: 403,
	headers: { 'content-type': 'text/html' },
	body: '<html><title>Request blocked</title></html>',
};

/** A firewall refuses every order of this product with a page, the first `times` times. */
function makeBlockedBatch(times = Infinity): World {
	const world = new World();
	let refusals = 0;
	world.interceptCreates(({ body = '' }) => {
		const isBlocked = body.includes('Poison') && (refusals += 1) <= times;
		return isBlocked ? BLOCKED : null;
	});
	return world;
}

describe('a row that a firewall refuses each time', () => {
	test('leaves its turn to the other rows, and the run names it with the answer', async () => {
		const world = makeBlockedBatch();
		const { end, statuses, exitCode, report } = await world.runProducts([
			'Poison',
			...listProducts(5),
		]);
		expect([end, exitCode]).toEqual(['complete', 3]);
		expect(statuses).toEqual(['pending', ...listProducts(5).map(() => 'ready')]);
		const group = report.groups.find(({ name }) => name === 'unconfirmed');
		expect(group?.rows.map(({ message }) => message)).toEqual([
			expect.stringMatching(/403.*Request blocked/),
		]);
	});

	test('delays the other rows by a few minutes at most', async () => {
		const alone = await new World().runProducts(listProducts(3));
		const { tookMs } = await makeBlockedBatch().runProducts(['Poison', ...listProducts(3)]);
		expect(tookMs - alone.tookMs).toBeLessThan(5 * 60_000);
	});

	test('is sent once more at the end of the run, and is ready if that is answered', async () => {
		const world = makeBlockedBatch(6);
		const { statuses } = await world.runProducts(['Poison', ...listProducts(2)]);
		expect(statuses).toEqual(['ready', 'ready', 'ready']);
		expect(world.created.at(-1)?.input.product_name).toBe('Poison');
	});

	test.each([
		['at once', 0],
		['each day', DAY],
	])('needs review after three runs %s, and is not sent again', async (_, pause) => {
		const world = makeBlockedBatch();
		const statuses: Array<string | undefined> = [];
		for (let run = 0; run < 4; run += 1) {
			if (run === 3) world.stopIntercepting();
			const { report } = await world.runProducts(['Poison', ...listProducts(2)]);
			statuses.push(report.rows[0]?.status);
			await world.clock.pass(pause);
		}
		expect(statuses).toEqual(['pending', 'pending', 'needs_review', 'needs_review']);
	});

	test('does not count as a failed brief', async () => {
		const world = makeBlockedBatch();
		const { end } = await world.runProducts([...listProducts(4, 'Poison'), 'Mug']);
		expect(end).toBe('complete');
		const { runs } = await world.readStore();
		expect(runs.failuresInRow).toBe(0);
	});
});

test('an order in review is dropped once its row has the brief of another order', async () => {
	const world = new World();
	world.interceptCreates(() => 'lost');
	const rows = makeRows(mug);
	for (let run = 0; run < 3; run += 1) await world.run(rows);
	expect(await world.readStatuses(rows)).toEqual(['needs_review']);
	const { id } = await world.letColleagueOrder({ product_name: 'Large mug' });
	await world.run(rows, { ...useBrief(2, id), confirmations: 'allow' });
	expect(await world.run(rows)).toBe('ready, 1 brief');
	expect((await world.readOrders()).live.map(({ state }) => state.kind)).toEqual(['ready']);
});

test('five orders in a row without an answer end the run with 1, and the next run sends one of them first', async () => {
	const world = makeBlockedBatch();
	const rows = [...listProducts(5, 'Poison'), ...listProducts(2)];
	const night = await world.runProducts(rows);
	expect([night.end, night.exitCode]).toEqual(['no_answers', 1]);
	expect(world.created).toHaveLength(0);
	const next = await world.runProducts(rows);
	expect([next.end, next.exitCode]).toEqual(['no_answers', 1]);
	expect(next.statuses).not.toContain('ready');
	world.stopIntercepting();
	const { statuses } = await world.runProducts(rows);
	expect(statuses).toEqual(rows.map(() => 'ready'));
});

test('orders without an answer are counted across runs', async () => {
	const world = makeBlockedBatch();
	const ends: string[] = [];
	for (const count of [2, 4, 6]) {
		const { end } = await world.runProducts(listProducts(count, 'Poison'));
		ends.push(end);
	}
	expect(ends).toEqual(['complete', 'no_answers', 'no_answers']);
});

test('orders without an answer do not end the run if another order is answered between them', async () => {
	const world = makeBlockedBatch();
	const rows = [...listProducts(3, 'Poison'), 'Mug', ...listProducts(3, 'More Poison')];
	const { end, report } = await world.runProducts(rows);
	expect(end).toBe('complete');
	expect(report.counts).toMatchObject({ ready: 1, pending: 6 });
});

test('an order without an answer ends the run with 5 if the brief list cannot be read either', async () => {
	const world = new World();
	world.callBeforeFirstCreate(() => (world.intercept = () => UNAVAILABLE));
	const { end, exitCode, statuses } = await world.runProducts(['Mug']);
	expect([end, exitCode, statuses]).toEqual(['service_unavailable', 5, ['pending']]);
});

test('an order with an old key counts as an order without an answer after its second request', () => {
	const policy = new FailurePolicy({ failuresInRow: 0, noAnswersInRow: 0 });
	expect(policy.recordNoAnswer(1, false)).toBe(false);
	expect(policy.recordNoAnswer(1, false)).toBe(true);
});

describe('a refused order', () => {
	test('shows the message of the service, and must be corrected before a retry', async () => {
		const world = new World();
		world.interceptCreates(({ body = '' }) =>
			body.includes('Banned') ? makeRefusal(400, 'invalid', 'Banned word') : null,
		);
		const { report } = await world.runProducts(['Banned mug', 'Pan']);
		const failed = report.groups.find(({ name }) => name === 'failed');
		expect(failed?.nextSteps.map(({ text }) => text)).toEqual([
			'In the CSV, correct the row that the service refused. Then:',
		]);
		expect(failed?.rows[0]?.message).toContain('Banned word');
	});

	test('needs review if an earlier request had no answer, and has the brief once it is listed', async () => {
		const faults = ['lost after the work', 'refused 400'];
		const world = new World({ listLagMs: 300_000 }, faults);
		expect(await world.run(makeRows(mug))).toBe('needs_review, 1 brief');
		expect(await world.run(makeRows(mug))).toBe('ready, 1 brief');
	});

	test('fails once the list shows no brief for an earlier request without an answer', async () => {
		const world = new World({}, ['lost before the work', 'refused 400']);
		expect(await world.run(makeRows(mug))).toBe('needs_review, 0 briefs');
		expect(await world.run(makeRows(mug))).toBe('failed, 0 briefs');
	});

	test('does not count as sent if both slots are in use and Ctrl-C ends the wait', async () => {
		const world = new World();
		world.interceptCreates(() => {
			void world.clock.sleep(5_000).then(() => world.pressCtrlC());
			return makeRefusal(429, 'too_many_briefs', 'Two are running');
		});
		const interrupted = await world.runProducts(['Mug']);
		expect(interrupted.end).toBe('interrupted');
		expect(interrupted.orders.live).toEqual([]);
		world.stopIntercepting();
		const next = await world.runProducts(['Mug']);
		expect(next.statuses).toEqual(['ready']);
		expect(next.ordered).toBe(1);
	});
});

test('an order that is answered with the brief of another order needs review and counts as a failure', async () => {
	const behavior = { canConfuseKeys: true, isInputShown: false } as const;
	const world = new World(behavior, ['answers with another brief']);
	world.shouldFail = () => true;
	const statuses = await world.run(makeRows(mug, pan));
	expect(statuses).toBe('failed needs_review, 1 brief');
	const { orders, runs } = await world.readStore();
	expect(runs.failuresInRow).toBe(2);
	const { state } = orders.get(2);
	const review = { code: 'other_brief', briefId: world.created[0]?.id };
	expect(state).toMatchObject({ kind: 'unconfirmed', review });
});

test('an order under review whose requests get no answer is one failure', async () => {
	const world = new World({ canConfuseKeys: true }, ['answers with another brief']);
	await world.run(makeRows(mug, pan));
	world.setFaults(...Array.from({ length: 6 }, () => 'lost before the work'));
	const statuses = await world.run(makeRows(mug, pan, cup), reorder(3));
	expect(statuses).toBe('ready ready ready, 3 briefs');
	expect((await world.readStore()).runs.failuresInRow).toBe(0);
});
