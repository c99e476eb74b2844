import { setTimeout as sleep } from 'node:timers/promises';
import { products, rows, start } from '../../../harness/workflows/built-in-nodes';
import type { WorkflowNode } from '../../../harness/workflows/workflow';
import { client, testWorkflow, serviceWith, type Service } from '../../support/n8n/rig';

export function ending(): void {
	describe('ends at once and sends no more requests', () => {
		it('with Stop', async () => {
			const service = await startService();
			const saved = await client().createWorkflow(testWorkflow(service.workflowNodes));
			const id = await client().startManually(saved);
			await waitForRequests(service, 5);
			const stopped = Date.now();
			await client().stopExecution(id);
			const done = await client().waitForEnd(id, 5_000);
			expect(Date.now() - stopped).toBeLessThan(2_500);
			expect(done.status).toBe('canceled');
			await expectNoMoreRequests(service);
		});

		it('at the timeout of the workflow', async () => {
			const service = await startService();
			const saved = await client().createWorkflow({
				...testWorkflow(service.workflowNodes),
				settings: { executionOrder: 'v1', executionTimeout: 3 },
			});
			const done = await client().runManually(saved);
			expect(done.status).toBe('canceled');
			expect(done.duration).toBeGreaterThan(2_500);
			expect(done.duration).toBeLessThan(8_000);
			expect(service.count()).toBeGreaterThan(3);
			await expectNoMoreRequests(service);
		});
	});
}

/** Runs the sandbox in real time, so that the briefs are not finished before the test is. */
async function startService(): Promise<Service & { workflowNodes: WorkflowNode[] }> {
	const service = await serviceWith({ speed: 1 });
	const create = service.nodes.create({ waitUntilReady: true });
	return { ...service, workflowNodes: [start, rows(products(2)), create] };
}

async function waitForRequests({ count }: Service, number: number): Promise<void> {
	const deadline = Date.now() + 20_000;
	while (count() < number) {
		if (Date.now() > deadline) throw new Error('The service was not polled.');
		await sleep(50);
	}
}

async function expectNoMoreRequests({ count, sandbox }: Service): Promise<void> {
	const before = count();
	await sleep(1_500);
	expect(count()).toBe(before);
	expect(sandbox.maxRunning()).toBe(2);
}
