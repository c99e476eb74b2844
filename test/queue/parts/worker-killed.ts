import { products } from '../../../harness/workflows/built-in-nodes';
import type { WorkflowNode } from '../../../harness/workflows/workflow';
import { client, testWorkflow, serviceWith, SPEED } from '../../support/n8n/rig';
import { Production } from '../../support/n8n/production';
import { untilCreated, workerOf } from '../../support/queue/rig';

const alarm: WorkflowNode = {
	name: 'Alarm',
	type: 'n8n-nodes-base.errorTrigger',
	typeVersion: 1,
	parameters: {},
};

export function workerKilled(): void {
	it('fails a run whose worker is killed, loses its rows in a Retry, and finds the briefs when the rows come again', async () => {
		// Slow enough that the briefs are still being written when the worker is gone. Keys are forgotten at once.
		const service = await serviceWith({ speed: SPEED / 8, keyMemoryMs: 1 });
		const { sandbox, nodes, count } = service;
		const alarms = await client().createWorkflow(testWorkflow([alarm]));
		await client().publishAndWait(alarms);
		const creating = [nodes.create({ waitUntilReady: true })];
		const production = await Production.publish(creating, { errorWorkflow: alarms.id });
		const killed = await production.start(products(2));
		await untilCreated(service, 2);
		await (await workerOf(killed)).kill();

		const again = await client().waitForEnd(await production.start(products(2)), 100_000);
		expect(again.status).toBe('success');
		expect(again.json('Create').map(({ status }) => status)).toEqual(['ready', 'ready']);

		const failed = await client().waitForEnd(killed, 120_000);
		expect(failed.status).toBe('error');
		expect(failed.error!.message).toMatch(/^This execution failed to be processed too many times/);
		expect(failed.hasData).toBe(false);
		await client().waitForExecutions(alarms.id, 1);

		const before = count();
		const retried = await client().waitForEnd(await client().retryExecution(killed));
		expect(retried.status).toBe('error');
		expect(count()).toBe(before);
		expect(sandbox.createdCount()).toBe(2);
	}, 300_000);
}
