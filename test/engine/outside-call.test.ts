import { clock } from '../../nodes/shared/node-clock';
import type { Sandbox } from '../../sandbox/sandbox';
import { runNode, startNode, type TestNode } from '../support/engine/engine';
import { asTool, create, get, LONG, openService, wait } from '../support/engine/fixtures';
import { getEngineClock } from '../support/engine/time';
import { matchText } from '../support/values';

const serum = { name: 'Glow Serum' };
const options = { pollInterval: 15 };
/** Delays an answer until the client has stopped waiting. */
const slow = { kind: 'slow', delayMs: 400_000 } as const;

/** Calls a node as a client of MCP Server Trigger does, and measures how many seconds the client waits. */
async function call(sandbox: Sandbox, node: TestNode, item: object = serum) {
	const begin = clock.now();
	const done = await runNode(sandbox, [item], { ...node, type: `${node.type}OutsideTool` });
	return { answers: done.json(node.name), seconds: (clock.now() - begin) / 1000 };
}

describe('a call of MCP Server Trigger', () => {
	test('that orders and waits ends with the brief as it is, and the next call gets it', async () => {
		const sandbox = await openService();
		const node = create({ waitUntilReady: true, options });
		const { answers, seconds } = await call(sandbox, node);
		const [id] = sandbox.listIds();
		expect(answers).toMatchObject([
			{
				id,
				status: matchText(/^(queued|researching|writing)$/),
				next_step: matchText(
					/^The brief is ordered .* Call again in 3 minutes, with this ID or the same/,
				),
				markdown: null,
			},
		]);
		expect(seconds).toBeGreaterThanOrEqual(50);
		sandbox.finish(id!);
		const next = await call(sandbox, node);
		expect(next.answers).toMatchObject([{ id, status: 'ready', markdown: matchText(/^# /) }]);
		expect(sandbox.createdCount()).toBe(1);
	});

	test('that waits for a brief ends with its ID and its status', async () => {
		const sandbox = await openService();
		const [running] = sandbox.addBriefs(LONG);
		const { answers, seconds } = await call(sandbox, wait({ options }), running);
		expect(answers).toMatchObject([
			{ ...running, status: 'queued', next_step: matchText(/Call again in 3 minutes/) },
		]);
		expect(answers[0]).not.toHaveProperty('error');
		expect(seconds).toBeGreaterThanOrEqual(50);
	});

	test('that waits for its turn ends, and nothing was ordered', async () => {
		const sandbox = await openService();
		sandbox.addBriefs(LONG, LONG);
		const { answers, seconds } = await call(sandbox, create({ options }));
		expect(answers).toEqual([
			{
				error:
					'Glow Serum: not ordered, because two briefs are being written, the most that a workspace can have at a time',
				code: 'slots_busy',
				message: 'Nothing was ordered. Call again in 3 minutes with the same values.',
			},
		]);
		expect(seconds).toBeGreaterThanOrEqual(50);
		expect(sandbox.createdCount()).toBe(0);
	});

	test('whose order has no answer says that the brief might exist, and the next call gets it', async () => {
		const fault = { ...slow, at: 'after-work', operation: 'create_brief' } as const;
		const sandbox = await openService({}, fault);
		const { answers, seconds } = await call(sandbox, create({ options }));
		expect(answers).toMatchObject([
			{ code: 'unconfirmed', message: matchText(/^Run it again with the same values/) },
		]);
		expect(seconds).toBeLessThan(60);
		const next = await call(sandbox, create({ options }));
		expect(next.answers).toMatchObject([{ id: sandbox.listIds()[0] }]);
		expect(sandbox.createdCount()).toBe(1);
	});

	test('that gets no answer before its turn ends with a timeout', async () => {
		const sandbox = await openService({}, { ...slow, operation: 'list_briefs', times: 99 });
		const { answers } = await call(sandbox, create({ options }));
		expect(answers).toEqual([
			{
				error: 'The service did not answer in time',
				code: 'timeout',
				message: 'Nothing was ordered. Call again in 3 minutes with the same values.',
			},
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	test('that only reads ends too if the service does not answer', async () => {
		const sandbox = await openService({}, { ...slow, operation: 'get_brief', times: 99 });
		const [item] = sandbox.addBriefs('ready');
		const { answers } = await call(sandbox, get(), item);
		expect(answers).toMatchObject([{ code: 'timeout', message: matchText(/Call again in 3 min/) }]);
	});
});

test('an agent of n8n itself continues to wait', async () => {
	const sandbox = await openService();
	const node = asTool(create({ waitUntilReady: true, options }));
	const { ended } = startNode(sandbox, [serum], node);
	await getEngineClock().pass(60_000);
	for (const id of sandbox.listIds()) sandbox.finish(id);
	expect((await ended).values('status', 'Create')).toEqual(['ready']);
	expect(sandbox.countRequests('create_brief')).toBe(1);
});
