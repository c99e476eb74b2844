import { setTimeout as sleep } from 'node:timers/promises';
import { waitForBriefs } from '../../support/n8n/executions';
import { publishNodes, type Production } from '../../support/n8n/production';
import { client, openService, STILL } from '../../support/n8n/rig';
import { findWorker, workers } from '../../support/queue/rig';
import { makeProducts } from '../../support/values';

/**
 * Starts executions until each worker has one, and waits until their briefs are ready. The queue assigns an execution to
 * the first worker that asks. Returns the number of executions.
 */
async function runOnBothWorkers(
	{ start }: Production,
	makeItems: (execution: number) => object[],
): Promise<number> {
	const ids: string[] = [];
	const busy = new Set();
	while (busy.size < workers().length) {
		const id = await start(makeItems(ids.length));
		ids.push(id);
		busy.add(await findWorker(id));
		if (ids.length > 10) throw new Error('All executions went to one worker.');
	}
	for (const id of ids) {
		const done = await client().waitForEnd(id, 100_000);
		const ready = makeItems(0).map(() => ({ status: 'ready' }));
		expect(done.json('Wait')).toMatchObject(ready);
	}
	return ids.length;
}

export function sharing(): void {
	test('shares the two slots of a workspace between both workers', async () => {
		const { sandbox, nodes } = await openService();
		const production = await publishNodes([nodes.create(), nodes.wait()]);
		const count = await runOnBothWorkers(production, (execution) =>
			makeProducts(3).map(({ name }) => ({ name: `${name} of execution ${execution}` })),
		);
		expect(sandbox.maxRunning()).toBe(2);
		expect(sandbox.createdCount()).toBe(3 * count);
	});

	test('orders one brief for each row that reaches both workers at once, and both wait for it', async () => {
		const { sandbox, nodes } = await openService();
		const production = await publishNodes([nodes.create(), nodes.wait()]);
		await runOnBothWorkers(production, () => makeProducts(2));
		expect(sandbox.createdCount()).toBe(2);
	});

	test('ends the wait on its worker at Stop, without another request', async () => {
		const service = await openService(STILL);
		const { nodes, count } = service;
		const { start } = await publishNodes([nodes.create({ waitUntilReady: true })]);
		const id = await start(makeProducts(2));
		await waitForBriefs(service, 2);
		await client().stopExecution(id);
		expect((await client().waitForEnd(id, 5_000)).status).toBe('canceled');
		// Waits for the answer to a poll that was already sent.
		await sleep(1_000);
		const before = count();
		await sleep(2_000);
		expect(count()).toBe(before);
	});
}
