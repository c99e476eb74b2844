import { setTimeout as sleep } from 'node:timers/promises';
import { products } from '../../../harness/workflows/built-in-nodes';
import { firings, quietPolls, refresh } from '../../support/n8n/firings';
import { client, n8n, testWorkflow, serviceWith, SPEED } from '../../support/n8n/rig';
import { Production } from '../../support/n8n/production';
import { untilCreated } from '../../support/queue/rig';

export function mainProcess(): void {
	it('continues runs on their worker after the main process is killed, out of reach of Stop', async () => {
		const finishing = await serviceWith({ speed: SPEED / 8 });
		const lasting = await serviceWith({ speed: 1 });
		const start = async ({ nodes }: typeof finishing) => {
			const production = await Production.publish([nodes.create({ waitUntilReady: true })]);
			return await production.start(products(2));
		};
		const finished = await start(finishing);
		const stopped = await start(lasting);
		for (const service of [finishing, lasting]) await untilCreated(service, 2);
		await restartKilled();

		const done = await client().waitForEnd(finished);
		expect(done.status).toBe('success');
		expect(done.json('Create').map(({ status }) => status)).toEqual(['ready', 'ready']);
		expect(finishing.sandbox.createdCount()).toBe(2);

		await client().stopExecution(stopped);
		expect((await client().waitForEnd(stopped, 5_000)).status).toBe('canceled');
		const before = lasting.count();
		await sleep(4_000);
		expect(lasting.count()).toBeGreaterThan(before + 4);
		// So that the run ends.
		lasting.sandbox.advance(3_600_000);
		await sleep(2_000);
		expect((await client().getExecution(stopped)).status).toBe('canceled');
	}, 180_000);

	it('fires once for a refresh if the main process is killed during the refresh and after it', async () => {
		const { sandbox, nodes } = await serviceWith({ speed: 1 });
		const trigger = nodes.trigger('hooksRefreshed', { output: 'refresh' });
		const saved = await client().createWorkflow(testWorkflow([trigger]));
		await client().publishAndWait(saved);
		try {
			await n8n().server.kill();
			refresh(sandbox);
			await n8n().server.restart();
			await firings(saved, 1);
			await restartKilled();
			await quietPolls(sandbox);
			expect(await firings(saved, 1)).toHaveLength(1);

			refresh(sandbox);
			await firings(saved, 2);
			await quietPolls(sandbox);
			expect(await firings(saved, 2)).toHaveLength(2);
		} finally {
			await client().unpublish(saved.id);
		}
	}, 180_000);
}

async function restartKilled(): Promise<void> {
	await n8n().server.kill();
	await n8n().server.restart();
}
