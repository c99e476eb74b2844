import { setTimeout as sleep } from 'node:timers/promises';
import { products } from '../../../harness/workflows/built-in-nodes';
import { client, serviceWith, SPEED } from '../../support/n8n/rig';
import { Production, workerOf } from '../../support/queue/rig';

export function workerKilled(): void {
	it('a worker killed', async () => {
		const { sandbox, nodes, count } = await serviceWith({ speed: SPEED / 8 });
		const fields = { additionalFields: { idempotencyKey: '={{ $json.name }}' } };
		const production = await Production.publish(nodes.create({ ...fields, waitUntilReady: true }));
		const id = await production.start(products(2));
		while (count('create_brief') < 2) await sleep(100);
		const worker = await workerOf(id);
		await worker.kill();
		const t = Date.now();
		const done = await client().waitForEnd(id, 100_000);
		console.log(Date.now() - t, done.describe(), JSON.stringify(done.error));
		await sleep(3_000);
		console.log(JSON.stringify(await client().listExecutions(production.saved.id)));
		try {
			console.log(JSON.stringify(await client().session.post(`/rest/executions/${id}/retry`, { loadWorkflow: true })));
		} catch (error) {
			console.log(String(error));
		}
		const again = await production.start(products(2));
		const end = await client().waitForEnd(again, 100_000);
		console.log(end.describe());
		expect(end.json('Create').map(({ status }) => status)).toEqual(['ready', 'ready']);
		expect(sandbox.createdCount()).toBe(2);
	});
}
