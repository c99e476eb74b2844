import { SlotsBusyError } from '../../../core/workspace/slot-gate';
import { Workspace } from '../../../core/workspace/workspace';
import { createBrief, interceptCreates, MUG, USUAL } from '../support/orders';
import { DAY, HOUR, MINUTE, VirtualService } from '../support/virtual-service';

let service: VirtualService;
let workspace: Workspace;
beforeEach(() => {
	service = new VirtualService(USUAL);
	workspace = new Workspace();
});

function startService(nature: Partial<typeof USUAL>): void {
	service = new VirtualService({ ...USUAL, ...nature });
}

describe('the queue', () => {
	/** Sends an order that takes ten minutes, and logs it. */
	function send(log: string[], product_name: string, deadlineMs: number) {
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
		const callers = [send(log, 'A', HOUR), send(log, 'B', MINUTE), send(log, 'C', HOUR)];
		const results = await Promise.all(callers);
		expect(results.map(({ kind }) => kind)).toEqual(['skipped', 'stopped', 'skipped']);
		expect(log).toEqual(['A begins', 'A ends', 'C begins', 'C ends']);
	});

	test('keeps its order when a caller in it is stopped', async () => {
		const log: string[] = [];
		const first = send(log, 'A', HOUR);
		const { process, context } = service.startProcess();
		const stopped = createBrief(service, MUG, { workspace, context });
		const last = send(log, 'C', HOUR);
		await service.clock.pass(MINUTE);
		process.interrupt();
		await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
		expect(log).toEqual(['A begins']);
		await Promise.all([first, last]);
		expect(log).toEqual(['A begins', 'A ends', 'C begins', 'C ends']);
	});

	test('ends the wait of a caller at its deadline', async () => {
		const start = service.clock.now();
		const log: string[] = [];
		const first = send(log, 'A', HOUR);
		await send(log, 'B', MINUTE);
		expect(service.clock.now() - start).toBeLessThan(2 * MINUTE);
		await first;
	});

	test('goes on after an order that threw', async () => {
		const beforeSend = async () => Promise.reject(new Error('disk full'));
		const failing = createBrief(service, MUG, { workspace, options: { beforeSend } });
		const next = createBrief(service, { product_name: 'Pan' }, { workspace });
		await expect(failing).rejects.toThrow('disk full');
		expect((await next).kind).toBe('created');
	});
});

describe('a free slot', () => {
	test('is never exceeded by several orders of one process', async () => {
		startService({ listLagMs: 20_000 });
		const names = ['A', 'B', 'C', 'D', 'E'];
		await Promise.all(
			names.map((product_name) => createBrief(service, { product_name }, { workspace })),
		);
		expect(service.created).toHaveLength(5);
		expect(service.mostRunning).toBe(2);
	});

	test('is taken by the running briefs of colleagues', async () => {
		startService({ briefMs: 20 * MINUTE });
		service.create('x', { product_name: 'Pan' });
		service.create('x', { product_name: 'Pot' });
		await createBrief(service, MUG, { workspace });
		expect(service.mostRunning).toBe(2);
	});

	test('is waited for until the list shows the previous order', async () => {
		startService({ listLagMs: MINUTE, briefMs: HOUR });
		for (const product_name of ['A', 'B'])
			await createBrief(service, { product_name }, { workspace });
		const [a, b] = service.created;
		expect(b!.createdAt - a!.createdAt).toBeGreaterThanOrEqual(MINUTE);
	});

	test('is waited for two minutes at most while the list does not show the previous order', async () => {
		startService({ listLagMs: 10 * MINUTE, briefMs: HOUR });
		for (const product_name of ['A', 'B'])
			await createBrief(service, { product_name }, { workspace });
		const [a, b] = service.created;
		expect(b!.createdAt - a!.createdAt).toBeGreaterThanOrEqual(2 * MINUTE);
		expect(b!.createdAt - a!.createdAt).toBeLessThan(3 * MINUTE);
	});

	test('is not given to a third order while two briefs are not listed', async () => {
		startService({ listLagMs: 10 * MINUTE, briefMs: HOUR });
		for (const product_name of ['A', 'B', 'C']) {
			const options = { deadline: service.clock.now() + 20 * MINUTE };
			await createBrief(service, { product_name }, { workspace, options });
		}
		expect(service.created).toHaveLength(2);
	});

	test('is taken for two minutes by unconfirmed orders of an earlier process', async () => {
		const { context } = service.startProcess();
		for (const id of ['A', 'B']) workspace.slots.trackUnconfirmed(id, context.client.now());
		const start = service.clock.now();
		await createBrief(service, MUG, { workspace, context });
		const waited = service.clock.now() - start;
		expect(waited).toBeGreaterThanOrEqual(2 * MINUTE);
		expect(waited).toBeLessThan(3 * MINUTE);
	});

	test('is not taken by an unconfirmed order that is sent again itself', async () => {
		const { context } = service.startProcess();
		workspace.slots.trackUnconfirmed('Mug', context.client.now());
		const start = service.clock.now();
		await createBrief(service, MUG, { workspace, context });
		expect(service.clock.now() - start).toBeLessThan(MINUTE);
	});

	test('is found at once when the list shows the previous order', async () => {
		const names = ['A', 'B'];
		await Promise.all(
			names.map((product_name) => createBrief(service, { product_name }, { workspace })),
		);
		const [a, b] = service.created;
		expect(b!.createdAt - a!.createdAt).toBeLessThan(5_000);
	});

	test('is free when the newest page does not show own briefs that have ended', async () => {
		startService({ pageSize: 1 });
		const { context } = service.startProcess();
		for (const product_name of ['A', 'B'])
			await createBrief(service, { product_name }, { workspace });
		service.create('x', { product_name: 'Pan' });
		await service.clock.pass(4 * MINUTE);
		for (const { id } of service.created) await workspace.readBrief(id, context);
		const start = service.clock.now();
		await createBrief(service, MUG, { workspace, context });
		expect(service.clock.now() - start).toBeLessThan(MINUTE);
	});

	test('is taken for two minutes by an order without an answer', async () => {
		let lastSentAt = 0;
		interceptCreates(service, (_count, { body = '' }) => {
			if (!body.includes('"Mug"')) return null;
			lastSentAt = service.clock.now();
			return 'lost';
		});
		await createBrief(service, MUG, { workspace });
		await createBrief(service, { product_name: 'Pan' }, { workspace });
		expect(service.created[0]!.createdAt - lastSentAt).toBeGreaterThanOrEqual(2 * MINUTE);
	});

	test('is taken by the brief of an order that was stopped after its request was sent', async () => {
		startService({ listLagMs: MINUTE });
		service.create('x', { product_name: 'Pot' });
		await service.clock.pass(MINUTE);
		const { process, context } = service.startProcess();
		interceptCreates(service, (_count, request) => {
			if (process.signal.aborted) return null;
			service.createFor(request);
			process.interrupt();
			return 'lost';
		});
		const stopped = createBrief(service, MUG, { workspace, context });
		await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
		await createBrief(service, { product_name: 'Pan' }, { workspace });
		expect(service.created.map(({ input }) => input.product_name)).toEqual(['Pot', 'Mug', 'Pan']);
		expect(service.mostRunning).toBe(2);
	});

	test('is not taken by a rejected order', async () => {
		interceptCreates(service, (count) => (count === 1 ? service.refuse(400).answer : null));
		const start = service.clock.now();
		await createBrief(service, MUG, { workspace });
		await createBrief(service, { product_name: 'Pan' }, { workspace });
		expect(service.clock.now() - start).toBeLessThan(MINUTE);
	});

	test('is not taken by briefs that have been running for an hour', async () => {
		startService({ briefMs: DAY });
		service.create('x', { product_name: 'Stuck A' });
		service.create('x', { product_name: 'Stuck B' });
		await service.clock.pass(61 * MINUTE);
		const start = service.clock.now();
		await createBrief(service, MUG, { workspace });
		expect(service.clock.now() - start).toBeLessThan(MINUTE);
	});
});

describe('the deadline of an order', () => {
	beforeEach(() => startService({ briefMs: 2 * HOUR }));

	function takeBothSlots(): string[] {
		return ['Pan', 'Pot'].map((product_name) => service.create('x', { product_name }).id);
	}

	test('ends its wait for a slot, and names the running briefs', async () => {
		const ids = takeBothSlots();
		const start = service.clock.now();
		const options = { deadline: start + 30 * MINUTE };
		const result = await createBrief(service, MUG, { workspace, options });
		const error = result.kind === 'stopped' ? result.error : null;
		expect(error).toBeInstanceOf(SlotsBusyError);
		expect([...(error as SlotsBusyError).runningIds].sort()).toEqual(ids);
		expect(service.clock.now() - start).toBeGreaterThanOrEqual(30 * MINUTE);
		expect(service.clock.now() - start).toBeLessThan(31 * MINUTE);
	});

	test('covers the queue and the slots together', async () => {
		takeBothSlots();
		const start = service.clock.now();
		const send = (minutes: number) =>
			createBrief(service, MUG, { workspace, options: { deadline: start + minutes * MINUTE } });
		const ends = await Promise.all(
			[10, 15].map((minutes) => send(minutes).then(() => service.clock.now() - start)),
		);
		expect(ends[1]).toBeGreaterThanOrEqual(15 * MINUTE);
		expect(ends[1]).toBeLessThan(16 * MINUTE);
	});
});

test('a wait for a slot shows since when, until when and which briefs are running', async () => {
	startService({ briefMs: 20 * MINUTE });
	const ids = ['Pan', 'Pot'].map((product_name) => service.create('x', { product_name }).id);
	const start = service.clock.now();
	const deadline = start + HOUR;
	const waiting = createBrief(service, MUG, { workspace, options: { deadline } });
	await service.clock.pass(5 * MINUTE);
	const { since, until, runningIds } = workspace.slots.currentWait!;
	expect(since).toBe(start);
	expect(until).toBe(deadline);
	expect([...runningIds].sort()).toEqual(ids);
	await waiting;
	expect(workspace.slots.currentWait).toBeNull();
});
