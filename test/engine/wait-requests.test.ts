import { runNode, startNode } from '../support/engine/engine';
import {
	continuing,
	create,
	LONG,
	openService,
	POLL_MS,
	repeatReady,
	wait,
	withErrorOutput,
} from '../support/engine/fixtures';
import { startLaggingProxy, type Lag } from '../support/engine/lagging-proxy';
import { getEngineClock, waitUntil } from '../support/engine/time';
import { makeProducts, matchText } from '../support/values';

describe('the requests of Wait Until Ready', () => {
	test('are one for each finished brief, at most 50 at a time, and one for the list', async () => {
		const slow = { kind: 'slow', delayMs: 1_000, operation: 'get_brief', times: 60 } as const;
		const sandbox = await openService({}, slow);
		const items = sandbox.addBriefs(...repeatReady(60));
		const execution = startNode(sandbox, items, wait());
		await waitUntil(() => sandbox.countRequests('get_brief') > 0);
		await getEngineClock().pass(500);
		expect(sandbox.countRequests('get_brief')).toBe(50);
		expect((await execution.ended).json('Wait')).toMatchObject(items);
		expect(sandbox.requests).toHaveLength(61);
	});

	test('are one in each poll interval if several items name one brief', async () => {
		const sandbox = await openService();
		const [item] = sandbox.addBriefs(1_000_000);
		const started = sandbox.now();
		const done = await runNode(sandbox, [item!, item!, item!], wait());
		expect(done.json('Wait')).toMatchObject([item, item, item]);
		const polls = (sandbox.now() - started) / POLL_MS;
		// The brief is read at the beginning and at the end, and the first poll is at once.
		expect(sandbox.requests.length).toBeLessThanOrEqual(polls + 3);
	});

	test('are sent again after failures while the node waits', async () => {
		const sandbox = await openService();
		const items = sandbox.addBriefs(300_000, 300_000, 300_000);
		for (const kind of ['5xx', 'reset', 'html', 'broken-json', '429'] as const)
			sandbox.faults.add({ kind, skip: 1 });
		const done = await runNode(sandbox, items, wait());
		expect(done.values('status', 'Wait')).toEqual(repeatReady(3));
		expect(sandbox.faults.remainingHits).toBe(0);
	});

	test('end with an error that names the outage if the brief cannot be polled', async () => {
		const sandbox = await openService({}, { kind: '5xx', skip: 1, times: 10_000 });
		const items = sandbox.addBriefs(LONG);
		const { error } = await runNode(sandbox, items, wait({ options: { timeout: 5 } }));
		expect(error.message).toMatch(/^A colleague.*: the service is down \(5\d\d\) \(brief /);
		expect(error.description).toMatch(/Wait for it again .* costs nothing/);
	});

	test('end after the first if the key is refused, and every item has the error', async () => {
		const sandbox = await openService();
		const items = sandbox.addBriefs(...repeatReady(3));
		const done = await runNode(sandbox.getTarget('revoked'), items, wait(continuing));
		const refused = { code: 'key_refused', error: matchText(/API key refused/) };
		expect(done.json('Wait', 1)).toMatchObject(items.map((item) => ({ ...item, ...refused })));
		expect(sandbox.requests).toHaveLength(1);
	});
});

/** Opens a service whose GET of a ready brief lags behind the list for this number of requests. */
async function openLagging(lag: Lag, gets: number) {
	const sandbox = await openService();
	const counts = new Map<string, number>();
	const target = await startLaggingProxy(sandbox, (id) => {
		if (sandbox.briefs().find((brief) => brief.id === id)?.status !== 'ready') return undefined;
		const before = counts.get(id) ?? 0;
		counts.set(id, before + 1);
		return before < gets ? lag : undefined;
	});
	return { sandbox, target, counts };
}

const complete = { status: 'ready', markdown: matchText(/^# /) };

test('Create also waits for a GET that lags behind the list', async () => {
	const { target, counts } = await openLagging('unfinished', 4);
	const done = await runNode(target, makeProducts(2), create({ waitUntilReady: true }));
	expect(done.json('Create')).toMatchObject([complete, complete]);
	expect([...counts.values()]).toEqual([5, 5]);
});

describe.each<Lag>(['unfinished', 'unknown'])('a GET that lags behind the list: %s', (lag) => {
	test('is repeated until it returns the finished brief', async () => {
		const { sandbox, target } = await openLagging(lag, 4);
		const done = await runNode(target, sandbox.addBriefs(...repeatReady(2)), wait());
		expect(done.json('Wait')).toMatchObject([complete, complete]);
	});

	test('ends at the timeout after few requests, and the error says that the brief is paid for', async () => {
		const { sandbox, target, counts } = await openLagging(lag, Infinity);
		const items = sandbox.addBriefs(...repeatReady(2));
		const node = wait({ options: { timeout: 0.5 }, ...withErrorOutput });
		const done = await runNode(target, items, node);
		expect(done.json('Wait', 3)).toMatchObject(
			items.map(({ id }) => ({
				id,
				error: matchText(/is ready, but the service does not return its text yet/),
				code: 'still_running',
				message: matchText(`is paid for.*${id}.*costs nothing`),
			})),
		);
		for (const gets of counts.values()) expect(gets).toBeLessThan(5);
	});
});
