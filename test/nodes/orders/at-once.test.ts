import { NodeExecution } from '../../../nodes/CreatorBriefing/orders/node-execution';
import { HOUR, MINUTE } from '../../support/time';
import { getExisted, getKinds, N8nProcess } from '../support/n8n-process';
import { makeRefusal } from '../../support/faults';

/** Executions that run at once share the workspace, and the calls of an agent share one execution. */

describe('calls of one execution at once', () => {
	test('order the same content once', async () => {
		const n8n = new N8nProcess();
		const execution = new NodeExecution();
		const results = await Promise.all(
			['Mug', 'MUG', 'Mug'].map((product) => n8n.run([product], {}, execution)),
		);
		expect(getExisted(results.flat())).toEqual([false, true, true]);
		expect(n8n.created).toHaveLength(1);
	});

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

test('five executions at once order each product once, two at a time, if one is stopped and the list lags', async () => {
	const n8n = new N8nProcess({ briefMs: 4 * MINUTE, listLagMs: MINUTE });
	const runs = Array.from({ length: 5 }, (_, index) => {
		const products = [`Product ${index}`, `Product ${index + 10}`, 'Shared'];
		const { process, results } = n8n.start(products, { timeoutMs: 10 * HOUR });
		if (index !== 2) return results;
		void n8n.service.clock.sleep(200_000).then(() => process.interrupt());
		return results.catch(() => []);
	});
	const results = (await Promise.all(runs)).flat();
	expect(getKinds(results)).toEqual(Array.from({ length: 12 }, () => 'brief'));
	const names = n8n.created.map(({ input }) => input.product_name);
	expect(new Set(names).size).toBe(names.length);
	expect(n8n.service.mostRunning).toBe(2);
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
