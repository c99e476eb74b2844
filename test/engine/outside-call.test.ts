import { clock } from '../../nodes/shared/node-clock';
import type { Sandbox } from '../../sandbox/sandbox';
import { runNode, startNode, type TestNode } from '../support/engine/engine';
import {
	create,
	get,
	addBriefs,
	LONG,
	countRequests,
	openService,
	says,
	wait,
} from '../support/engine/fixtures';
import { engineTime } from '../support/engine/time';

const item = { name: 'Glow Serum' };
const looks = { pollInterval: 15 };
const called = (node: TestNode): TestNode => ({ ...node, type: `${node.type}OutsideTool` });

/** What a client hears of a call, and how many seconds it has waited. */
async function call(sandbox: Sandbox, node: TestNode, given: object = item) {
	const begin = clock.now();
	const done = await runNode(sandbox, [given], called(node));
	return { answers: done.json(node.name), seconds: (clock.now() - begin) / 1000 };
}

describe('a call of MCP Server Trigger', () => {
	it('that orders and waits ends with the brief as it is, and the next one gets it', async () => {
		const sandbox = await openService();
		const node = create({ waitUntilReady: true, options: looks });
		const { answers, seconds } = await call(sandbox, node);
		const { id } = sandbox.briefs()[0]!;
		expect(answers).toEqual([
			{
				id,
				status: says(/^(queued|researching|writing)$/),
				next_step: says(
					/^The brief is ordered .* Call again in 3 minutes, with this ID or the same/,
				),
				title: null,
				url: says(id),
				product_name: 'Glow Serum',
				already_existed: false,
				error_code: null,
				warnings: [],
				created_at: says(/./),
				markdown: null,
			},
		]);
		expect(seconds).toBeGreaterThanOrEqual(50);
		sandbox.finish(id);
		const next = await call(sandbox, node);
		expect(next.answers).toMatchObject([{ id, status: 'ready', markdown: says(/^# /) }]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('that orders another brief is not to be called again', async () => {
		const node = create({ waitUntilReady: true, whenBriefExists: 'orderAnother', options: looks });
		const { answers } = await call(await openService(), node);
		expect(answers).toMatchObject([{ next_step: says(/Get it with this ID in 3 minutes/) }]);
	});

	it('that waits for a brief ends with its ID and its status', async () => {
		const sandbox = await openService();
		const [running] = addBriefs(sandbox, LONG);
		const { answers, seconds } = await call(sandbox, wait({ options: looks }), running);
		expect(answers).toMatchObject([
			{ ...running, status: 'queued', next_step: says(/Call again in 3 minutes/) },
		]);
		expect(answers[0]).not.toHaveProperty('error');
		expect(seconds).toBeGreaterThanOrEqual(50);
	});

	it('that waits for its turn ends, and nothing was ordered', async () => {
		const sandbox = await openService();
		addBriefs(sandbox, LONG, LONG);
		const { answers, seconds } = await call(sandbox, create({ options: looks }));
		expect(answers).toEqual([
			{
				...item,
				error:
					'Glow Serum: not ordered, because two briefs are being written, the most that a workspace can have at a time',
				code: 'slots_busy',
				message: says(
					/^Being written: \S+, \S+\. Nothing was ordered\. Call again in 3 minutes with the same values\.$/,
				),
			},
		]);
		expect(seconds).toBeGreaterThanOrEqual(50);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('whose order has no answer says that the brief might exist, and the next one gets it', async () => {
		const sandbox = await openService();
		const slow = { kind: 'slow', at: 'after-work', delayMs: 400_000 } as const;
		sandbox.faults.add({ ...slow, operation: 'create_brief' });
		const { answers, seconds } = await call(sandbox, create({ options: looks }));
		expect(answers).toMatchObject([
			{
				error: says(
					/^Glow Serum: the order got no usable answer, so the brief might have been created$/,
				),
				code: 'unconfirmed',
				message: says(/^Run it again with the same values/),
			},
		]);
		expect(seconds).toBeLessThan(60);
		const next = await call(sandbox, create({ options: looks }));
		expect(next.answers).toMatchObject([{ id: sandbox.briefs()[0]!.id }]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('that only reads ends too if the service does not answer', async () => {
		const sandbox = await openService();
		const [ready] = addBriefs(sandbox, 'ready');
		sandbox.faults.add({ kind: 'slow', delayMs: 400_000, operation: 'get_brief', times: 99 });
		const { answers } = await call(sandbox, get(), ready);
		expect(answers).toMatchObject([{ message: says(/Call again in 3 minutes/) }]);
	});
});

it('an agent of n8n’s own goes on waiting', async () => {
	const sandbox = await openService();
	const node = create({ waitUntilReady: true, options: looks });
	const started = startNode(sandbox, [item], { ...node, type: 'creatorBriefingTool' });
	await engineTime().pass(60_000);
	for (const { id } of sandbox.briefs()) sandbox.finish(id);
	const done = await started.ended;
	expect(done.values('status', 'Create')).toEqual(['ready']);
	expect(countRequests(sandbox, 'create_brief')).toBe(1);
});
