import type { WireResponse } from '../../../core/api/ports';
import { SendFailure } from '../../../core/api/ports';
import { makeRows, mug } from '../support/order-builder';
import { DAY, Story } from '../support/story';
import { VirtualBatch } from '../support/virtual-batch';

/* Orders that get no usable answer, and orders that the service refuses (P11, P12, P13). */

function answer(batch: VirtualBatch, status: number, body: string): WireResponse {
	return { status, headers: { date: new Date(batch.clock.now()).toUTCString() }, body };
}

/** A firewall refuses every order of this product with a page of its own, the first `times` times. */
function makeBlockedBatch(times = Infinity): VirtualBatch {
	const batch = new VirtualBatch();
	let refusals = 0;
	batch.intercept = (body) => {
		const isBlocked = body.includes('Poison') && (refusals += 1) <= times;
		return isBlocked ? answer(batch, 403, '<html><title>Blocked</title></html>') : null;
	};
	return batch;
}

const list = (count: number, name = 'Product') =>
	Array.from({ length: count }, (_, index) => `${name} ${index}`);

describe('a row that a firewall refuses each time', () => {
	test('leaves its turn to the other rows, and the run names it with what answered', async () => {
		const batch = makeBlockedBatch();
		const { end, statuses, exitCode, overview } = await batch.run(['Poison', ...list(5)]);
		expect(end).toBe('complete');
		expect(exitCode).toBe(3);
		expect(statuses).toEqual(['pending', ...list(5).map(() => 'ready')]);
		const [group] = overview.groups.filter(({ name }) => name === 'unconfirmed');
		expect(group?.rows[0]?.message).toContain('Blocked');
		expect(group?.rows[0]?.message).toContain('403');
	});

	test('is sent to the end of the run once more, and is ready if that is answered', async () => {
		const { statuses } = await makeBlockedBatch(6).run(['Poison', ...list(2)]);
		expect(statuses).toEqual(['ready', 'ready', 'ready']);
	});

	test.each([
		['at once', 0],
		['each day', DAY],
	])('needs review after three runs %s', async (_, pause) => {
		const batch = makeBlockedBatch();
		const statuses: string[] = [];
		for (let run = 0; run < 3; run += 1) {
			statuses.push((await batch.run(['Poison', ...list(2)])).statuses[0] ?? '');
			await batch.clock.pass(pause);
		}
		expect(statuses).toEqual(['pending', 'pending', 'needs_review']);
	});

	test('in review names --use-brief and --reorder', async () => {
		const batch = makeBlockedBatch();
		for (let run = 0; run < 2; run += 1) await batch.run(['Poison']);
		const { overview } = await batch.run(['Poison']);
		const commands = overview.rows[0]?.nextSteps.flatMap((step) => step.commands ?? []);
		expect(commands).toEqual([
			'brief-batch run products.csv --use-brief 2=BRIEF_ID',
			'brief-batch run products.csv --reorder 2',
		]);
	});
});

test('five orders in a row without an answer end the run, and new rows come first in the next run', async () => {
	const batch = makeBlockedBatch();
	const rows = [...list(5, 'Poison'), ...list(2)];
	const night = await batch.run(rows);
	expect([night.end, night.exitCode, batch.sandbox.briefs.length]).toEqual(['no_answers', 5, 0]);
	const { statuses } = await batch.run(rows);
	expect(statuses.slice(5)).toEqual(['ready', 'ready']);
});

describe('a refused order', () => {
	test('reuses the brief that a colleague has ordered meanwhile', async () => {
		const batch = new VirtualBatch();
		let isFirst = true;
		batch.intercept = () => {
			if (!isFirst) return null;
			isFirst = false;
			batch.sandbox.startOther(0, 'Mug');
			return answer(batch, 400, JSON.stringify({ error: { code: 'invalid', message: 'No' } }));
		};
		const { statuses } = await batch.run(['Mug']);
		expect(statuses).toEqual(['ready']);
		expect(batch.sandbox.briefs).toHaveLength(1);
	});

	test('shows what the service said, and is to be corrected before retry', async () => {
		const batch = new VirtualBatch();
		batch.intercept = (body) =>
			body.includes('Banned')
				? answer(batch, 400, JSON.stringify({ error: { code: 'invalid', message: 'Banned word' } }))
				: null;
		const { overview } = await batch.run(['Banned mug', 'Pan']);
		const [failed] = overview.groups.filter(({ name }) => name === 'failed');
		expect(failed?.nextSteps.map(({ text }) => text)).toEqual([
			'In the CSV, correct the row that the service refused. Then:',
		]);
		expect(failed?.rows[0]?.message).toContain('Banned word');
	});

	test('needs review if an earlier request had no answer, and has the brief once it is listed', async () => {
		const faults = ['lost after the work', 'refused 400'];
		const story = new Story(faults, { listLagMs: 300_000 });
		expect(await story.run(makeRows(mug))).toBe('needs_review, 1 briefs');
		expect(await story.run(makeRows(mug))).toBe('ready, 1 briefs');
	});

	test('fails once the list shows no brief for an earlier request without an answer', async () => {
		const story = new Story(['lost before the work', 'refused 400']);
		expect(await story.run(makeRows(mug))).toBe('needs_review, 0 briefs');
		expect(await story.run(makeRows(mug))).toBe('failed, 0 briefs');
	});
});

/** Both slots are in use, and Ctrl-C comes five seconds after the refusal. */
test('an order that was refused for want of a slot has not begun', async () => {
	const batch = new VirtualBatch();
	const stop = new AbortController();
	batch.intercept = () => {
		void batch.clock.sleep(5_000).then(() => stop.abort());
		const error = { code: 'too_many_briefs', message: 'Two are running' };
		return answer(batch, 429, JSON.stringify({ error }));
	};
	const refused = await batch.run(['Mug'], {}, stop.signal);
	expect(refused.end).toBe('interrupted');
	expect(refused.orders.live).toEqual([]);
	batch.intercept = () => null;
	const next = await batch.run(['Mug']);
	expect(next.statuses).toEqual(['ready']);
	expect(next.orderedIds.size).toBe(1);
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
	batch.sandbox.startOther(0, 'Of a colleague');
	const before = batch.sandbox.count('create_brief');
	await batch.run(['Mug', 'Pan']);
	expect(batch.sandbox.count('create_brief') - before).toBe(1);
});
