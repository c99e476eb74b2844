import { SendFailure, type WireResponse } from '../../../core/api/ports';
import { getOrderBrief } from '../../../batch/orders/order';
import { FailurePolicy } from '../../../batch/run/failure-policy';
import { makeRefusal, UNAVAILABLE } from '../../support/faults';
import { DAY } from '../../support/time';
import { cup, makeRows, mug, pan } from '../support/order-builder';
import { reorder, Story, useBrief } from '../support/story';
import { listProducts, VirtualBatch } from '../support/virtual-batch';
import { COLLEAGUE } from '../../support/virtual-service';

/* Orders that get no usable answer, and orders that the service refuses (P11, P12, P13). */

const BLOCKED: WireResponse = {
	status: 403,
	headers: { 'content-type': 'text/html' },
	body: '<html><title>Request blocked</title></html>',
};

/** A firewall refuses every order of this product with a page, the first `times` times. */
function makeBlockedBatch(times = Infinity): VirtualBatch {
	const batch = new VirtualBatch();
	let refusals = 0;
	batch.intercept = (body) => {
		const isBlocked = body.includes('Poison') && (refusals += 1) <= times;
		return isBlocked ? BLOCKED : null;
	};
	return batch;
}

describe('a row that a firewall refuses each time', () => {
	test('leaves its turn to the other rows, and the run names it with the answer', async () => {
		const batch = makeBlockedBatch();
		const { end, statuses, exitCode, report } = await batch.run(['Poison', ...listProducts(5)]);
		expect([end, exitCode]).toEqual(['complete', 3]);
		expect(statuses).toEqual(['pending', ...listProducts(5).map(() => 'ready')]);
		const group = report.groups.find(({ name }) => name === 'unconfirmed');
		expect(group?.rows.map(({ message }) => message)).toEqual([
			expect.stringMatching(/403.*Request blocked/),
		]);
	});

	test('delays the other rows by a few minutes at most', async () => {
		const alone = await new VirtualBatch().run(listProducts(3));
		const { tookMs } = await makeBlockedBatch().run(['Poison', ...listProducts(3)]);
		expect(tookMs - alone.tookMs).toBeLessThan(5 * 60_000);
	});

	test('is sent once more at the end of the run, and is ready if that is answered', async () => {
		const batch = makeBlockedBatch(6);
		const { statuses } = await batch.run(['Poison', ...listProducts(2)]);
		expect(statuses).toEqual(['ready', 'ready', 'ready']);
		expect(batch.sandbox.briefs.at(-1)?.input.product_name).toBe('Poison');
	});

	test.each([
		['at once', 0],
		['each day', DAY],
	])('needs review after three runs %s, and is not sent again', async (_, pause) => {
		const batch = makeBlockedBatch();
		const statuses: Array<string | undefined> = [];
		for (let run = 0; run < 4; run += 1) {
			if (run === 3) batch.intercept = () => null;
			const { report } = await batch.run(['Poison', ...listProducts(2)]);
			statuses.push(report.rows[0]?.status);
			await batch.clock.pass(pause);
		}
		expect(statuses).toEqual(['pending', 'pending', 'needs_review', 'needs_review']);
	});

	test('does not count as a failed brief', async () => {
		const batch = makeBlockedBatch();
		const { end } = await batch.run([...listProducts(4, 'Poison'), 'Mug']);
		expect(end).toBe('complete');
		const { runs } = await batch.readStore();
		expect(runs.failuresInRow).toBe(0);
	});
});

test('an order in review is dropped once its row has the brief of another order', async () => {
	const story = new Story();
	story.intercept = ({ operation }) => (operation === 'create_brief' ? 'lost' : null);
	const rows = makeRows(mug);
	for (let run = 0; run < 3; run += 1) await story.run(rows);
	expect(await story.readStatuses(rows)).toEqual(['needs_review']);
	const { id } = await story.letColleagueOrder({ product_name: 'Large mug' });
	await story.run(rows, { ...useBrief(2, id), confirmations: 'allow' });
	expect(await story.run(rows)).toBe('ready, 1 brief');
	expect((await story.readOrders()).live.map(({ state }) => state.kind)).toEqual(['ready']);
});

test('five orders in a row without an answer end the run with 1, and the next run sends one of them first', async () => {
	const batch = makeBlockedBatch();
	const rows = [...listProducts(5, 'Poison'), ...listProducts(2)];
	const night = await batch.run(rows);
	expect([night.end, night.exitCode]).toEqual(['no_answers', 1]);
	expect(batch.sandbox.briefs).toHaveLength(0);
	const next = await batch.run(rows);
	expect([next.end, next.exitCode]).toEqual(['no_answers', 1]);
	expect(next.statuses).not.toContain('ready');
	batch.intercept = () => null;
	const { statuses } = await batch.run(rows);
	expect(statuses).toEqual(rows.map(() => 'ready'));
});

test('orders without an answer are counted across runs', async () => {
	const batch = makeBlockedBatch();
	const ends: string[] = [];
	for (const count of [2, 4, 6]) {
		const { end } = await batch.run(listProducts(count, 'Poison'));
		ends.push(end);
	}
	expect(ends).toEqual(['complete', 'no_answers', 'no_answers']);
});

test('a service that can be read and takes no orders ends the run with 1, and the next run sends one order first', async () => {
	const batch = new VirtualBatch();
	batch.intercept = () => makeRefusal(503, 'unavailable', 'Try later');
	const night = await batch.run(listProducts(6));
	expect([night.end, night.exitCode]).toEqual(['no_answers', 1]);
	batch.intercept = () => null;
	expect((await batch.run(listProducts(6))).exitCode).toBe(0);
});

test('orders without an answer do not end the run if another order is answered between them', async () => {
	const batch = makeBlockedBatch();
	const rows = [...listProducts(3, 'Poison'), 'Mug', ...listProducts(3, 'More Poison')];
	const { end, report } = await batch.run(rows);
	expect(end).toBe('complete');
	expect(report.counts).toMatchObject({ ready: 1, pending: 6 });
});

test('an order without an answer ends the run with 5 if the brief list cannot be read either', async () => {
	const batch = new VirtualBatch();
	batch.beforeFirstCreate = () => (batch.sandbox.intercept = () => UNAVAILABLE);
	const { end, exitCode, statuses } = await batch.run(['Mug']);
	expect([end, exitCode, statuses]).toEqual(['service_unavailable', 5, ['pending']]);
});

test('an order without an answer takes the brief of a colleague in place of its failed brief', async () => {
	const story = new Story([], { briefMs: 30_000 });
	story.shouldFail = (_, index) => index === 0;
	story.intercept = (request) => {
		if (request.operation !== 'create_brief') return null;
		story.createFromRequest(request);
		if (story.created.length === 1) story.create(COLLEAGUE, mug);
		return 'lost';
	};
	expect(await story.run(makeRows(mug))).toBe('ready, 2 briefs');
	const { live } = await story.readOrders();
	expect(live.map(getOrderBrief)).toMatchObject([{ id: story.created[1]?.id }]);
});

test('an order with an old key counts as an order without an answer after its second request', () => {
	const policy = new FailurePolicy({ failuresInRow: 0, noAnswersInRow: 0 });
	expect(policy.recordNoAnswer(1, false)).toBe(false);
	expect(policy.recordNoAnswer(1, false)).toBe(true);
});

describe('a refused order', () => {
	test('shows the message of the service, and must be corrected before a retry', async () => {
		const batch = new VirtualBatch();
		batch.intercept = (body) =>
			body.includes('Banned') ? makeRefusal(400, 'invalid', 'Banned word') : null;
		const { report } = await batch.run(['Banned mug', 'Pan']);
		const failed = report.groups.find(({ name }) => name === 'failed');
		expect(failed?.nextSteps.map(({ text }) => text)).toEqual([
			'In the CSV, correct the row that the service refused. Then:',
		]);
		expect(failed?.rows[0]?.message).toContain('Banned word');
	});

	test('needs review if an earlier request had no answer, and has the brief once it is listed', async () => {
		const faults = ['lost after the work', 'refused 400'];
		const story = new Story(faults, { listLagMs: 300_000 });
		expect(await story.run(makeRows(mug))).toBe('needs_review, 1 brief');
		expect(await story.run(makeRows(mug))).toBe('ready, 1 brief');
	});

	test('fails once the list shows no brief for an earlier request without an answer', async () => {
		const story = new Story(['lost before the work', 'refused 400']);
		expect(await story.run(makeRows(mug))).toBe('needs_review, 0 briefs');
		expect(await story.run(makeRows(mug))).toBe('failed, 0 briefs');
	});

	test('does not count as sent if both slots are in use and Ctrl-C ends the wait', async () => {
		const batch = new VirtualBatch();
		const stop = new AbortController();
		batch.intercept = () => {
			void batch.clock.sleep(5_000).then(() => stop.abort());
			return makeRefusal(429, 'too_many_briefs', 'Two are running');
		};
		const interrupted = await batch.run(['Mug'], {}, stop.signal);
		expect(interrupted.end).toBe('interrupted');
		expect(interrupted.orders.live).toEqual([]);
		batch.intercept = () => null;
		const next = await batch.run(['Mug']);
		expect(next.statuses).toEqual(['ready']);
		expect(next.ordered).toBe(1);
	});
});

test('an order that is answered with the brief of another order needs review and counts as a failure', async () => {
	const behavior = { canConfuseKeys: true, isInputShown: false } as const;
	const story = new Story(['answers with another brief'], behavior);
	story.shouldFail = () => true;
	const statuses = await story.run(makeRows(mug, pan));
	expect(statuses).toBe('failed needs_review, 1 brief');
	const { orders, runs } = await story.readStore();
	expect(runs.failuresInRow).toBe(2);
	const { state } = orders.get(2);
	const review = { code: 'other_brief', briefId: story.created[0]?.id };
	expect(state).toMatchObject({ kind: 'unconfirmed', review });
});

test('an order under review whose requests get no answer is one failure', async () => {
	const story = new Story(['answers with another brief'], { canConfuseKeys: true });
	await story.run(makeRows(mug, pan));
	story.setFaults(...Array.from({ length: 6 }, () => 'lost before the work'));
	const statuses = await story.run(makeRows(mug, pan, cup), reorder(3));
	expect(statuses).toBe('ready ready ready, 3 briefs');
	expect((await story.readStore()).runs.failuresInRow).toBe(0);
});

test('an order is sent again without any allowance, because its brief might exist', async () => {
	const batch = new VirtualBatch({ allowance: 1 });
	const stop = new AbortController();
	batch.intercept = () => {
		stop.abort();
		throw new SendFailure('the connection was reset', true);
	};
	await batch.run(['Mug'], {}, stop.signal);
	batch.intercept = () => null;
	batch.sandbox.orderAsColleague(0, 'Of a colleague');
	const before = batch.sandbox.count('create_brief');
	await batch.run(['Mug', 'Pan']);
	expect(batch.sandbox.count('create_brief') - before).toBe(1);
});
