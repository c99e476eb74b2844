import { NodeExecution } from '../../../nodes/CreatorBriefing/orders/node-execution';
import { MINUTE } from '../../support/time';
import { getKinds, N8nProcess } from '../support/n8n-process';
import { makeRefusal } from '../../support/faults';

/** Executions that run at once share the workspace, and the calls of an agent share one execution. */

describe('calls of one execution at once', () => {
	test('respect a refusal that the first call gets', async () => {
		const n8n = new N8nProcess();
		n8n.service.interceptCreates(() => makeRefusal(403, 'insufficient_scope'));
		const execution = new NodeExecution();
		await Promise.all(['A', 'B', 'C'].map((product) => n8n.run([product], {}, execution)));
		expect(n8n.createRequests).toBe(1);
	});

	test('order no more than Max Briefs per Run', async () => {
		const n8n = new N8nProcess();
		const execution = new NodeExecution();
		const call = (product: string) => n8n.run([product], { maxBriefs: 1 }, execution);
		const results = await Promise.all(['Mug', 'Pan'].map(call));
		expect(getKinds(results.flat()).sort()).toEqual(['brief', 'limit_reached']);
	});

	test('with the same content count one brief, also for later calls', async () => {
		const n8n = new N8nProcess();
		const execution = new NodeExecution();
		const call = (product: string) => n8n.run([product], { maxBriefs: 1 }, execution);
		await Promise.all(['Mug', 'Mug'].map(call));
		expect(getKinds(await call('Pan'))).toEqual(['limit_reached']);
		expect(n8n.created).toHaveLength(1);
	});
});

test('an order that times out behind another execution does not forget what that execution has sent', async () => {
	const n8n = new N8nProcess({ listLagMs: 9 * MINUTE });
	n8n.loseAnswers();
	const sending = n8n.start(['Night Cream']);
	// The first execution repeats its request for a minute, and the second gives up before that.
	const [result] = await n8n.run(['NIGHT CREAM'], { timeoutMs: 30_000 });
	expect(result).toMatchObject({ kind: 'timeout' });
	sending.process.interrupt();
	await expect(sending.results).rejects.toMatchObject({ name: 'AbortError' });
	n8n.service.stopIntercepting();
	expect(getKinds(await n8n.run(['NIGHT CREAM']))).toEqual(['brief']);
	expect(n8n.created).toHaveLength(1);
});
