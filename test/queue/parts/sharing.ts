import { setTimeout as sleep } from 'node:timers/promises';
import { products } from '../../../harness/workflows/built-in-nodes';
import { client, serviceWith } from '../../support/n8n/rig';
import { Production } from '../../support/n8n/production';
import { untilCreated, workerOf, workers } from '../../support/queue/rig';

export function sharing(): void {
	it('shares the two slots of a workspace between both workers', async () => {
		const { sandbox, nodes } = await serviceWith();
		const production = await Production.publish([nodes.create(), nodes.wait()]);
		const runs = await onBothWorkers((run) =>
			production.start(products(3).map(({ name }) => ({ name: `${name} of run ${run}` }))),
		);
		for (const id of runs) {
			const done = await client().waitForEnd(id, 100_000);
			expect(done.status).toBe('success');
			expect(done.json('Wait').map(({ status }) => status)).toEqual(Array(3).fill('ready'));
		}
		expect(sandbox.maxRunning()).toBe(2);
		expect(sandbox.createdCount()).toBe(3 * runs.length);
	});

	it('orders one brief for each row that reaches both workers at once, and both wait for it', async () => {
		const { sandbox, nodes } = await serviceWith();
		const production = await Production.publish([nodes.create(), nodes.wait()]);
		const runs = await onBothWorkers(() => production.start(products(2)));
		for (const id of runs) {
			const done = await client().waitForEnd(id, 100_000);
			expect(done.status).toBe('success');
			expect(done.json('Wait').map(({ status }) => status)).toEqual(['ready', 'ready']);
		}
		expect(sandbox.createdCount()).toBe(2);
	});

	it('ends the wait on its worker at Stop, without another request', async () => {
		const service = await serviceWith({ speed: 1 });
		const { nodes, count } = service;
		const production = await Production.publish([nodes.create({ waitUntilReady: true })]);
		const id = await production.start(products(2));
		await untilCreated(service, 2);
		await client().stopExecution(id);
		const done = await client().waitForEnd(id, 5_000);
		expect(done.status).toBe('canceled');
		// Until the poll that was on its way is answered.
		await sleep(1_000);
		const before = count();
		await sleep(2_000);
		expect(count()).toBe(before);
	});
}

/** Starts runs one after the other until each worker has a run. The queue gives a run to the worker that asks first. */
async function onBothWorkers(start: (run: number) => Promise<string>): Promise<string[]> {
	const runs: string[] = [];
	const busy = new Set();
	while (busy.size < workers().length) {
		const id = await start(runs.length + 1);
		runs.push(id);
		busy.add(await workerOf(id));
		if (runs.length > 10) throw new Error('One worker took all the runs.');
	}
	return runs;
}
