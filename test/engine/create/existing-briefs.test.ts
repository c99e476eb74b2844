import type { Fault } from '../../../sandbox/faults';
import type { Sandbox } from '../../../sandbox/sandbox';
import { retry, runLoop, runNode, startNode } from '../../support/engine/engine';
import { continuing, create, LONG, openService, runInSandbox } from '../../support/engine/fixtures';
import { DAY } from '../../support/time';
import { makeProducts, matchText } from '../../support/values';

const lamp = [{ name: 'Lamp' }];

/** Adds a brief for the product Lamp that was ordered days ago. */
function addLamp(sandbox: Sandbox, daysAgo: number, more: object = {}) {
	const createdAt = sandbox.now() - daysAgo * DAY;
	return sandbox.addBrief({ product_name: 'Lamp', status: 'ready', createdAt, ...more });
}

describe('a brief that exists for the values of an item', () => {
	test('is used up to an age of 90 days, even if a colleague ordered it, without a wait for a slot', async () => {
		const sandbox = await openService();
		const { id } = addLamp(sandbox, 89);
		sandbox.addBriefs(LONG, LONG);
		const done = await runNode(sandbox, lamp, create({ waitUntilReady: true }));
		expect(done.json('Create')).toMatchObject([{ id, status: 'ready', already_existed: true }]);
		expect(done.hints('Create')).toEqual(['1 item: 1 already existed (nothing paid).']);
		expect(sandbox.requests.map(({ operation }) => operation)).toEqual([
			'list_briefs',
			'get_brief',
		]);
	});

	test('is used in the next execution, although the service has forgotten its key', async () => {
		const { sandbox, done } = await runInSandbox(makeProducts(2), create(), { keyMemoryMs: 1 });
		const next = await runNode(sandbox, makeProducts(2), create());
		expect(next.values('id', 'Create')).toEqual(done.values('id', 'Create'));
		expect(next.values('already_existed', 'Create')).toEqual([true, true]);
		expect(sandbox.createdCount()).toBe(2);
	});

	test('is used in the next pass of a loop', async () => {
		const sandbox = await openService({ keyMemoryMs: 1 });
		const done = await runLoop(sandbox, [{ name: 'Mask' }, { name: ' MASK' }], create());
		expect(done.passes('Create')).toMatchObject([
			{ already_existed: false },
			{ already_existed: true },
		]);
		expect(sandbox.createdCount()).toBe(1);
	});

	test('is ordered once by executions that begin together', async () => {
		const sandbox = await openService();
		const three = [1, 2, 3].map(() => startNode(sandbox, makeProducts(1), create()).ended);
		const items = (await Promise.all(three)).flatMap((done) => done.json('Create'));
		expect(new Set(items.map(({ id }) => id)).size).toBe(1);
		expect(items.filter((item) => item['already_existed'])).toHaveLength(2);
		expect(sandbox.createdCount()).toBe(1);
	});

	test('is waited for if Wait Until Ready is on', async () => {
		const sandbox = await openService();
		const { id } = sandbox.addBrief({ product_name: 'Lamp', durationMs: 60_000 });
		const done = await runNode(sandbox, lamp, create({ waitUntilReady: true }));
		expect(done.json('Create')).toMatchObject([{ id, status: 'ready', already_existed: true }]);
	});

	test('costs one request for each item, and one for each page of the list', async () => {
		const sandbox = await openService();
		const items = makeProducts(250);
		for (const { name } of items) sandbox.addBrief({ product_name: name, status: 'ready' });
		const done = await runNode(sandbox, items, create());
		expect(done.values('already_existed', 'Create')).toEqual(items.map(() => true));
		expect(sandbox.countRequests('list_briefs')).toBe(3);
		expect(sandbox.countRequests('get_brief')).toBe(250);
		expect(sandbox.createdCount()).toBe(0);
	});

	test('is the error of the item if it does not show its values', async () => {
		const sandbox = await openService({ inputShape: 'empty' });
		const { id } = addLamp(sandbox, 1, { audience: 'Cooks' });
		const done = await runNode(sandbox, lamp, create({ audience: 'Cooks', ...continuing }));
		expect(done.json('Create')).toMatchObject([
			{
				code: 'may_exist',
				error: `Lamp: the workspace has a brief of this product that might be the brief of this item: ${id}`,
				message: matchText(
					/get it by its ID with the Get operation, which costs nothing\. .* write a difference into the product's name\.$/,
				),
			},
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	test('does not count if it has other values, but the notice names its product', async () => {
		const sandbox = await openService();
		for (const { name } of makeProducts(2))
			sandbox.addBrief({ product_name: name, audience: 'Cooks', status: 'ready' });
		const done = await runNode(sandbox, makeProducts(3), create({ audience: 'Runners' }));
		expect(done.values('already_existed', 'Create')).toEqual([false, false, false]);
		expect(done.hints('Create')).toEqual([
			matchText('2 of these products already have a brief with other values: “Glow Serum No. 1”, '),
		]);
	});
});

describe('Reuse Within (Days)', () => {
	const within = (reuseWithinDays: unknown) => create({ options: { reuseWithinDays } });

	test('orders another brief in place of an older brief, which the notice counts', async () => {
		const sandbox = await openService();
		addLamp(sandbox, 8);
		const done = await runNode(sandbox, lamp, within(7));
		expect(done.values('already_existed', 'Create')).toEqual([false]);
		expect(done.hints('Create')[0]).toContain(
			"1 of these products has a brief with the same values that is older than 7 days ('Reuse Within (Days)').",
		);
		const next = await runNode(sandbox, lamp, within(7));
		expect(next.values('already_existed', 'Create')).toEqual([true]);
		expect(sandbox.createdCount()).toBe(1);
	});

	test.each([0, 91, 1.5, 'week'])('refuses %s before anything is sent', async (days) => {
		const { sandbox, done } = await runInSandbox(lamp, within(days));
		expect(done.error.message).toMatch(/'Reuse Within \(Days\)'/);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('a brief that has failed', () => {
	test('is the error of its item with the reason, the day and the next step', async () => {
		const sandbox = await openService({ startAt: Date.UTC(2026, 10, 20, 9) });
		const { id } = addLamp(sandbox, 8, { status: 'failed', errorCode: 'research_failed' });
		const done = await runNode(sandbox, lamp, create(continuing));
		expect(done.json('Create')).toMatchObject([
			{
				error: `Lamp: the service could not write this brief: research_failed (brief ${id})`,
				code: 'brief_failed',
				error_code: 'research_failed',
				message: matchText(/It was ordered on 12 November\. .*'Use It Unless It Failed'/),
			},
		]);
		expect(done.hints('Create')).toEqual([
			matchText(/^1 item: 1 failed \(see the code of each item\)\./),
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	test.each([
		['is ordered again', 'after two failures', 2, 1, undefined],
		['is the error of its item', 'after three failures', 3, 0, 'brief_failed'],
	])('%s with Use It Unless It Failed %s', async (_, __, failures, ordered, code) => {
		const sandbox = await openService();
		const ages = [3, 2, 1].slice(-failures);
		const failed = ages.map((daysAgo) => addLamp(sandbox, daysAgo, { status: 'failed' }));
		const node = create({ whenBriefExists: 'useUnlessFailed', ...continuing });
		const done = await runNode(sandbox, lamp, node);
		expect(sandbox.createdCount()).toBe(ordered);
		expect(done.values('code', 'Create')).toEqual([code]);
		const { message = '' } = done.json('Create')[0]!;
		if (code !== undefined) for (const { id } of failed) expect(message).toContain(id);
	});
});

describe('Retry in the list of executions', () => {
	test('has the briefs of the failed execution, also in a retry of the retry', async () => {
		const refused: Fault = { kind: '5xx', status: 401, operation: 'create_brief', skip: 1 };
		const { sandbox, done: failed } = await runInSandbox(makeProducts(3), create(), {}, refused);
		sandbox.faults.add(refused);
		const again = await retry(sandbox, failed, makeProducts(3), create());
		expect(again.status).toBe('error');
		const done = await retry(sandbox, again, makeProducts(3), create());
		expect(done.values('id', 'Create')).toEqual(sandbox.listIds());
		expect(sandbox.createdCount()).toBe(3);
	});
});
