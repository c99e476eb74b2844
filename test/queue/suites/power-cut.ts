import { waitForBriefs } from '../../support/n8n/executions';
import { newMessages, useExample } from '../../support/n8n/examples';
import { addSheet } from '../../support/n8n/product-tables';
import { publishWithWebhook } from '../../support/n8n/production';
import { client, n8n, openService, SLOW_AND_FORGETFUL } from '../../support/n8n/rig';
import { workers } from '../../support/queue/rig';

export function powerCut(): void {
	test('pays once if a night is run again after a power cut, and Retry of the execution that waited in Create pays nothing', async () => {
		const posted = newMessages();
		const service = await openService(SLOW_AND_FORGETFUL);
		const table = addSheet([
			{ isComplete: true, sku: 'A-1', name: 'Glow Serum' },
			{ isComplete: true, sku: 'A-2', name: 'Lip Oil' },
		]);
		const example = await useExample('products-overnight.json', service, table.values);
		const night = await publishWithWebhook(example);
		const killed = await night.start();
		await waitForBriefs(service, 2);

		const all = [n8n().server, ...workers()];
		await Promise.all(all.map((each) => each.kill()));
		await Promise.all(all.map((each) => each.restart()));

		expect((await client().waitForEnd(killed)).status).toBe('crashed');
		const retried = await client().waitForEnd(await client().retryExecution(killed));
		expect(retried.status).toBe('success');
		const again = await client().waitForEnd(await night.start());
		expect(again.status).toBe('success');
		const ready = { status: 'ready', link: expect.stringMatching(/^https/) as string };
		expect(await table.readSaved()).toMatchObject([ready, ready]);
		expect(service.sandbox.createdCount()).toBe(2);
		expect(posted('alerts')).toEqual([]);
	}, 500_000);
}
