import { setTimeout as sleep } from 'node:timers/promises';
import { waitForBriefs, waitForPolls, waitForSuccess } from '../../support/n8n/executions';
import { publishNodes } from '../../support/n8n/production';
import {
	client,
	killAndRestart,
	n8n,
	publish,
	openService,
	SLOW_AND_FORGETFUL,
	STILL,
	testWorkflow,
	type Service,
} from '../../support/n8n/rig';
import { makeProducts } from '../../support/values';

export function mainProcess(): void {
	test('continues executions on their worker after the main process is killed, where Stop does not reach them', async () => {
		const finishing = await openService(SLOW_AND_FORGETFUL);
		const lasting = await openService(STILL);
		const startCreate = async ({ nodes }: Service) => {
			const { start } = await publishNodes([nodes.create({ waitUntilReady: true })]);
			return await start(makeProducts(2));
		};
		const finished = await startCreate(finishing);
		const stopped = await startCreate(lasting);
		for (const service of [finishing, lasting]) await waitForBriefs(service, 2);
		await killAndRestart();

		const done = await client().waitForEnd(finished);
		expect(done.json('Create')).toMatchObject([{ status: 'ready' }, { status: 'ready' }]);
		expect(finishing.sandbox.createdCount()).toBe(2);

		await client().stopExecution(stopped);
		expect((await client().waitForEnd(stopped, 5_000)).status).toBe('canceled');
		await waitForPolls(lasting.sandbox);
		// Lets the execution end.
		lasting.sandbox.advance(3_600_000);
		await sleep(2_000);
		expect((await client().getExecution(stopped)).status).toBe('canceled');
	}, 180_000);

	test('starts once for a brief that finishes while the main process is down', async () => {
		const { sandbox, nodes } = await openService(STILL);
		const [first, second] = [1, 2].map(() => sandbox.addBrief({ durationMs: 999_000_000 }).id);
		const finish = (id = '') => {
			sandbox.advance(10_000);
			sandbox.finish(id);
		};
		const trigger = nodes.trigger('briefFinished');
		const saved = await publish(await client().createWorkflow(testWorkflow([trigger])));
		await n8n().server.kill();
		finish(first);
		await n8n().server.restart();
		await waitForSuccess(saved);
		await killAndRestart();
		await waitForPolls(sandbox);
		expect(await waitForSuccess(saved)).toHaveLength(1);

		finish(second);
		await waitForSuccess(saved, 2);
		await waitForPolls(sandbox);
		expect(await waitForSuccess(saved, 2)).toHaveLength(2);
	}, 180_000);
}
