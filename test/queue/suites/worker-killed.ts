import type { WorkflowNode } from '../../../harness/workflows/workflow';
import { waitForBriefs, waitForSuccess } from '../../support/n8n/executions';
import { publishNodes } from '../../support/n8n/production';
import {
	client,
	publish,
	openService,
	SLOW_AND_FORGETFUL,
	testWorkflow,
} from '../../support/n8n/rig';
import { findWorker } from '../../support/queue/rig';
import { makeProducts } from '../../support/values';

const errorTrigger: WorkflowNode = {
	name: 'Alarm',
	type: 'n8n-nodes-base.errorTrigger',
	typeVersion: 1,
	parameters: {},
};

export function workerKilled(): void {
	test('fails an execution whose worker is killed, loses its rows in a Retry, and finds the briefs when the rows come again', async () => {
		const service = await openService(SLOW_AND_FORGETFUL);
		const { sandbox, nodes, count } = service;
		const alarms = await publish(await client().createWorkflow(testWorkflow([errorTrigger])));
		const creating = [nodes.create({ waitUntilReady: true })];
		const { start } = await publishNodes(creating, { errorWorkflow: alarms.id });
		const killed = await start(makeProducts(2));
		await waitForBriefs(service, 2);
		await (await findWorker(killed)).kill();

		const again = await client().waitForEnd(await start(makeProducts(2)), 100_000);
		expect(again.json('Create')).toMatchObject([{ status: 'ready' }, { status: 'ready' }]);

		const failed = await client().waitForEnd(killed, 120_000);
		expect(failed.status).toBe('error');
		expect(failed.error!.message).toMatch(/^This execution failed to be processed too many times/);
		expect(failed.hasData).toBe(false);
		await waitForSuccess(alarms);

		const before = count();
		const retried = await client().waitForEnd(await client().retryExecution(killed));
		expect(retried.status).toBe('error');
		expect(count()).toBe(before);
		expect(sandbox.createdCount()).toBe(2);
	}, 300_000);
}
