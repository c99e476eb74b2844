import { runNode, startNode, type Started } from '../support/engine/engine';
import {
	continuing,
	create,
	addBriefs,
	LONG,
	POLL_MS,
	products,
	countRequests,
	openService,
	says,
	wait,
	withErrorOutput,
} from '../support/engine/fixtures';
import { laggingTarget, type Lag } from '../support/engine/lagging';
import { engineTime, until } from '../support/engine/time';

const ready = (count: number) => Array<'ready'>(count).fill('ready');

describe('the requests of one execution', () => {
	it('are at most 50 at a time for briefs that have finished', async () => {
		const slow = { kind: 'slow', delayMs: 1_000, operation: 'get_brief', times: 60 } as const;
		const sandbox = await openService({}, slow);
		const items = addBriefs(sandbox, ...ready(60));
		const execution = startNode(sandbox, items, wait());
		await until(() => countRequests(sandbox, 'get_brief') > 0);
		await engineTime().pass(500);
		expect(countRequests(sandbox, 'get_brief')).toBe(50);
		expect((await execution.ended).json('Wait')).toMatchObject(items);
	});

	it('read every finished brief under a rate limit', async () => {
		const sandbox = await openService({ requestsPerMinute: 10 });
		const items = addBriefs(sandbox, ...ready(58));
		const done = await runNode(sandbox, items, wait(continuing));
		expect(done.json('Wait', 0)).toHaveLength(58);
		expect(done.json('Wait', 1)).toEqual([]);
	});

	it('are one for each finished brief and one for the list', async () => {
		const sandbox = await openService();
		const items = addBriefs(sandbox, ...ready(30));
		expect((await runNode(sandbox, items, wait())).json('Wait')).toHaveLength(30);
		expect(sandbox.requests).toHaveLength(31);
	});

	it('are one in each poll interval if several items name one brief', async () => {
		const sandbox = await openService();
		const [item] = addBriefs(sandbox, 1_000_000);
		const items = [item!, item!, item!];
		const started = sandbox.now();
		const done = await runNode(sandbox, items, wait());
		expect(done.json('Wait')).toMatchObject([item, item, item]);
		const polls = (sandbox.now() - started) / POLL_MS;
		// The brief is read at the beginning and at the end, and the first poll is at once.
		expect(sandbox.requests.length).toBeLessThanOrEqual(polls + 3);
	});

	it('are sent again after failures while the node waits', async () => {
		const sandbox = await openService();
		const items = addBriefs(sandbox, 300_000, 300_000, 300_000);
		for (const kind of ['5xx', 'reset', 'html', 'broken-json', '429'] as const)
			sandbox.faults.add({ kind, skip: 1 });
		const done = await runNode(sandbox, items, wait());
		expect(done.values('status', 'Wait')).toEqual(['ready', 'ready', 'ready']);
		expect(sandbox.faults.hitsToCome).toBe(0);
	});

	it('end with an error that names the outage if the brief cannot be polled', async () => {
		const failing = { kind: '5xx', skip: 1, times: 10_000 } as const;
		const sandbox = await openService({}, failing);
		const items = addBriefs(sandbox, LONG);
		const { error } = await runNode(sandbox, items, wait({ options: { timeout: 5 } }));
		expect(error.message).toMatch(/^A colleague.*: the service is down \(5\d\d\) \(brief /);
		expect(error.description).toMatch(/Wait for it again .* costs nothing/);
	});

	it('end after the first if the key is refused, and every item has the error', async () => {
		const sandbox = await openService();
		const items = addBriefs(sandbox, ...ready(3));
		const target = { url: sandbox.url, key: sandbox.keys.revoked };
		const done = await runNode(target, items, wait(continuing));
		const refused = { code: 'key_refused', error: says(/API key refused/) };
		expect(done.json('Wait', 1)).toMatchObject(items.map((item) => ({ ...item, ...refused })));
		expect(sandbox.requests).toHaveLength(1);
	});
});

/** A service whose GET of a ready brief lags behind the list for this number of requests. */
async function openLagging(lag: Lag, gets: number) {
	const sandbox = await openService();
	const counts = new Map<string, number>();
	const target = await laggingTarget(sandbox, (id) => {
		if (sandbox.briefs().find((brief) => brief.id === id)?.status !== 'ready') return undefined;
		const before = counts.get(id) ?? 0;
		counts.set(id, before + 1);
		return before < gets ? lag : undefined;
	});
	return { sandbox, target, counts };
}

const complete = { status: 'ready', markdown: says(/^# /) };

it('a GET that lags behind the list is waited for by Create, too', async () => {
	const { target, counts } = await openLagging('unfinished', 4);
	const done = await runNode(target, products(2), create({ waitUntilReady: true }));
	expect(done.json('Create')).toMatchObject([complete, complete]);
	expect([...counts.values()]).toEqual([5, 5]);
});

describe.each<Lag>(['unfinished', 'unknown'])('a GET that lags behind the list: %s', (lag) => {
	it('is repeated until it returns the finished brief', async () => {
		const { sandbox, target } = await openLagging(lag, 4);
		const done = await runNode(target, addBriefs(sandbox, 'ready', 'ready'), wait());
		expect(done.json('Wait')).toMatchObject([complete, complete]);
	});

	it('ends at the timeout, and the error says that the brief is paid for', async () => {
		const sandbox = await openService();
		const items = addBriefs(sandbox, 'ready', 'ready');
		const late = items[0]!;
		const target = await laggingTarget(sandbox, (id) => (id === late.id ? lag : undefined));
		const done = await runNode(target, items, wait(withErrorOutput));
		expect(done.json('Wait', 0)).toMatchObject([{ ...items[1], status: 'ready' }]);
		const error = says(/is ready, but the service does not return its text yet/);
		expect(done.json('Wait', 2)).toMatchObject([{ ...late, error, code: 'still_running' }]);
		const stopped = await runNode(target, items, wait());
		expect(stopped.error.message).toContain(late.id);
		expect(stopped.error.description).toMatch(/is paid for.*costs nothing/);
	});

	it('is sent less than five times in a timeout of half a minute', async () => {
		const { sandbox, target, counts } = await openLagging(lag, Infinity);
		const items = addBriefs(sandbox, 'ready', 'ready');
		const { error } = await runNode(target, items, wait({ options: { timeout: 0.5 } }));
		expect(error.message).toMatch(/does not return its text yet/);
		for (const gets of counts.values()) expect(gets).toBeLessThan(5);
	});
});

const waitForAll = (executions: Started[]) => Promise.all(executions.map(({ ended }) => ended));

describe('executions that wait at the same time', () => {
	it('share one request for each poll', async () => {
		const sandbox = await openService({ slots: 50 });
		const items = addBriefs(sandbox, ...Array<number>(50).fill(LONG));
		const started = sandbox.now();
		const ended = waitForAll(items.map((item) => startNode(sandbox, [item], wait())));
		await until(() => countRequests(sandbox, 'list_briefs') > 2);
		for (const { id } of items) sandbox.finish(id);
		const done = await ended;
		expect(done.flatMap((one) => one.values('status', 'Wait'))).toEqual(Array(50).fill('ready'));
		// Each brief is read when its execution begins, and once more when it is ready. The first poll is at once.
		const { length } = sandbox.requests;
		expect(length - 101).toBeLessThanOrEqual((sandbox.now() - started) / POLL_MS);
		await engineTime().pass(600_000);
		expect(sandbox.requests).toHaveLength(length);
	});

	it('continue if the execution that sends the polls is stopped', async () => {
		const sandbox = await openService();
		const items = addBriefs(sandbox, LONG, 1_000_000, 1_000_000);
		const [first, ...others] = items.map((item) => startNode(sandbox, [item], wait()));
		await until(() => countRequests(sandbox, 'list_briefs') > 1);
		first!.stop();
		expect((await first!.ended).status).toBe('canceled');
		expect((await waitForAll(others)).map(({ status }) => status)).toEqual(['success', 'success']);
	});

	it('have their own timeouts and poll intervals', async () => {
		const sandbox = await openService();
		const [never, soon] = addBriefs(sandbox, LONG, 1_000_000);
		const started = engineTime().now();
		const waitFor = async (item: object, options: object) => {
			const { status } = await startNode(sandbox, [item], wait({ options })).ended;
			return { status, seconds: (engineTime().now() - started) / 1000 };
		};
		const [impatient, seldom, often] = await Promise.all([
			waitFor(never!, { timeout: 5 }),
			waitFor(soon!, { pollInterval: 600 }),
			waitFor(soon!, { pollInterval: 30 }),
		]);
		expect(impatient).toEqual({ status: 'error', seconds: 5 * 60 });
		expect([seldom.status, often.status]).toEqual(['success', 'success']);
		expect(often.seconds).toBeLessThan(1_000 + 60);
		expect(seldom.seconds).toBeGreaterThan(often.seconds + 60);
	});
});
