import {
	create,
	products,
	requestsOf,
	sandboxWith,
	targetOf,
	wait,
} from '../support/engine/fixtures';
import { itemsNode, retry, run, runNode, type TestNode, type Wire } from '../support/engine/engine';

const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };

describe('a later try of Retry On Fail', () => {
	it('gives the items whose briefs the earlier one has ordered, although those hold both slots', async () => {
		// Briefs run for longer than the test.
		const sandbox = await sandboxWith({ speed: 1 });
		const node = create({
			options: { whenSlotsBusy: 'stop' },
			onError: 'continueRegularOutput',
			...retrying,
		});
		const items = [{ name: 'x' }, ...products(3)];
		const done = await runNode(targetOf(sandbox), items, node);
		const [one, two] = sandbox.briefs();
		expect(done.json('Create')).toMatchObject([
			{ code: 'invalid_input' },
			{ id: one!.id, product_name: 'Glow Serum No. 1' },
			{ id: two!.id, product_name: 'Glow Serum No. 2' },
			{ code: 'slots_busy' },
		]);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	}, 20_000);

	it.each([false, true])(
		'gets those briefs and pays for none again, although the service has forgotten their keys; Wait Until Ready: %j',
		async (waitUntilReady) => {
			const sandbox = await sandboxWith({ keyMemoryMs: 1 });
			sandbox.faults.add({ kind: '5xx', status: 418, operation: 'create_brief', skip: 1 });
			const node = create({ waitUntilReady, ...retrying });
			const done = await runNode(targetOf(sandbox), products(2), node);
			expect(done.status).toBe('success');
			expect(done.json('Create').map(({ id }) => id)).toEqual(sandbox.briefs().map(({ id }) => id));
			expect(sandbox.createdCount()).toBe(2);
		},
		20_000,
	);

	it('gives a brief as it was ordered where it cannot be read now', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add({ kind: '5xx', status: 418, operation: 'create_brief', skip: 1 });
		sandbox.faults.add({ kind: '5xx', status: 404, operation: 'get_brief' });
		const done = await runNode(targetOf(sandbox), products(2), create(retrying));
		expect(done.status).toBe('success');
		expect(sandbox.faults.pending).toBe(0);
		expect(done.json('Create').map(({ id }) => id)).toEqual(sandbox.briefs().map(({ id }) => id));
	}, 20_000);

	it('says of a brief that failed that it failed, and does not order it again', async () => {
		const sandbox = await sandboxWith({ keyMemoryMs: 1 });
		const items = [{ name: 'Glow Serum' }, { name: 'Old Mask (discontinued)' }];
		const node = create({ waitUntilReady: true, ...retrying });
		const done = await runNode(targetOf(sandbox), items, node);
		const [ready, failed] = sandbox.briefs();
		expect(done.error.message).toContain(`Brief ${failed!.id}`);
		expect(done.error.message).toContain('product_unavailable [item 1]');
		const [, alive] = done.error.description!.split('Already created in this run:');
		expect(alive).toContain(ready!.id);
		expect(alive).not.toContain(failed!.id);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	}, 20_000);
});

describe('Retry in the list of executions', () => {
	const wires: Wire[] = [['Start', 0, 'Create']];
	const fails = { kind: '5xx', status: 401, operation: 'create_brief' } as const;

	it.each([
		['has the briefs that the failed execution had ordered', {}],
		['has them although the service has forgotten their keys', { keyMemoryMs: 1 }],
	])(
		'%s, and so has a Retry of the Retry',
		async (_, options) => {
			const sandbox = await sandboxWith(options);
			const nodes = [itemsNode(products(3)), create()];
			sandbox.faults.add({ ...fails, skip: 1 });
			const failed = await run(targetOf(sandbox), nodes, wires);
			sandbox.faults.add({ ...fails, skip: 1 });
			const again = await retry(targetOf(sandbox), failed, nodes, wires);
			expect(again.error.description).toMatch(
				/Retry in the list of executions gives the same briefs/,
			);
			const done = await retry(targetOf(sandbox), again, nodes, wires);
			expect(done.status).toBe('success');
			expect(done.json('Create').map(({ id }) => id)).toEqual(sandbox.briefs().map(({ id }) => id));
			expect(sandbox.createdCount()).toBe(3);
		},
		20_000,
	);

	it('sends an order in doubt with the same key', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add({ kind: 'reset', at: 'after-work', operation: 'create_brief', times: 7 });
		const nodes = [itemsNode(products(1)), create()];
		const failed = await run(targetOf(sandbox), nodes, wires);
		const done = await retry(targetOf(sandbox), failed, nodes, wires);
		expect(done.json('Create')).toMatchObject([{ id: sandbox.briefs()[0]!.id }]);
		expect(sandbox.createdCount()).toBe(1);
	}, 20_000);

	it('orders in the workspace of the credential as it is now', async () => {
		const [before, now] = [await sandboxWith({ allowance: 1 }), await sandboxWith({ seed: 2 })];
		const nodes = [itemsNode(products(2)), create()];
		const failed = await run(targetOf(before), nodes, wires);
		const done = await retry(targetOf(now), failed, nodes, wires);
		expect(done.json('Create').map(({ id }) => id)).toEqual(now.briefs().map(({ id }) => id));
		expect([before.createdCount(), now.createdCount()]).toEqual([1, 2]);
	}, 20_000);

	it('orders what the failed execution never came to', async () => {
		const sandbox = await sandboxWith();
		const nodes = (before: TestNode) => [
			itemsNode([{ id: 'none' }]),
			before,
			create({ productName: 'Glow Serum' }),
		];
		const around: Wire[] = [
			['Start', 0, 'Wait'],
			['Wait', 0, 'Create'],
		];
		const failed = await run(targetOf(sandbox), nodes(wait()), around);
		expect(failed.runs('Create')).toEqual([]);
		const corrected = nodes({ name: 'Wait', type: 'pass' });
		const done = await retry(targetOf(sandbox), failed, corrected, around);
		expect(done.json('Create')).toMatchObject([{ status: 'queued' }]);
	});

	it('of an execution that was killed orders only what has an Order Key, and says why', async () => {
		const sandbox = await sandboxWith();
		const continuing = create({ onError: 'continueRegularOutput' });
		const refused = await runNode(targetOf(sandbox), products(1), continuing, 'retry');
		expect(refused.json('Create')).toMatchObject([
			{ code: 'in_doubt', error: expect.stringMatching(/^n8n kept nothing of/) as string },
		]);
		const keyed = create({ additionalFields: { idempotencyKey: '={{ "A1 " + $json.name }}' } });
		const done = await runNode(targetOf(sandbox), products(1), keyed, 'retry');
		expect(done.json('Create')).toMatchObject([{ status: 'queued' }]);
		const stopped = await runNode(targetOf(sandbox), products(2), create(), 'retry');
		expect(stopped.error.description).toMatch(/Get Many.*Order Key.*Nothing was sent/);
		expect(sandbox.createdCount()).toBe(1);
	});
});
