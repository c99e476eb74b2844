import { pollUntil } from '../../../harness/process/poll-until';
import { newMessages, useExample } from '../../support/n8n/examples';
import { client, n8n, serviceWith, SPEED, type Service } from '../../support/n8n/rig';
import { keyed, Production, untilCreated, workers } from '../../support/queue/rig';

const NIGHTS = ['night-few-products.json', 'night-hundred-products.json'];
/** Just long enough for n8n to keep an execution in its database, and some. */
const KEPT_SECONDS = 67;
const COLUMNS = [
	...['SKU', 'Product Name', 'Product ID', 'Audience', 'Approved Facts'],
	...['Brief ID', 'Brief Status', 'Brief Link'],
];
/** Slow enough that the briefs are still being written when n8n is gone. */
const slow = { speed: SPEED / 8 };

export function powerCut(): void {
	it('after a power cut the night’s workflows go on by themselves, a run that waited in Create by Retry, and nothing is paid twice', async () => {
		const posted = newMessages();
		const nights = await Promise.all(
			NIGHTS.map(async (file) => {
				const service = await serviceWith(slow);
				return { service, id: await startNight(file, service) };
			}),
		);
		for (const { id } of nights) await untilStatus(id, 'waiting');
		const service = await serviceWith(slow);
		const { sandbox, nodes } = service;
		const waiting = await Production.publish([nodes.create({ ...keyed, waitUntilReady: true })]);
		const killed = await waiting.start([{ name: 'Day Cream' }]);
		await untilCreated(service, 1);

		const all = [n8n().server, ...workers()];
		await Promise.all(all.map((each) => each.kill()));
		for (const { service } of nights) expect(service.sandbox.createdCount()).toBe(2);
		await Promise.all(all.map((each) => each.restart()));

		const crashed = await client().waitForEnd(killed);
		expect(crashed.status).toBe('crashed');
		const retried = await client().waitForEnd(await client().retryExecution(killed));
		expect(retried.status).toBe('success');
		expect(retried.json('Create')).toMatchObject([{ product_name: 'Day Cream', status: 'ready' }]);
		expect(sandbox.createdCount()).toBe(1);

		for (const { id, service } of nights) {
			expect((await client().waitForEnd(id, 240_000)).status).toBe('success');
			expect(service.sandbox.createdCount()).toBe(2);
			expect(service.count('create_brief')).toBe(2);
		}
		expect(posted('briefs')).toEqual([
			expect.stringContaining('2 ready, 0 failed'),
			expect.stringContaining('2 ready, 0 failed'),
		]);
	}, 500_000);
}

/** Starts an example of the night with a sheet of two products. Returns the execution's ID. */
async function startNight(file: string, service: Service): Promise<string> {
	const sheet = crypto.randomUUID();
	n8n().sheets.addSheet(sheet, 'Products', [COLUMNS, ['A-1', 'Glow Serum'], ['A-2', 'Lip Oil']]);
	const example = await useExample(file, service, { YOUR_SPREADSHEET_ID: sheet }, KEPT_SECONDS);
	return await (await Production.of(example)).start();
}

async function untilStatus(executionId: string, wanted: string): Promise<void> {
	await pollUntil(
		async () => (await client().getExecution(executionId)).status === wanted || undefined,
		{ timeoutMs: 30_000, late: () => `Execution ${executionId} did not become ${wanted}.` },
	);
}
