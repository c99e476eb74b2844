import type { Sandbox } from '../../../sandbox/sandbox';
import { retry, runLoop, runNode, startNode } from '../../support/engine/engine';
import {
	continuing,
	create,
	addBriefs,
	LONG,
	products,
	runInSandbox,
	countRequests,
	openService,
	says,
	type Fault,
} from '../../support/engine/fixtures';
import { engineTime } from '../../support/engine/time';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const lamp = [{ name: 'Lamp' }];

/** Adds a brief for the product Lamp that was ordered days ago. */
const addLamp = (sandbox: Sandbox, daysAgo: number, more: object = {}) =>
	sandbox.addBrief({
		product_name: 'Lamp',
		status: 'ready',
		createdAt: sandbox.now() - daysAgo * DAY,
		...more,
	});

describe('a brief that exists for the values of an item', () => {
	it('is used, whoever ordered it and whatever its age up to 90 days', async () => {
		const sandbox = await openService();
		const { id } = addLamp(sandbox, 89);
		const done = await runNode(sandbox, lamp, create());
		expect(done.json('Create')).toMatchObject([{ id, status: 'ready', already_existed: true }]);
		expect(done.hints('Create')).toEqual([
			'1 item: 1 already existed (nothing paid). 100 of 100 briefs left this month.',
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it.each(['trigger', 'manual', 'retry'] as const)(
		'is used in the next execution, although the service has forgotten its key: %s',
		async (mode) => {
			const { sandbox, done } = await runInSandbox(products(2), create(), { keyMemoryMs: 1 });
			const next = await runNode(sandbox, products(2), create(), mode);
			expect(next.values('id', 'Create')).toEqual(done.values('id', 'Create'));
			expect(next.values('already_existed', 'Create')).toEqual([true, true]);
			expect(sandbox.createdCount()).toBe(2);
		},
	);

	it('is used in the next pass of a loop', async () => {
		const sandbox = await openService({ keyMemoryMs: 1 });
		const done = await runLoop(sandbox, [{ name: 'Mask' }, { name: ' MASK' }], create());
		expect(done.values('already_existed', 'Loop', 0, 2)).toEqual([false, true]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('is ordered once by executions that begin together', async () => {
		const sandbox = await openService();
		const three = [1, 2, 3].map(() => startNode(sandbox, products(1), create()).ended);
		const done = await Promise.all(three);
		expect(new Set(done.flatMap((each) => each.values('id', 'Create'))).size).toBe(1);
		const existed = done.flatMap((each) => each.values('already_existed', 'Create'));
		expect(existed.sort()).toEqual([false, true, true]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('is waited for if Wait Until Ready is on', async () => {
		const sandbox = await openService();
		const { id } = sandbox.addBrief({ product_name: 'Lamp', durationMs: 60_000 });
		const done = await runNode(sandbox, lamp, create({ waitUntilReady: true }));
		expect(done.json('Create')).toMatchObject([{ id, status: 'ready', already_existed: true }]);
	});

	it('comes at once with one request for it, while other briefs have both slots', async () => {
		const sandbox = await openService();
		addLamp(sandbox, 1);
		addBriefs(sandbox, LONG, LONG);
		await runNode(sandbox, lamp, create({ waitUntilReady: true }));
		expect(sandbox.requests.map(({ operation }) => operation)).toEqual([
			'list_briefs',
			'get_brief',
			'list_licences',
		]);
	});

	it('costs one request for each item, and one for each page of the list', async () => {
		const sandbox = await openService();
		const names = Array.from({ length: 250 }, (_, index) => ({ name: `Lamp ${index}` }));
		for (const { name } of names) sandbox.addBrief({ product_name: name, status: 'ready' });
		const done = await runNode(sandbox, names, create());
		expect(done.values('already_existed', 'Create')).toEqual(names.map(() => true));
		expect(countRequests(sandbox, 'list_briefs')).toBe(3);
		expect(countRequests(sandbox, 'get_brief')).toBe(250);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('is the error of the item if it does not show its values', async () => {
		const sandbox = await openService({ inputShape: 'empty' });
		const { id } = addLamp(sandbox, 1, { audience: 'Cooks' });
		const node = create({ audience: 'Cooks', ...continuing });
		const done = await runNode(sandbox, lamp, node);
		expect(done.json('Create')).toMatchObject([
			{
				code: 'may_exist',
				error: `Lamp: the workspace has a brief of this product that shows only its name: ${id}`,
				message: says(
					/with the Get operation, which costs nothing\. .*'Order Another' for one run, then back to 'Use It'\.$/,
				),
			},
		]);
		expect(sandbox.createdCount()).toBe(0);
	});
});

describe('Reuse Within (Days)', () => {
	const within = (reuseWithinDays: unknown) => create({ options: { reuseWithinDays } });

	it('orders another brief in place of an older one, which the notice counts', async () => {
		const sandbox = await openService();
		addLamp(sandbox, 8);
		const done = await runNode(sandbox, lamp, within(7));
		expect(done.values('already_existed', 'Create')).toEqual([false]);
		expect(done.hints('Create')).toEqual([
			expect.stringContaining(
				"1 of these products has a brief with the same values that is older than 7 days ('Reuse Within (Days)').",
			),
		]);
		const next = await runNode(sandbox, lamp, within(7));
		expect(next.values('already_existed', 'Create')).toEqual([true]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it.each([0, 91, 1.5, 'week'])('refuses %s before anything is sent', async (days) => {
		const { sandbox, done } = await runInSandbox(lamp, within(days));
		expect(done.error.message).toMatch(/'Reuse Within \(Days\)'/);
		expect(sandbox.requests).toEqual([]);
	});
});

it('a brief with other values does not count, but the notice says how many products have one', async () => {
	const sandbox = await openService();
	for (const { name } of products(2))
		sandbox.addBrief({ product_name: name, audience: 'Cooks', status: 'ready' });
	const done = await runNode(sandbox, products(3), create({ audience: 'Runners' }));
	expect(done.values('already_existed', 'Create')).toEqual([false, false, false]);
	expect(done.hints('Create')).toEqual([
		says('2 of these products already have a brief with other values.'),
	]);
});

describe('a brief that has failed', () => {
	it('is the error of its item with the reason, the day and what to do', async () => {
		const sandbox = await openService({ startAt: Date.UTC(2026, 10, 20, 9) });
		const { id } = addLamp(sandbox, 8, { status: 'failed', errorCode: 'research_failed' });
		const done = await runNode(sandbox, lamp, create(continuing));
		expect(done.json('Create')).toMatchObject([
			{
				error: `Lamp: the service could not write this brief: research_failed (brief ${id})`,
				code: 'brief_failed',
				error_code: 'research_failed',
				message: says(/It was ordered on 12 November\. .*'Use It Unless It Failed'/),
			},
		]);
		expect(done.hints('Create')).toEqual([
			says(/^1 item: 1 failed \(see the code of each item\)\./),
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it.each([
		['ordered again with Use It Unless It Failed', 1, 1, undefined],
		['ordered again after two failures', 2, 1, undefined],
		['the error of its item after three failures', 3, 0, 'brief_failed'],
	])('is %s', async (_, failures, ordered, code) => {
		const sandbox = await openService();
		const failed = Array.from({ length: failures }, (__, index) =>
			addLamp(sandbox, index + 1, { status: 'failed' }),
		);
		const node = create({ whenBriefExists: 'useUnlessFailed', ...continuing });
		const done = await runNode(sandbox, lamp, node);
		expect(sandbox.createdCount()).toBe(ordered);
		expect(done.values('code', 'Create')).toEqual([code]);
		const { message = '' } = done.json('Create')[0]!;
		if (code !== undefined) for (const { id } of failed) expect(message).toContain(id);
	});
});

describe('Order Another', () => {
	const another = create({ whenBriefExists: 'orderAnother' });
	const lost: Fault = { kind: 'reset', at: 'after-work', operation: 'create_brief' };

	it('orders one brief in each execution', async () => {
		const { sandbox } = await runInSandbox(lamp, another);
		const done = await runNode(sandbox, lamp, another);
		expect(done.values('already_existed', 'Create')).toEqual([false]);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('gets the brief of a lost answer when the execution is retried hours later', async () => {
		const refused: Fault = { kind: '5xx', status: 422, operation: 'create_brief', skip: 2 };
		const { sandbox, done } = await runInSandbox(
			products(2),
			another,
			{ keyMemoryMs: HOUR },
			lost,
			refused,
		);
		expect(done.status).toBe('error');
		await engineTime().pass(5 * HOUR);
		const retried = await retry(sandbox, done, products(2), another);
		expect(retried.values('id', 'Create')).toEqual(sandbox.briefs().map(({ id }) => id));
		expect(sandbox.createdCount()).toBe(2);
	});

	it('gets the brief of the first pass in later passes of a loop, in any spelling', async () => {
		const sandbox = await openService();
		const items = ['Night Cream', 'NIGHT CREAM'].map((name) => ({ name }));
		const done = await runLoop(sandbox, items, another);
		const [first, second] = done.values('id', 'Loop', 0, 2);
		expect(second).toBe(first);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('orders one brief for each Order Key of the same values', async () => {
		const sandbox = await openService();
		const rows = ['A', 'A', 'B'].map((key) => ({ name: 'Mug', key }));
		const node = create({
			whenBriefExists: 'orderAnother',
			idempotencyKey: '=spring-{{ $json.key }}',
		});
		const done = await runLoop(sandbox, rows, node);
		const [a, again, b] = done.values('id', 'Loop', 0, 3);
		expect([again === a, b === a]).toEqual([true, false]);
		const next = await runNode(sandbox, rows, node);
		expect(next.values('id', 'Create')).toEqual([a, a, b]);
		expect(sandbox.createdCount()).toBe(2);
	});
});

describe('Retry in the list of executions', () => {
	const refused: Fault = { kind: '5xx', status: 401, operation: 'create_brief', skip: 1 };

	it('has the briefs of the failed execution, and so has a retry of the retry', async () => {
		const { sandbox, done: failed } = await runInSandbox(products(3), create(), {}, refused);
		sandbox.faults.add(refused);
		const again = await retry(sandbox, failed, products(3), create());
		expect(again.status).toBe('error');
		const done = await retry(sandbox, again, products(3), create());
		expect(done.values('id', 'Create')).toEqual(sandbox.briefs().map(({ id }) => id));
		expect(sandbox.createdCount()).toBe(3);
	});

	it('orders in the workspace of the present credential', async () => {
		const { sandbox, done: failed } = await runInSandbox(products(2), create(), { allowance: 1 });
		const other = await openService({ seed: 2 });
		await retry(other, failed, products(2), create());
		expect([sandbox.createdCount(), other.createdCount()]).toEqual([1, 2]);
	});
});
