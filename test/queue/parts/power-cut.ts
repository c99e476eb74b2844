import { sheetColumns } from '../../../harness/workflows/examples';
import { newMessages, useExample } from '../../support/n8n/examples';
import { Production } from '../../support/n8n/production';
import { client, n8n, serviceWith, SPEED } from '../../support/n8n/rig';
import { untilCreated, workers } from '../../support/queue/rig';

export function powerCut(): void {
	it('after a power cut a night is run again for nothing, and Retry of a run that waited in Create too', async () => {
		const posted = newMessages();
		// Slow enough that the briefs are still being written when n8n is gone. Keys are forgotten at once.
		const service = await serviceWith({ speed: SPEED / 8, keyMemoryMs: 1 });
		const sheet = crypto.randomUUID();
		n8n().sheets.addSheet(sheet, 'Products', [
			sheetColumns,
			['yes', 'A-1', 'Glow Serum'],
			['yes', 'A-2', 'Lip Oil'],
		]);
		const values = { YOUR_SPREADSHEET_ID: sheet };
		const night = await Production.of(await useExample('products-overnight.json', service, values));
		const killed = await night.start();
		await untilCreated(service, 2);

		const all = [n8n().server, ...workers()];
		await Promise.all(all.map((each) => each.kill()));
		await Promise.all(all.map((each) => each.restart()));

		expect((await client().waitForEnd(killed)).status).toBe('crashed');
		const retried = await client().waitForEnd(await client().retryExecution(killed));
		expect(retried.status).toBe('success');
		const again = await client().waitForEnd(await night.start());
		expect(again.status).toBe('success');
		const links = n8n()
			.sheets.records(sheet, 'Products')
			.map((row) => [row['Brief Status'], row['Brief Link']]);
		const ready = ['ready', expect.stringMatching(/^https/)];
		expect(links).toEqual([ready, ready]);
		expect(service.sandbox.createdCount()).toBe(2);
		expect(posted('alerts')).toEqual([]);
	}, 500_000);
}
