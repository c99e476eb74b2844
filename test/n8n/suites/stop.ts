import { setTimeout as sleep } from 'node:timers/promises';
import { rows, start } from '../../../harness/workflows/built-in-nodes';
import { waitForBriefs } from '../../support/n8n/executions';
import { client, openService, STILL, testWorkflow } from '../../support/n8n/rig';
import { makeProducts } from '../../support/values';

export function stop(): void {
	describe('an execution that waits in Create ends at once and sends no more requests', () => {
		test.each([
			['with Stop', Infinity, 2_500],
			['at the timeout of the workflow', 3, 8_000],
		])('%s', async (_, executionTimeout, longestMs) => {
			const service = await openService(STILL);
			const { nodes, count, sandbox } = service;
			const workflow = testWorkflow([
				start,
				rows(makeProducts(2)),
				nodes.create({ waitUntilReady: true }),
			]);
			const limits = Number.isFinite(executionTimeout) ? { executionTimeout } : {};
			const settings = { ...workflow.settings, ...limits };
			const saved = await client().createWorkflow({ ...workflow, settings });
			const id = await client().startManually(saved);
			await waitForBriefs(service, 2);
			const begin = Date.now();
			if (executionTimeout === Infinity) await client().stopExecution(id);
			expect((await client().waitForEnd(id)).status).toBe('canceled');
			expect(Date.now() - begin).toBeLessThan(longestMs);
			const before = count();
			await sleep(1_500);
			expect(count()).toBe(before);
			expect(sandbox.maxRunning()).toBe(2);
		});
	});
}
