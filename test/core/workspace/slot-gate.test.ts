import type { RequestContext } from '../../../core/workspace/request-context';
import { Workspace } from '../../../core/workspace/workspace';
import { makeOrder } from '../support/facts';
import {
	answerCreates,
	BUSY,
	MUG,
	order as orderOne,
	orderMug,
	takeBothSlots,
} from '../support/orders';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { VirtualService, type ServiceBehavior } from '../../support/virtual-service';

const MUG_KEY = makeOrder({ input: MUG }).key;

let service: VirtualService;
let workspace: Workspace;
let context: RequestContext;
function start(behavior: Partial<ServiceBehavior> = {}): void {
	service = new VirtualService({ ...behavior });
	workspace = new Workspace();
	({ context } = service.startProcess());
}
beforeEach(() => start());

/** Orders these products at the same time. */
function order(...names: readonly string[]) {
	return Promise.all(
		names.map((product_name) => orderOne(service, { product_name }, { workspace })),
	);
}

function orderPan(deadline: number) {
	return orderOne(service, { product_name: 'Pan' }, { workspace, deadline });
}

/** Orders these products, each when the order before has ended. */
async function orderInTurn(...names: readonly string[]): Promise<void> {
	for (const name of names) await order(name);
}

describe('the queue', () => {
	/** Holds the turn for ten minutes, and logs it. */
	function holdTurn(log: string[], name: string, deadlineMs = HOUR, caller = context) {
		const send = async () => {
			log.push(`${name} begins`);
			await service.clock.pass(10 * MINUTE);
			log.push(`${name} ends`);
			return name;
		};
		return workspace.slots.runInTurn(send, service.clock.now() + deadlineMs, caller);
	}

	test('keeps its order when a caller leaves it at the deadline', async () => {
		const log: string[] = [];
		const first = holdTurn(log, 'A');
		const second = holdTurn(log, 'B', MINUTE);
		const third = holdTurn(log, 'C');
		expect(await second).toEqual({ kind: 'deadline', runningIds: [] });
		expect(log).toEqual(['A begins']);
		expect(await Promise.all([first, third])).toEqual(['A', 'C']);
		expect(log).toEqual(['A begins', 'A ends', 'C begins', 'C ends']);
	});

	test('keeps its order when a caller in it is stopped', async () => {
		const log: string[] = [];
		const first = holdTurn(log, 'A');
		const other = service.startProcess();
		const stopped = holdTurn(log, 'B', HOUR, other.context);
		const last = holdTurn(log, 'C');
		await service.clock.pass(MINUTE);
		other.process.interrupt();
		await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
		expect(log).toEqual(['A begins']);
		await Promise.all([first, last]);
		expect(log).toEqual(['A begins', 'A ends', 'C begins', 'C ends']);
	});

	test('continues after an order that threw', async () => {
		const send = () => Promise.reject(new Error('disk full'));
		const failing = workspace.slots.runInTurn(send, Infinity, context);
		const next = order('Pan');
		await expect(failing).rejects.toThrow('disk full');
		expect(await next).toMatchObject([{ kind: 'created' }]);
	});
});

describe('the next order', () => {
	test.each<[string, Partial<ServiceBehavior>, () => unknown, number, number]>([
		['is sent at once after an order that is listed', {}, () => order('A'), 0, 0.1],
		[
			'waits until the list shows the order before',
			{ listLagMs: MINUTE, briefMs: HOUR },
			() => order('A'),
			1,
			2,
		],
		[
			'waits two minutes at most for the list',
			{ listLagMs: 10 * MINUTE, briefMs: HOUR },
			() => order('A'),
			2,
			3,
		],
		[
			'waits two minutes for orders of an earlier process without an answer',
			{},
			() => ['A', 'B'].forEach((id) => workspace.slots.trackUnconfirmed(id, context.client.now())),
			2,
			3,
		],
		[
			'does not wait for itself if it had no answer',
			{},
			() => workspace.slots.trackUnconfirmed(MUG_KEY, context.client.now()),
			0,
			1,
		],
		[
			'does not wait for a rejected order',
			{},
			() => (answerCreates(service, [[400]]), order('A')),
			0,
			1,
		],
		[
			'does not wait for an order that was refused because both slots are in use',
			{},
			() => (answerCreates(service, [BUSY]), orderPan(service.clock.now() + 10_000)),
			0,
			1,
		],
		[
			'does not wait for briefs that have ended and are no longer on the newest page',
			{ pageSize: 1 },
			async () => {
				await orderInTurn('A', 'B');
				service.create('x', { product_name: 'Pan' });
				await service.clock.pass(4 * MINUTE);
				for (const { id } of service.created) await workspace.readBrief(id, context);
			},
			0,
			1,
		],
		['waits for the briefs of colleagues', {}, () => void takeBothSlots(service), 3, 4],
		[
			'does not wait for briefs that have been running for an hour',
			{ briefMs: DAY },
			() => (takeBothSlots(service), service.clock.pass(61 * MINUTE)),
			0,
			1,
		],
	])('%s', async (_title, behavior, arrange, min, max) => {
		start(behavior);
		await arrange();
		const { minutes } = await orderMug(service, { workspace, context });
		expect(minutes).toBeGreaterThanOrEqual(min);
		expect(minutes).toBeLessThan(max);
	});

	test('waits two minutes from the last request of an order without an answer', async () => {
		const lost = answerCreates(service, [], 'lost');
		await orderMug(service, { workspace });
		const next = answerCreates(service, []);
		await order('Pan');
		expect(next[0]! - lost.at(-1)!).toBeGreaterThanOrEqual(2 * MINUTE);
	});

	test('waits for the brief of an order that was stopped after its request was sent', async () => {
		start({ listLagMs: MINUTE });
		service.create('x', { product_name: 'Pot' });
		await service.clock.pass(MINUTE);
		const stopped = service.startProcess();
		service.interceptCreates((request, count) => {
			if (count > 1) return null;
			service.createFromRequest(request);
			stopped.process.interrupt();
			return 'lost';
		});
		const waiting = orderOne(service, MUG, { workspace, context: stopped.context });
		await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
		await order('Pan');
		expect(service.created.map(({ input }) => input.product_name)).toEqual(['Pot', 'Mug', 'Pan']);
		expect(service.mostRunning).toBe(2);
	});
});

test('several orders of one process never exceed the slots', async () => {
	start({ listLagMs: 20_000 });
	await order('A', 'B', 'C', 'D', 'E');
	expect(service.created).toHaveLength(5);
	expect(service.mostRunning).toBe(2);
});

test.each<[string, object]>([
	['', {}],
	// Briefs that are not listed count by the time of their requests.
	[', whatever time the service shows', { created_at: '2020-01-01' }],
])('a third order is not sent while two briefs are not listed%s', async (_title, shown) => {
	start({ listLagMs: 10 * MINUTE, briefMs: HOUR });
	const show = service.show.bind(service);
	service.show = (brief) => ({ ...show(brief), ...shown });
	await orderInTurn('A', 'B');
	const deadline = service.clock.now() + 5 * MINUTE;
	expect((await orderMug(service, { workspace, deadline })).end).toBe('stopped: deadline');
	expect(service.created).toHaveLength(2);
});

test('a running brief whose time cannot be read uses a slot', async () => {
	start({ briefMs: 3 * HOUR });
	takeBothSlots(service);
	const show = service.show.bind(service);
	service.show = (brief) => ({ ...show(brief), created_at: 'soon' });
	await service.clock.pass(2 * HOUR);
	const deadline = service.clock.now() + 10 * MINUTE;
	expect((await orderMug(service, { workspace, deadline })).end).toBe('stopped: deadline');
});

test('one deadline covers the queue and the slots, and the result names the running briefs', async () => {
	start({ briefMs: 2 * HOUR });
	const runningIds = takeBothSlots(service).toReversed();
	const now = service.clock.now();
	const ends = await Promise.all(
		[10, 15].map((minutes) => orderMug(service, { workspace, deadline: now + minutes * MINUTE })),
	);
	const { minutes, result } = ends[1]!;
	expect(minutes).toBeGreaterThanOrEqual(15);
	expect(minutes).toBeLessThan(16);
	expect(result).toEqual({ kind: 'stopped', cause: { kind: 'deadline', runningIds } });
});

test('a wait for a slot shows since when, until when and which briefs are running', async () => {
	const runningIds = takeBothSlots(service).toReversed();
	const since = service.clock.now();
	const until = since + HOUR;
	const waiting = orderMug(service, { workspace, deadline: until });
	await service.clock.pass(2 * MINUTE);
	expect(workspace.slots.currentWait).toEqual({ since, until, runningIds });
	await waiting;
	expect(workspace.slots.currentWait).toBeNull();
});

describe('the page that shows a free slot', () => {
	/** Waits for a slot, with the briefs since the start of the service. */
	function waitForSlot() {
		const since = service.clock.now() - 100 * DAY;
		const deadline = service.clock.now() + 2 * HOUR;
		return workspace.slots.waitForSlot({ key: 'Mug', since, deadline }, context);
	}

	test('was requested after the last create request had ended', async () => {
		answerCreates(service, ['lost after the work']);
		const { end } = await orderMug(service, { workspace, context });
		expect(end).toBe('decided: use');
		const creates = service.requests.findIndex(({ operation }) => operation === 'create_brief');
		expect(service.requests[creates + 1]?.operation).toBe('list_briefs');
	});

	test('is the page of the complete list, however long older pages take', async () => {
		start({ pageSize: 4, briefMs: 20 * MINUTE });
		for (const name of 'ABCDEFGHIJ') {
			service.create('x', { product_name: name });
			await service.clock.pass(HOUR);
		}
		service.delayAnswer = () => (service.requests.at(-1)?.query['cursor'] ? MINUTE : 0);
		const waiting = waitForSlot();
		await service.clock.pass(30_000);
		const busyUntil = service.clock.now() + 20 * MINUTE;
		takeBothSlots(service);
		// Another caller polls, while this caller reads older pages.
		await workspace.briefs.readNewestPage(context, 0);
		const list = await waiting;
		expect(service.clock.now()).toBeGreaterThanOrEqual(busyUntil);
		expect(list).toMatchObject({ briefs: Array(12).fill({ status: 'ready' }) });
		expect(list).toMatchObject({
			newestPage: { briefs: Array(4).fill({ status: 'ready' }) },
		});
	});

	test('is of no use if older pages cannot be read', async () => {
		start({ pageSize: 2 });
		await orderInTurn('A', 'B');
		await service.clock.pass(HOUR);
		service.create('x', { product_name: 'C' });
		await service.clock.pass(HOUR);
		workspace = new Workspace();
		service.intercept = ({ query }) => (query['cursor'] === undefined ? null : 'lost');
		await expect(waitForSlot()).rejects.toMatchObject({ kind: 'service_unavailable' });
	});
});
