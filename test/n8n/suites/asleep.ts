import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '../../../harness/process/poll-until';
import type { Execution } from '../../../harness/client/execution';
import { newMessages, useExample } from '../../support/n8n/examples';
import { waitForBriefs } from '../../support/n8n/executions';
import { addSheet } from '../../support/n8n/product-tables';
import { publishWithWebhook } from '../../support/n8n/production';
import { client, killAndRestart, openService, STILL } from '../../support/n8n/rig';
import { matchText } from '../../support/values';

/** The shortest sleep in which n8n saves the execution is 65 seconds. */
const SAVED_SLEEP = { '"amount":5,"unit":"minutes"': '"amount":66,"unit":"seconds"' };
const TWO_MINUTES = 120_000;

/** Publishes the example with these products, whose briefs finish only when the test says so. */
async function publishAsleep(names: readonly string[], amount = SAVED_SLEEP) {
	const service = await openService(STILL);
	const table = addSheet(names.map((name) => ({ isComplete: true, name })));
	const values = { ...table.values, ...amount };
	const saved = await useExample('products-asleep.json', service, values);
	const { start } = await publishWithWebhook(saved);
	const finish = (name: string, status: 'ready' | 'failed' = 'ready') => {
		const brief = service.sandbox.briefs().find((each) => each.product_name === name);
		service.sandbox.advance(10_000);
		service.sandbox.finish(brief!.id, status);
	};
	return { service, table, start, finish, posted: newMessages() };
}

/** Waits until an execution sleeps, after that many looks. */
async function waitUntilAsleep(id: string, looks: number): Promise<void> {
	const isAsleep = async () => {
		const execution = await client().getExecution(id);
		const isWaiting = execution.status === 'waiting';
		return (isWaiting && execution.runs('Ready?').length === looks) || undefined;
	};
	const getTimeoutMessage = () => `Execution ${id} does not sleep after ${looks} looks.`;
	await pollUntil(isAsleep, { timeoutMs: TWO_MINUTES, everyMs: 500, getTimeoutMessage });
}

function getStart(execution: Execution, node: string, run: number): number {
	return execution.runs(node)[run]!.startTime;
}

export function asleep(): void {
	describe('the example products-asleep', () => {
		test('reports each brief once, as soon as it has finished, even if n8n is killed while it sleeps', async () => {
			const names = ['Glow Serum', 'Lip Oil', 'Lamp'] as const;
			const { service, table, start, finish, posted } = await publishAsleep(names);
			service.sandbox.addBrief({ product_name: 'Lamp', durationMs: 999_000_000 });
			const id = await start();
			await waitForBriefs(service, 1);
			finish('Glow Serum');
			await waitForBriefs(service, 2);
			await waitUntilAsleep(id, 1);
			expect(posted('briefs')).toEqual([matchText(/^\*Glow Serum.*\* is ready: https/)]);
			expect((await table.readSaved()).map(({ status }) => status)).toEqual(['ready', '', '']);
			await killAndRestart();
			finish('Lamp', 'failed');
			await waitUntilAsleep(id, 2);
			expect(posted('alerts')).toEqual([matchText(/^Row 4: Lamp: .*\n\S/)]);
			finish('Lip Oil');
			const done = await client().waitForEnd(id, TWO_MINUTES);
			expect([done.status, done.runs('Ready?').length]).toEqual(['success', 3]);
			// n8n runs the highest node first.
			expect(getStart(done, 'Save the link', 0)).toBeLessThan(getStart(done, 'Sleep', 1));
			const [oil] = done.json('Ready?', 0, 2);
			expect(oil).toMatchObject({ 'Product Name': 'Lip Oil', brief_status: 'ready' });
			expect(
				Object.keys(oil!).filter((name) => /^(input_)?(error|code|message)$/.test(name)),
			).toEqual([]);
			expect(done.runs('Post the reason')).toHaveLength(1);
			expect(posted('briefs')).toHaveLength(2);
			expect((await table.readSaved()).map(({ status }) => status)).toEqual([
				...['ready', 'ready', 'brief_failed'],
			]);
			expect(service.sandbox.createdCount()).toBe(2);
		}, 480_000);

		test('orders rows for which no slot was free after the others are ready', async () => {
			const shortSleep = { '"amount":5,"unit":"minutes"': '"amount":2,"unit":"seconds"' };
			const names = ['Glow Serum', 'Lip Oil', 'Lamp'];
			const { service, table, start, finish, posted } = await publishAsleep(names, shortSleep);
			const id = await start();
			await waitForBriefs(service, 2);
			// Create waits for a slot for a minute.
			await sleep(70_000);
			expect(service.sandbox.createdCount()).toBe(2);
			finish('Glow Serum');
			finish('Lip Oil');
			await waitForBriefs(service, 3);
			finish('Lamp');
			expect((await client().waitForEnd(id, TWO_MINUTES)).status).toBe('success');
			expect(posted('briefs')).toHaveLength(3);
			expect((await table.readSaved()).map(({ status }) => status)).toEqual([
				...['ready', 'ready', 'ready'],
			]);
			expect(service.sandbox.createdCount()).toBe(3);
		}, 300_000);

		test('pays and reports once if it is stopped while it sleeps and run again', async () => {
			const { service, table, start, finish, posted } = await publishAsleep(['Glow Serum']);
			const first = await start();
			await waitForBriefs(service, 1);
			await waitUntilAsleep(first, 0);
			await client().stopExecution(first);
			finish('Glow Serum');
			expect((await client().waitForEnd(await start(), TWO_MINUTES)).status).toBe('success');
			expect(posted('briefs')).toHaveLength(1);
			expect((await table.readSaved())[0]).toMatchObject({ status: 'ready' });
			// Nothing is left to do.
			const third = await client().waitForEnd(await start());
			expect([third.status, third.runs('Create briefs').length]).toEqual(['success', 0]);
			expect(service.sandbox.createdCount()).toBe(1);
		}, 300_000);
	});
}
