import { pollUntil } from '../../../harness/process/poll-until';
import type { WorkflowNode } from '../../../harness/workflows/workflow';
import { client, n8n, serviceWith, SPEED } from '../../support/n8n/rig';
import { keyed, Production, untilCreated, workers } from '../../support/queue/rig';

/** Just long enough for n8n to keep the execution in its database. */
const pause: WorkflowNode = {
	name: 'Pause',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { resume: 'timeInterval', amount: 66, unit: 'seconds' },
};

export function powerCut(): void {
	it('after a power cut a run in a Wait node goes on by itself, one that waited in Create by Retry, and nothing is paid twice', async () => {
		const service = await serviceWith({ speed: SPEED / 8 });
		const { sandbox, nodes } = service;
		const pausing = await Production.publish([nodes.create(keyed), pause, nodes.get()]);
		const paused = await pausing.start([{ name: 'Night Cream' }]);
		await untilStatus(paused, 'waiting');
		const waiting = await Production.publish([nodes.create({ ...keyed, waitUntilReady: true })]);
		const killed = await waiting.start([{ name: 'Day Cream' }]);
		await untilCreated(service, 2);

		const all = [n8n().server, ...workers()];
		await Promise.all(all.map((each) => each.kill()));
		await Promise.all(all.map((each) => each.restart()));

		const crashed = await client().waitForEnd(killed);
		expect(crashed.status).toBe('crashed');
		const retried = await client().waitForEnd(await client().retryExecution(killed));
		expect(retried.status).toBe('success');
		expect(retried.json('Create')).toMatchObject([{ product_name: 'Day Cream', status: 'ready' }]);

		const resumed = await client().waitForEnd(paused, 180_000);
		expect(resumed.status).toBe('success');
		expect(resumed.json('Get')).toMatchObject([{ product_name: 'Night Cream', status: 'ready' }]);
		expect(sandbox.createdCount()).toBe(2);
	}, 400_000);
}

async function untilStatus(executionId: string, wanted: string): Promise<void> {
	await pollUntil(
		async () => (await client().getExecution(executionId)).status === wanted || undefined,
		{ timeoutMs: 30_000, late: () => `Execution ${executionId} did not become ${wanted}.` },
	);
}
