import { create, products, requestsOf, sandboxWith, targetOf } from '../support/engine/fixtures';
import { runNode } from '../support/engine/engine';

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
		'gets those briefs and pays for none anew, although the service has forgotten their keys; Wait Until Ready: %j',
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

	it('says of a brief that failed that it failed, and does not order it anew', async () => {
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
