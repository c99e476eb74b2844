import type { Sandbox } from '../../sandbox/sandbox';
import {
	create,
	POLL_SECONDS,
	products,
	requestsOf,
	sandboxWith,
	targetOf,
	wait,
} from '../support/engine/fixtures';
import { runNode, startNode, type Finished } from '../support/engine/engine';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function waitsFor(sandbox: Sandbox, { id }: { id: string }, options: object = {}) {
	return startNode(targetOf(sandbox), [{ id }], wait({ options }));
}

/** The highest number of briefs that were accepted and not finished at once, those included that the service queues. */
function mostOpen(sandbox: Sandbox): number {
	const briefs = sandbox.briefs();
	const open = (time: number) =>
		briefs.filter(({ createdAt, readyAt }) => createdAt <= time && time < (readyAt ?? Infinity));
	return Math.max(...briefs.map(({ createdAt }) => open(createdAt).length));
}

describe('executions that wait at the same time', () => {
	it('cost one request a look, though they are fifty', async () => {
		const sandbox = await sandboxWith({ slots: 50 });
		const briefs = Array.from({ length: 50 }, () => sandbox.addBrief({ durationMs: 1_200_000 }));
		const started = sandbox.now();
		const executions = briefs.map((brief) => waitsFor(sandbox, brief));
		const done = await Promise.all(executions.map(({ ended }) => ended));
		expect(done.map((one) => one.json('Wait')[0]?.['status'])).toEqual(Array(50).fill('ready'));
		const looks = requestsOf(sandbox, 'list_briefs');
		// Each brief is read when its execution begins, and once more when it is ready.
		expect(requestsOf(sandbox, 'get_brief')).toBeLessThanOrEqual(100);
		expect(looks).toBeGreaterThan(2);
		expect(looks).toBeLessThanOrEqual((sandbox.now() - started) / 15_000);
		expect(sandbox.requests.length).toBe(looks + requestsOf(sandbox, 'get_brief'));
		await later(300);
		expect(requestsOf(sandbox, 'list_briefs')).toBe(looks);
	}, 20_000);

	it('look once at a brief that several of them wait for', async () => {
		const sandbox = await sandboxWith();
		const brief = sandbox.addBrief({ durationMs: 200_000 });
		const executions = [1, 2, 3, 4, 5].map(() => waitsFor(sandbox, brief));
		const done = await Promise.all(executions.map(({ ended }) => ended));
		expect(done.map((one) => one.json('Wait')[0]?.['status'])).toEqual(Array(5).fill('ready'));
		expect(requestsOf(sandbox, 'get_brief')).toBe(10);
	});

	it('go on where the one that carries the looks is stopped', async () => {
		const sandbox = await sandboxWith();
		const briefs = [1, 2, 3].map(() => sandbox.addBrief({ durationMs: 400_000 }));
		const [first, ...others] = briefs.map((brief) => waitsFor(sandbox, brief));
		await later(200);
		first!.stop();
		expect((await first!.ended).status).toBe('canceled');
		const done = await Promise.all(others.map(({ ended }) => ended));
		expect(done.map(({ status }) => status)).toEqual(['success', 'success']);
	});

	it('have timeouts of their own', async () => {
		const sandbox = await sandboxWith();
		const briefs = [1, 2].map(() => sandbox.addBrief({ durationMs: 400_000 }));
		const impatient = waitsFor(sandbox, briefs[0]!, { timeout: 0.005 });
		const patient = waitsFor(sandbox, briefs[1]!);
		expect((await impatient.ended).error.message).toMatch(/is still \w+ after 0.005 minutes/);
		expect((await patient.ended).status).toBe('success');
	});

	it('are looked after as often as the one with the shortest poll interval wants', async () => {
		const sandbox = await sandboxWith();
		const [slow, quick] = [1, 2].map(() => sandbox.addBrief({ durationMs: 400_000 }));
		const started = Date.now();
		const seldom = waitsFor(sandbox, slow!, { pollInterval: 20 });
		const often = waitsFor(sandbox, quick!, { pollInterval: POLL_SECONDS });
		await Promise.all([seldom.ended, often.ended]);
		expect(Date.now() - started).toBeLessThan(10_000);
	}, 30_000);

	it('are nothing to those of another key', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ durationMs: 200_000 });
		const refused = startNode(targetOf(sandbox, 'revoked'), [{ id }], wait());
		const going = startNode(targetOf(sandbox), [{ id }], wait());
		expect((await refused.ended).error.httpCode).toBe('401');
		expect((await going.ended).status).toBe('success');
	});
});

describe('executions that order at the same time', () => {
	it.each(['queue', 'refuse'] as const)(
		'have two briefs running between them, where a third would meet: %s',
		async (thirdBrief) => {
			const sandbox = await sandboxWith({ thirdBrief, listLagMs: 60_000 });
			const executions = products(5).map((product) =>
				runNode(targetOf(sandbox), [product], create()),
			);
			const done = await Promise.all(executions);
			expect(done.map(({ status }) => status)).toEqual(Array(5).fill('success'));
			expect(sandbox.createdCount()).toBe(5);
			expect(mostOpen(sandbox)).toBe(2);
			expect(requestsOf(sandbox, 'create_brief')).toBe(5);
		},
		30_000,
	);

	it('go on where the one before them is stopped while it waits for a slot', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ durationMs: 300_000 });
		sandbox.addBrief({ durationMs: 300_000 });
		const [first, second] = products(2).map((product) =>
			startNode(targetOf(sandbox), [product], create()),
		);
		await later(200);
		first!.stop();
		expect((await first!.ended).status).toBe('canceled');
		expect((await second!.ended).status).toBe('success');
		expect(sandbox.createdCount()).toBe(1);
	}, 15_000);

	it('stop alone with When Slots Are Busy on Stop', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ durationMs: 300_000 });
		sandbox.addBrief({ durationMs: 300_000 });
		const stopping = create({ options: { whenSlotsBusy: 'stop' } });
		const waiting = runNode(targetOf(sandbox), products(1), create());
		const stopped = await runNode(targetOf(sandbox), [{ name: 'Mask' }], stopping);
		expect(stopped.error.message).toMatch(/^Both slots are taken/);
		expect((await waiting).status).toBe('success');
		expect(sandbox.createdCount()).toBe(1);
	}, 15_000);
});

describe('executions one after the other', () => {
	it('have two briefs running between them, though the list does not show the first ones yet', async () => {
		const sandbox = await sandboxWith({ thirdBrief: 'queue', listLagMs: 60_000 });
		const done: Finished[] = [];
		for (const product of products(3)) {
			done.push(await runNode(targetOf(sandbox), [product], create()));
		}
		expect(done.map(({ status }) => status)).toEqual(Array(3).fill('success'));
		expect(mostOpen(sandbox)).toBe(2);
	}, 20_000);
});
