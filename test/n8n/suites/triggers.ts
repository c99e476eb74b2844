import type { PackageNodes } from '../../../harness/workflows/package-nodes';
import type { Execution } from '../../../harness/client/execution';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import type { Sandbox } from '../../../sandbox/sandbox';
import {
	refreshHooks,
	waitForPolls,
	waitForSuccess,
	waitForSuccesses,
} from '../../support/n8n/executions';
import {
	client,
	killAndRestart,
	n8n,
	publish,
	publishAgain,
	openService,
	STILL,
	testWorkflow,
} from '../../support/n8n/rig';

async function publishTrigger(nodes: PackageNodes, ...on: Parameters<PackageNodes['trigger']>) {
	return await publish(await client().createWorkflow(testWorkflow([nodes.trigger(...on)])));
}

function finish(sandbox: Sandbox, id: string, status: 'ready' | 'failed' = 'ready'): void {
	sandbox.advance(10_000);
	sandbox.finish(id, status);
}

const getItems = (executions: Execution[]) => executions.flatMap((each) => each.json('Trigger'));

/** Waits until the trigger has returned that many briefs, and returns them. */
async function waitForItems(saved: SavedWorkflow, count: number) {
	const hasEnough = (executions: Execution[]) => getItems(executions).length >= count;
	return getItems(await waitForSuccesses(saved, hasEnough));
}

export function triggers(): void {
	describe('the trigger', () => {
		test('starts once for each event while n8n was down, and never again', async () => {
			const { sandbox, nodes } = await openService(STILL);
			sandbox.addBrief({ status: 'ready' });
			const briefs = [1, 2, 3].map(() => sandbox.addBrief({ durationMs: 999_000_000 }).id);
			const [first = '', second = '', third = ''] = briefs;
			const onHooks = await publishTrigger(nodes, 'hooksRefreshed', { output: 'refresh' });
			const onBriefs = await publishTrigger(nodes, 'briefFinished', { simplify: false });
			finish(sandbox, first);
			refreshHooks(sandbox);
			await publishAgain(onHooks);
			const [execution] = await waitForSuccess(onHooks);
			expect(execution!.json('Trigger')).toMatchObject([
				{
					hooks: expect.arrayContaining([]) as unknown,
					refreshed_at: expect.any(String) as string,
				},
			]);
			await waitForItems(onBriefs, 1);

			await n8n().server.stop();
			finish(sandbox, second, 'failed');
			const fresh = sandbox.addBrief({ status: 'ready', createdAt: sandbox.now() });
			refreshHooks(sandbox);
			await n8n().server.restart();
			await waitForSuccess(onHooks, 2);
			await waitForItems(onBriefs, 3);

			// After a power cut in which nothing happened.
			await killAndRestart();
			await waitForPolls(sandbox);
			finish(sandbox, third);
			await waitForItems(onBriefs, 4);
			await waitForPolls(sandbox);
			const items = await waitForItems(onBriefs, 4);
			expect(items.map(({ id }) => id).sort()).toEqual([...briefs, fresh.id].sort());
			expect(items.find(({ id }) => id === second)).toMatchObject({ status: 'failed' });
			expect(items.find(({ id }) => id === third)).toMatchObject({
				status: 'ready',
				markdown: expect.stringMatching(/^# /) as string,
				document: expect.any(Object) as object,
			});
			expect(await waitForSuccess(onHooks, 2)).toHaveLength(2);
		}, 240_000);

		test('starts on Monday for the brief that finished on Friday while it was not published', async () => {
			const { sandbox, nodes } = await openService(STILL);
			const [friday = '', monday = ''] = [1, 2].map(
				() => sandbox.addBrief({ durationMs: 999_000_000 }).id,
			);
			const saved = await publishTrigger(nodes, 'briefFinished');
			await waitForPolls(sandbox);
			await client().unpublish(saved.id);
			finish(sandbox, friday);
			sandbox.advance(3 * 86_400_000);
			await client().publishAndWait(saved);
			await waitForItems(saved, 1);
			finish(sandbox, monday);
			await waitForItems(saved, 2);
			await waitForPolls(sandbox);
			expect((await waitForItems(saved, 2)).map(({ id }) => id)).toEqual([friday, monday]);
		}, 120_000);

		test('cannot be published with a refused key, and names the reason', async () => {
			const { nodes } = await openService(STILL, 'revoked');
			await expect(publishTrigger(nodes, 'briefFinished')).rejects.toThrow(/API key refused/);
		});

		test('returns recent data in a test, or an error with the next step if there is no data', async () => {
			const { sandbox, nodes } = await openService(STILL);
			const workflow = testWorkflow([nodes.trigger('briefFinished')]);
			expect((await client().createAndRun(workflow)).error).toMatchObject({
				message: 'The workspace has no finished brief yet',
				description: expect.stringMatching(/^Create one first/) as string,
			});
			const { id } = sandbox.addBrief({ status: 'ready' });
			expect((await client().createAndRun(workflow)).json('Trigger')).toMatchObject([{ id }]);
		});
	});
}
