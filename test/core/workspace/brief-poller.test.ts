import { toSummary, type Brief, type BriefSummary } from '../../../core/api/types';
import type { BriefPoller, WaitResult } from '../../../core/workspace/brief-poller';
import type { RequestContext } from '../../../core/workspace/request-context';
import { Workspace } from '../../../core/workspace/workspace';
import { takeBothSlots } from '../support/orders';
import { refuse } from '../../support/faults';
import { HOUR, MINUTE } from '../../support/time';
import {
	VirtualService,
	type CreatedBrief,
	type ServiceBehavior,
} from '../../support/virtual-service';

let service: VirtualService;
let context: RequestContext;
let workspace: Workspace;
let poller: BriefPoller;
function start(behavior: Partial<ServiceBehavior> = {}): void {
	service = new VirtualService({ ...behavior });
	({ context } = service.startProcess());
	workspace = new Workspace();
	({ poller } = workspace);
}
beforeEach(() => start());

interface Wait {
	readonly name?: string;
	/** When the wait ends, in minutes. */
	readonly deadline?: number;
	readonly caller?: RequestContext;
	/** How the summary differs from the brief. */
	readonly shown?: Partial<BriefSummary>;
}

/** Creates a brief and waits for it. Returns the result and the minutes that it took. */
async function waitForNewBrief({ name = 'Mug', ...wait }: Wait = {}): Promise<{
	result: WaitResult;
	minutes: number;
}> {
	return await waitForBrief(service.create('x', { product_name: name }), wait);
}

async function waitForBrief(
	brief: CreatedBrief,
	{ deadline = 60, caller = context, shown = {} }: Omit<Wait, 'name'> = {},
): Promise<{ result: WaitResult; minutes: number }> {
	const summary = toSummary({ ...(service.show(brief) as BriefSummary), ...shown });
	const end = brief.createdAt + deadline * MINUTE;
	const result = await poller.waitUntilFinished(summary, end, caller);
	return { result, minutes: (service.clock.now() - brief.createdAt) / MINUTE };
}

/** Returns how often the list is read until a promise settles. */
async function countLists(promise: Promise<unknown>): Promise<number> {
	const before = service.count('list_briefs');
	await promise;
	return service.count('list_briefs') - before;
}

describe('the interval', () => {
	test('is 90, 30 and 7.5 seconds while two briefs are in `researching`, `writing` and `checking`', async () => {
		start({ briefMs: 6 * MINUTE });
		const waits = [waitForNewBrief({ name: 'A' }), waitForNewBrief({ name: 'B' })];
		// Two minutes in each status: polls at 0, 90, 180, 210 and 240 s, and then every 7.5 s.
		const lists = await countLists(Promise.all(waits));
		expect(lists).toBeGreaterThanOrEqual(20);
		expect(lists).toBeLessThanOrEqual(22);
	});

	test('counts a brief that was created since the last poll', async () => {
		start({ briefMs: 12 * MINUTE });
		const waits = [waitForNewBrief({ name: 'A' })];
		// A is in `checking`.
		await service.clock.pass(10 * MINUTE);
		const { requestedAt } = await poller.pollNext(Infinity, context);
		workspace.briefs.remember([service.show(service.create('x', { product_name: 'B' })) as Brief]);
		waits.push(waitForBrief(service.created[1]!));
		await service.clock.pass(7_500);
		expect(workspace.briefs.polledAt).toBe(requestedAt + 7_500);
		await Promise.all(waits);
	});

	test('is the shortest of all callers, who share the polls', async () => {
		start({ briefMs: 12 * MINUTE });
		const slow = { ...context, pollInterval: { shortest: MINUTE, usual: 2 * MINUTE } };
		const waits = [
			waitForNewBrief({ name: 'A', deadline: 8, caller: slow }),
			waitForNewBrief({ name: 'B', deadline: 4 }),
		];
		// A poll every 90 s, and at the deadline.
		expect(await countLists(waitForNewBrief({ name: 'C', deadline: 4 }))).toBe(4);
		// The remaining caller polls every two minutes.
		expect(await countLists(Promise.all(waits))).toBeLessThanOrEqual(3);
	});

	test('is not shorter for a brief in `checking` whose caller was stopped', async () => {
		start({ briefMs: 2 * HOUR });
		const { process, context: caller } = service.startProcess();
		const stopped = waitForNewBrief({ name: 'A', caller });
		await service.clock.pass(10 * MINUTE);
		process.interrupt();
		await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
		await service.clock.pass(85 * MINUTE);
		// A poll every 90 s.
		const lists = await countLists(waitForNewBrief({ name: 'B', deadline: 20 }));
		expect(lists).toBeLessThanOrEqual(15);
	});

	test('is shorter while an order waits for a slot, although no caller waits for a brief', async () => {
		const briefMs = 4 * MINUTE + 14_000;
		start({ briefMs });
		takeBothSlots(service);
		const freeAt = service.clock.now() + briefMs;
		const waiting = { key: 'C', since: freeAt - HOUR, deadline: freeAt + HOUR };
		await new Workspace().slots.waitForSlot(waiting, context);
		expect(service.clock.now() - freeAt).toBeLessThan(10_000);
	});
});

describe('a wait', () => {
	test('includes a brief that neither the list nor a GET knows yet', async () => {
		start({ listLagMs: 8 * MINUTE });
		const lagEnd = service.clock.now() + 8 * MINUTE;
		service.intercept = ({ operation }) =>
			operation === 'get_brief' && service.clock.now() < lagEnd ? refuse([404]) : null;
		expect((await waitForNewBrief()).result.kind).toBe('finished');
	});

	test('ends without a brief that is still unknown twelve minutes after its creation', async () => {
		const { result, minutes } = await waitForNewBrief({ shown: { id: 'missing' } });
		expect(result.kind).toBe('not_found');
		expect(minutes).toBeGreaterThan(12);
		expect(minutes).toBeLessThanOrEqual(13);
	});

	test('fetches a brief that the newest page does not show', async () => {
		start({ pageSize: 1 });
		const waiting = waitForNewBrief();
		service.create('x', { product_name: 'Pan' });
		const { result, minutes } = await waiting;
		expect(result).toMatchObject({ kind: 'finished', brief: { product_name: 'Mug' } });
		expect(minutes).toBeLessThan(5);
	});

	test('fetches a finished brief that the list does not show once', async () => {
		start({ listLagMs: HOUR, briefMs: 0 });
		expect((await waitForNewBrief()).result.kind).toBe('finished');
		expect(service.count('get_brief')).toBe(1);
	});

	test('is late if the brief is still running at the deadline', async () => {
		start({ briefMs: 2 * HOUR });
		const { result, minutes } = await waitForNewBrief({ deadline: 30 });
		expect(result).toEqual({ kind: 'late', status: 'researching' });
		expect(minutes).toBeLessThan(31);
	});

	test('returns a failed brief, which never has markdown', async () => {
		service.shouldFail = () => true;
		const { result } = await waitForNewBrief();
		expect(result).toMatchObject({ kind: 'finished', brief: { status: 'failed' } });
	});

	/** Changes the fields of the brief in the list and in get_brief. */
	function showAs(change: () => object): void {
		service.intercept = ({ operation }) => {
			const [shown] = service.created.map((brief) => ({ ...service.show(brief), ...change() }));
			const body = operation === 'get_brief' ? shown : { data: [shown], next_cursor: null };
			return { status: 200, body: JSON.stringify(body) };
		};
	}

	test('is incomplete if the brief is ready without markdown at the deadline', async () => {
		showAs(() => ({ status: 'ready', markdown: null }));
		expect((await waitForNewBrief({ deadline: 30 })).result.kind).toBe('incomplete');
	});

	test('includes a brief with an unknown status until it has an end time', async () => {
		const end = service.clock.now() + 10 * MINUTE;
		showAs(() => ({ status: 'new', finished_at: service.clock.now() < end ? null : '2026' }));
		const { result, minutes } = await waitForNewBrief();
		expect(result).toMatchObject({ kind: 'finished', brief: { status: 'new' } });
		expect(minutes).toBeGreaterThanOrEqual(10);
	});
});
