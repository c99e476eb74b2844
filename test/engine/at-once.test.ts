import type { Sandbox } from '../../sandbox/sandbox';
import { runNode, startNode, type StartedExecution, type TestNode } from '../support/engine/engine';
import {
	create,
	LONG,
	openService,
	POLL_MS,
	wait,
	type NodeSettings,
} from '../support/engine/fixtures';
import { getEngineClock, waitUntil } from '../support/engine/time';
import { makeProducts } from '../support/values';

const waitForAll = (executions: StartedExecution[]) =>
	Promise.all(executions.map(({ ended }) => ended));

/** Starts an execution for each item. */
const startEach = (sandbox: Sandbox, items: object[], node: TestNode) =>
	items.map((item) => startNode(sandbox, [item], node));

describe('executions that order', () => {
	/** Returns the highest number of unfinished briefs at any time, including queued briefs. */
	function findMostOpen(sandbox: Sandbox): number {
		const briefs = sandbox.briefs();
		const countOpen = (time: number) =>
			briefs.filter(({ createdAt, readyAt }) => createdAt <= time && time < (readyAt ?? Infinity))
				.length;
		return Math.max(...briefs.map(({ createdAt }) => countOpen(createdAt)));
	}

	test.each(['queue', 'refuse'] as const)(
		'at the same time have two briefs running between them if the service would %s a third',
		async (thirdBrief) => {
			const sandbox = await openService({ thirdBrief, listLagMs: 60_000 });
			const done = await waitForAll(startEach(sandbox, makeProducts(5), create()));
			expect(done.map(({ status }) => status)).toEqual(Array(5).fill('success'));
			expect(findMostOpen(sandbox)).toBe(2);
			expect(sandbox.countRequests('create_brief')).toBe(5);
		},
	);

	test('one after the other have two briefs running, although the list does not show the first briefs yet', async () => {
		const sandbox = await openService({ thirdBrief: 'queue', listLagMs: 60_000 });
		for (const product of makeProducts(3)) await runNode(sandbox, [product], create());
		expect([sandbox.createdCount(), findMostOpen(sandbox)]).toEqual([3, 2]);
	});

	test.each<[string, string, NodeSettings]>([
		['is stopped', 'canceled', {}],
		['waits for a minute alone', 'error', { options: { timeout: 1 } }],
	])('continue to wait for a slot if another execution %s', async (_, status, settings) => {
		const sandbox = await openService();
		sandbox.addBriefs(1_000_000, 1_000_000);
		const first = startNode(sandbox, [{ name: 'Soap' }], create(settings));
		const second = startNode(sandbox, [{ name: 'Lamp' }], create());
		await waitUntil(() => sandbox.countRequests('list_briefs') > 1);
		if (status === 'canceled') first.stop();
		expect((await first.ended).status).toBe(status);
		expect((await second.ended).status).toBe('success');
		expect(sandbox.createdCount()).toBe(1);
	});
});

describe('executions that wait for briefs', () => {
	test('share one request for each poll', async () => {
		const sandbox = await openService({ slots: 50 });
		const items = sandbox.addBriefs(...Array<number>(50).fill(LONG));
		const started = sandbox.now();
		const ended = waitForAll(startEach(sandbox, items, wait()));
		await waitUntil(() => sandbox.countRequests('list_briefs') > 2);
		for (const { id } of items) sandbox.finish(id);
		const statuses = (await ended).flatMap((done) => done.values('status', 'Wait'));
		expect(statuses).toEqual(Array(50).fill('ready'));
		// Each brief is read when its execution begins, and once more when it is ready. The first poll is at once.
		const polls = sandbox.requests.length - 101;
		expect(polls).toBeLessThanOrEqual((sandbox.now() - started) / POLL_MS);
		expect(await sandbox.countLaterRequests()).toBe(0);
	});

	test('continue if the execution that sends the polls is stopped', async () => {
		const sandbox = await openService();
		const items = sandbox.addBriefs(LONG, 1_000_000, 1_000_000);
		const [first, ...others] = startEach(sandbox, items, wait());
		await waitUntil(() => sandbox.countRequests('list_briefs') > 1);
		first!.stop();
		expect((await first!.ended).status).toBe('canceled');
		expect((await waitForAll(others)).map(({ status }) => status)).toEqual(['success', 'success']);
	});

	test('have their own timeouts and poll intervals', async () => {
		const sandbox = await openService();
		const [never, soon] = sandbox.addBriefs(LONG, 1_000_000);
		const started = getEngineClock().now();
		const waitForBrief = async (item: object, options: object) => {
			const { status } = await runNode(sandbox, [item], wait({ options }));
			return { status, seconds: (getEngineClock().now() - started) / 1000 };
		};
		const [impatient, seldom, often] = await Promise.all([
			waitForBrief(never!, { timeout: 5 }),
			waitForBrief(soon!, { pollInterval: 600 }),
			waitForBrief(soon!, { pollInterval: 30 }),
		]);
		expect(impatient).toEqual({ status: 'error', seconds: 5 * 60 });
		expect([seldom.status, often.status]).toEqual(['success', 'success']);
		expect(often.seconds).toBeLessThan(1_000 + 60);
		expect(seldom.seconds).toBeGreaterThan(often.seconds + 60);
	});
});
