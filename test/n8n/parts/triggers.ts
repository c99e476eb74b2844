import type { PackageNodes } from '../../../harness/workflows/package-nodes';
import type { Execution } from '../../../harness/client/execution';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import type { Sandbox } from '../../../sandbox/sandbox';
import { firings, firingsUntil, quietPolls, refresh } from '../../support/n8n/firings';
import { client, n8n, testWorkflow, serviceWith } from '../../support/n8n/rig';

/** Nothing happens in this sandbox unless the test does it. */
const still = { speed: 1 };
const NEVER = 999_000_000;

export function triggers(): void {
	describe('the trigger', () => {
		const published: string[] = [];
		afterEach(async () => {
			for (const id of published.splice(0)) await client().unpublish(id);
		});
		const publish = async (
			nodes: PackageNodes,
			on: 'hooksRefreshed' | 'briefFinished',
			parameters = {},
		) => {
			const saved = await client().createWorkflow(testWorkflow([nodes.trigger(on, parameters)]));
			published.push(saved.id);
			await client().publishAndWait(saved);
			return saved;
		};

		it('fires once after a refresh, with the new hooks', async () => {
			const { sandbox, nodes } = await serviceWith(still);
			const saved = await publish(nodes, 'hooksRefreshed', {
				onlyNewHooks: true,
				options: { limit: 80, checkInterval: 0 },
			});
			refresh(sandbox);
			const [fired] = await firings(saved, 1);
			expect(fired!.mode).toBe('trigger');
			expect(fired!.items('Trigger').length).toBeGreaterThan(0);
			expect(fired!.json('Trigger')[0]).toMatchObject({
				hook: expect.any(String) as string,
				refreshed_at: expect.any(String) as string,
			});
			await quietPolls(sandbox);
			expect(await firings(saved, 1)).toHaveLength(1);
		});

		it('fires once for each event while n8n was down, and never again', async () => {
			const { sandbox, nodes } = await serviceWith(still);
			const old = sandbox.addBrief({ status: 'ready' });
			const briefs = [1, 2, 3, 4, 5].map(() => sandbox.addBrief({ durationMs: NEVER }).id);
			const onHooks = await publish(nodes, 'hooksRefreshed', { output: 'refresh' });
			const onBriefs = await publish(nodes, 'briefFinished', { simplify: false });

			finish(sandbox, briefs[0]!);
			refresh(sandbox);
			await firings(onHooks, 1);
			await firings(onBriefs, 1);

			// A deploy, during which much happens.
			await n8n().server.stop();
			finish(sandbox, briefs[3]!, 'failed');
			finish(sandbox, briefs[1]!);
			const fresh = sandbox.addBrief({ status: 'ready', createdAt: sandbox.now() });
			refresh(sandbox);
			await n8n().server.restart();
			await firings(onHooks, 2);
			await waitForIds(onBriefs, 4);

			// A power cut, in which nothing happens, and something after it.
			await n8n().server.kill();
			await n8n().server.restart();
			await quietPolls(sandbox);
			finish(sandbox, briefs[2]!);
			const returned = await waitForIds(onBriefs, 5);
			await quietPolls(sandbox);

			const expected = [briefs[0], briefs[3], briefs[1], fresh.id, briefs[2]];
			expect(returned).not.toContain(old.id);
			expect((await waitForIds(onBriefs, 5)).sort()).toEqual(expected.sort());
			expect(await firings(onHooks, 2)).toHaveLength(2);
			const items = (await firings(onBriefs, 1)).flatMap((each) => each.json('Trigger'));
			expect(items.find(({ id }) => id === briefs[3])).toMatchObject({ status: 'failed' });
			expect(items.find(({ id }) => id === briefs[1])).toMatchObject({
				status: 'ready',
				markdown: expect.stringMatching(/^# /) as string,
				document: expect.any(Object) as object,
			});
		}, 240_000);

		it('cannot be published with a refused key, and names the reason', async () => {
			const { nodes } = await serviceWith(still, 'revoked');
			await expect(publish(nodes, 'briefFinished')).rejects.toThrow(/API key refused/);
		});

		it('returns recent data in a test, or an error with the next step if there is none', async () => {
			const { sandbox, nodes } = await serviceWith(still);
			const test = async (on: 'hooksRefreshed' | 'briefFinished') =>
				await client().createAndRun(testWorkflow([nodes.trigger(on)]));
			expect((await test('briefFinished')).error).toMatchObject({
				message: 'The workspace has no finished brief yet',
				description: expect.stringMatching(/^Create one first/) as string,
			});
			const { id } = sandbox.addBrief({ status: 'ready' });
			expect((await test('briefFinished')).json('Trigger')).toMatchObject([{ id }]);
			expect((await test('hooksRefreshed')).json('Trigger')).toHaveLength(1);
		});
	});
}

function finish(sandbox: Sandbox, id: string, status: 'ready' | 'failed' = 'ready'): void {
	sandbox.advance(10_000);
	sandbox.finish(id, status);
}

/** Waits until the trigger has returned that many briefs, and returns their IDs. */
async function waitForIds(saved: SavedWorkflow, number: number): Promise<string[]> {
	const ids = (executions: Execution[]) =>
		executions.flatMap((each) => each.json('Trigger')).map(({ id }) => String(id));
	return ids(await firingsUntil(saved, (executions) => ids(executions).length >= number));
}
