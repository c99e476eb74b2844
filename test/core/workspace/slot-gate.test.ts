import type { RequestContext } from '../../../core/workspace/request-context';
import { SlotsBusyError } from '../../../core/workspace/slot-gate';
import { Workspace } from '../../../core/workspace/workspace';
import {
	answerCreates,
	BUSY,
	createBrief,
	interceptCreates,
	MUG,
	orderMug,
	takeBothSlots,
} from '../support/orders';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { VirtualService, type ServiceBehavior } from '../../support/virtual-service';

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
		names.map((product_name) => createBrief(service, { product_name }, { workspace })),
	);
}

function orderPan(deadline: number) {
	return createBrief(service, { product_name: 'Pan' }, { workspace, options: { deadline } });
}

/** Orders these products, each when the order before has ended. */
async function orderInTurn(...names: readonly string[]): Promise<void> {
	for (const name of names) await order(name);
}

describe('the queue', () => {
	/** Sends an order that takes ten minutes, and logs it. */
	function send(log: string[], product_name: string, deadlineMs = HOUR) {
		const beforeSend = async () => {
			log.push(`${product_name} begins`);
			await service.clock.pass(10 * MINUTE);
			log.push(`${product_name} ends`);
			return 'skip' as const;
		};
		const options = { deadline: service.clock.now() + deadlineMs, beforeSend };
		return createBrief(service, { product_name }, { workspace, options });
	}

	test('keeps its order when a caller leaves it at the deadline', async () => {
		const log: string[] = [];
		const first = send(log, 'A');
		const second = send(log, 'B', MINUTE);
		const third = send(log, 'C');
		expect((await second).kind).toBe('stopped');
		expect(log).toEqual(['A begins']);
		await Promise.all([first, third]);
		expect(log).toEqual(['A begins', 'A ends', 'C begins', 'C ends']);
	});

	test('keeps its order when a caller in it is stopped', async () => {
		const log: string[] = [];
		const first = send(log, 'A');
		const other = service.startProcess();
		const stopped = createBrief(service, MUG, { workspace, context: other.context });
		const last = send(log, 'C');
		await service.clock.pass(MINUTE);
		other.process.interrupt();
		await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
		expect(log).toEqual(['A begins']);
		await Promise.all([first, last]);
		expect(log).toEqual(['A begins', 'A ends', 'C begins', 'C ends']);
	});

	test('continues after an order that threw', async () => {
		const beforeSend = async () => Promise.reject(new Error('disk full'));
		const failing = createBrief(service, MUG, { workspace, options: { beforeSend } });
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
			() => workspace.slots.trackUnconfirmed('Mug', context.client.now()),
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
		interceptCreates(service, (count, request) => {
			if (count > 1) return null;
			service.createFromRequest(request);
			stopped.process.interrupt();
			return 'lost';
		});
		const waiting = createBrief(service, MUG, { workspace, context: stopped.context });
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

test('a third order is not sent while two briefs are not listed', async () => {
	start({ listLagMs: 10 * MINUTE, briefMs: HOUR });
	await orderInTurn('A', 'B');
	const options = { deadline: service.clock.now() + 20 * MINUTE };
	expect((await orderMug(service, { workspace, options })).end).toBe('stopped');
	expect(service.created).toHaveLength(2);
});

test('one deadline covers the queue and the slots, and the error names the running briefs', async () => {
	start({ briefMs: 2 * HOUR });
	const ids = takeBothSlots(service);
	const now = service.clock.now();
	const ends = await Promise.all(
		[10, 15].map((minutes) =>
			orderMug(service, { workspace, options: { deadline: now + minutes * MINUTE } }),
		),
	);
	const { minutes, result } = ends[1]!;
	expect(minutes).toBeGreaterThanOrEqual(15);
	expect(minutes).toBeLessThan(16);
	const error = result.kind === 'stopped' ? result.error : null;
	expect(error).toBeInstanceOf(SlotsBusyError);
	expect([...(error as SlotsBusyError).runningIds].sort()).toEqual(ids);
});

test('a wait for a slot shows since when, until when and which briefs are running', async () => {
	const runningIds = takeBothSlots(service).toReversed();
	const since = service.clock.now();
	const until = since + HOUR;
	const waiting = orderMug(service, { workspace, options: { deadline: until } });
	await service.clock.pass(2 * MINUTE);
	expect(workspace.slots.currentWait).toEqual({ since, until, runningIds });
	await waiting;
	expect(workspace.slots.currentWait).toBeNull();
});
