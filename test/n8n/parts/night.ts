import { setTimeout as sleep } from 'node:timers/promises';
import type { Cell } from '../../../harness/vendors/sheets';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import { newMessages, useExample } from '../../support/n8n/examples';
import { client, n8n, serviceWith, SPEED, type Service } from '../../support/n8n/rig';

const FEW = 'night-few-products.json';
const HUNDRED = 'night-hundred-products.json';
/** The examples that are tried here. */
export const nightFiles = [FEW, HUNDRED];
const HEADER = [
	...['SKU', 'Product Name', 'Product ID', 'Audience', 'Approved Facts'],
	...['Brief ID', 'Brief Status', 'Brief Link'],
];
const NEVER = 999_000_000;
/** The shortest wait that n8n keeps in its database, and some. */
const KEPT_SECONDS = 67;

/**
 * The examples that order overnight, with stand-ins for Slack and Google Sheets. If n8n is killed, they wait long enough
 * for n8n to keep them in its database; elsewhere their waits are short, and what is looked at is what they do between.
 */
export function night(): void {
	describe('the night', () => {
		let sheet = '';
		beforeEach(() => {
			sheet = `night-${crypto.randomUUID()}`;
		});
		const fill = (rows: Cell[][], header = HEADER) =>
			n8n().sheets.addSheet(sheet, 'Products', [header, ...rows]);
		const records = () => n8n().sheets.records(sheet, 'Products');
		const statuses = () => records().map((row) => row['Brief Status']);
		async function untilStatuses(isThere: (now: Cell[]) => boolean): Promise<Cell[]> {
			for (;;) {
				const now = statuses().map((status) => status ?? '');
				if (isThere(now)) return now;
				await sleep(20);
			}
		}
		const use = (file: string, service: Service, waitSeconds: number) =>
			useExample(file, service, { YOUR_SPREADSHEET_ID: sheet }, waitSeconds);

		it.each([FEW, HUNDRED])(
			'%s has each product written once, and says what came of each row',
			async (file) => {
				const service = await serviceWith();
				const { sandbox } = service;
				const lamp = sandbox.addBrief({ product_name: 'Lamp' });
				const nowhere = '00000000-0000-4000-8000-000000000000';
				fill([
					['A-1', 'Glow Serum', '1729384756102938475', 'Commuters', 'Vegan'],
					['A-2', 'x'],
					['A-3', 'Old Mask (discontinued)'],
					[1004, 'Lip Oil'],
					['A-5', 'Lamp', '', '', '', lamp.id, 'being written'],
					['A-6', 'Lost', '', '', '', nowhere, 'being written'],
					['A-7', 'Ready before', '', '', '', nowhere, 'ready'],
					['', 'No SKU'],
				]);
				const posted = newMessages();
				const saved = await use(file, service, 1);
				const done = await client().runManually(saved);
				expect(done.status).toBe('success');
				const ordered = sandbox.briefs().filter(({ id }) => id !== lamp.id);
				expect(ordered.map(({ input }) => input)).toMatchObject([
					{ product_name: 'Glow Serum', audience: 'Commuters', approved_facts: 'Vegan' },
					{ product_name: 'Old Mask (discontinued)' },
					{ product_name: 'Lip Oil' },
				]);
				const [serum, mask, oil] = ordered;
				expect(statuses()).toEqual([
					'ready',
					"put aside: 'Product Name' is too short",
					'failed: product_unavailable',
					...['ready', 'ready'],
					expect.stringMatching(/^put aside: There is no brief 0+-/),
					...['ready', ''],
				]);
				expect(records().map((row) => row['Brief ID'])).toEqual([
					...[serum!.id, '', mask!.id, oil!.id, lamp.id],
					...[nowhere, nowhere, ''],
				]);
				expect(records()[0]!['Brief Link']).toContain(serum!.id);
				const [message] = posted('briefs');
				expect(message).toContain(
					'4 ready, 1 failed, 2 put aside, 0 in doubt, 0 being written, 1 not ordered\n',
				);
				expect(message).toContain('Rows without a SKU are left out.');
				expect(message).toContain("• A-2 x: put aside: 'Product Name' is too short");
				// Run again, it finds nothing to do, whatever the service remembers.
				const before = records();
				const { length } = sandbox.requests;
				expect((await client().runManually(saved)).status).toBe('success');
				expect(sandbox.requests).toHaveLength(length);
				expect(records()).toEqual(before);
				expect(posted('briefs')).toHaveLength(2);
			},
		);

		it.each([FEW, HUNDRED])(
			'%s stops where the allowance is used up, collects what was ordered, and says why',
			async (file) => {
				const service = await serviceWith({ allowance: 3 });
				fill(['A-1', 'A-2', 'A-3', 'A-4', 'A-5'].map((sku) => [sku, `Serum ${sku}`]));
				const posted = newMessages();
				const done = await client().runManually(await use(file, service, 1));
				expect(done.status).toBe('success');
				expect(statuses()).toEqual(['ready', 'ready', 'ready', '', '']);
				expect(posted('briefs')).toEqual([
					expect.stringMatching(/3 ready.* 2 not ordered \(The month’s allowance .* used up.*\)$/),
				]);
			},
		);

		it.each([FEW, HUNDRED])('%s looks again after a get that failed', async (file) => {
			const service = await serviceWith();
			service.sandbox.faults.add({ kind: '5xx', status: 418, operation: 'get_brief' });
			fill([
				['A-1', 'Glow Serum'],
				['A-2', 'Lip Oil'],
			]);
			const done = await client().runManually(await use(file, service, 2));
			expect(done.status).toBe('success');
			expect(service.sandbox.faults.pending).toBe(0);
			expect(statuses()).toEqual(['ready', 'ready']);
			expect(service.sandbox.createdCount()).toBe(2);
		});

		it(`${HUNDRED} continues if the sheet cannot be read or written for a while`, async () => {
			const service = await serviceWith();
			fill([['A-1', 'Glow Serum']]);
			const saved = await use(HUNDRED, service, 2);
			const id = await client().startManually(saved);
			while (service.sandbox.createdCount() === 0) await sleep(20);
			n8n().sheets.outage = 6;
			const done = await client().waitForEnd(id);
			expect(done.status).toBe('success');
			expect(n8n().sheets.outage).toBe(0);
			expect(statuses()).toEqual(['ready']);
			expect(service.sandbox.createdCount()).toBe(1);
		});

		it(`${HUNDRED} sends an order in doubt again with its key, and leaves an old doubt to a person`, async () => {
			const service = await serviceWith();
			const { faults } = service.sandbox;
			const old = 'in doubt since 2026-01-01T03:00Z';
			fill([
				['A-1', 'Glow Serum'],
				['A-2', 'Lip Oil', '', '', '', '', old],
				['A-3', 'Lamp'],
			]);
			faults.add({ kind: 'reset', at: 'after-work', operation: 'create_brief', times: 1_000 });
			const posted = newMessages();
			const id = await client().startManually(await use(HUNDRED, service, 1));
			const [atFirst] = await untilStatuses((now) => now[0] !== '');
			expect(atFirst).toMatch(/^in doubt since 20\d\d-\d\d-\d\dT\d\d:\d\dZ$/);
			while (service.sandbox.createdCount() === 0) await sleep(20);
			// The third was not sent, so no doubt about it is left.
			const tried = await untilStatuses((now) => now[2] === '');
			expect(tried[0]).toBe(atFirst);
			faults.clear();
			const done = await client().waitForEnd(id);
			expect(done.status).toBe('success');
			expect(statuses()).toEqual(['ready', old, 'ready']);
			expect(service.sandbox.createdCount()).toBe(2);
			expect(posted('briefs')[0]).toContain(`• A-2 Lip Oil: ${old}`);
		});

		it.each([
			[FEW, 40],
			[HUNDRED, 200],
		])('%s comes to an end after %i looks at a brief that never does', async (file, looks) => {
			const service = await serviceWith({ speed: 1 });
			const { id } = service.sandbox.addBrief({ durationMs: NEVER, product_name: 'Lamp' });
			fill([['A-1', 'Lamp', '', '', '', id, 'being written']]);
			const posted = newMessages();
			const done = await client().runManually(await use(file, service, 0));
			expect(done.status).toBe('success');
			expect(done.runs('Wait')).toHaveLength(looks);
			expect(posted('briefs')).toEqual([expect.stringContaining('1 being written')]);
		});

		it.each([FEW, HUNDRED])(
			'%s orders nothing where the ID could not be written down',
			async (file) => {
				const service = await serviceWith();
				fill([['A-1', 'Glow Serum']], HEADER.slice(0, 5));
				const posted = newMessages();
				await client().runManually(await use(file, service, 1));
				expect(service.count()).toBe(0);
				expect(posted('briefs')).toEqual([
					expect.stringContaining('needs the columns Brief ID and Brief Status'),
				]);
			},
		);

		it.each([FEW, HUNDRED])(
			'%s orders no row whose SKU another row has, and says which',
			async (file) => {
				// It forgets keys at once, so that each order would be paid for again.
				const service = await serviceWith({ keyMemoryMs: 1 });
				const other = service.sandbox.addBrief({ status: 'ready', product_name: 'Lip Oil' });
				fill([
					['A-1', 'Glow Serum'],
					['A-1 ', 'Glow Serum'],
					['A-2', 'Lip Oil', '', '', '', other.id, 'ready'],
					['A-2', 'Lip Oil, red'],
					['A-3', 'Lamp'],
				]);
				const posted = newMessages();
				const saved = await use(file, service, 1);
				expect((await client().runManually(saved)).status).toBe('success');
				expect((await client().runManually(saved)).status).toBe('success');
				expect(service.sandbox.createdCount()).toBe(1);
				expect(statuses()).toEqual(['', '', 'ready', '', 'ready']);
				expect(records()[2]!['Brief ID']).toBe(other.id);
				expect(posted('briefs')[0]).toContain(
					'\nThe SKU A-1 stands in several rows. Give each row a SKU of its own',
				);
			},
		);

		it.each([FEW, HUNDRED])(
			'%s orders nothing into a sheet that it may not write',
			async (file) => {
				const service = await serviceWith();
				fill([
					['A-1', 'Glow Serum'],
					['A-2', 'Lip Oil'],
				]);
				const posted = newMessages();
				n8n().sheets.readOnly = true;
				try {
					const done = await client().runManually(await use(file, service, 0));
					expect(done.status).toBe('success');
				} finally {
					n8n().sheets.readOnly = false;
				}
				expect(service.sandbox.createdCount()).toBe(0);
				expect(posted('briefs')).toEqual([
					expect.stringMatching(/The sheet could not be written, so nothing more was ordered: /),
				]);
			},
			240_000,
		);

		it(`${FEW} names a brief whose ID it cannot note, and never orders that row again`, async () => {
			const service = await serviceWith({ keyMemoryMs: 1 });
			fill([
				['A-1', 'Glow Serum'],
				['A-2', 'Lip Oil'],
			]);
			const saved = await use(FEW, service, 1);
			const posted = newMessages();
			const id = await client().startManually(saved);
			while (service.sandbox.createdCount() === 0) await sleep(5);
			// Just when its ID is to be written.
			n8n().sheets.outage = 1;
			expect((await client().waitForEnd(id)).status).toBe('success');
			expect(statuses()).toEqual([expect.stringMatching(/^in doubt since /), '']);
			const [brief] = service.sandbox.briefs();
			expect(posted('briefs')).toEqual([expect.stringContaining(`\n• Glow Serum: ${brief!.id}`)]);
			expect((await client().runManually(saved)).status).toBe('success');
			expect(statuses()).toEqual([expect.stringMatching(/^in doubt since /), 'ready']);
			expect(service.sandbox.createdCount()).toBe(2);
		});

		it(`${FEW} leaves out what was ordered elsewhere while it waited for a slot`, async () => {
			const service = await serviceWith({ keyMemoryMs: 1 });
			const { sandbox } = service;
			const holders = [1, 2].map(() => sandbox.addBrief({ durationMs: NEVER }));
			const other = sandbox.addBrief({ status: 'ready', product_name: 'Lip Oil' });
			fill([
				['A-1', 'Glow Serum'],
				['A-2', 'Lip Oil'],
				['A-3', 'Lamp'],
			]);
			const id = await client().startManually(await use(FEW, service, 1));
			await untilStatuses((now) => now[0] !== '');
			const row = n8n().sheets.rows(sheet, 'Products')[2]!;
			[row[5], row[6]] = [other.id, 'being written'];
			// Sorted meanwhile, too.
			n8n()
				.sheets.rows(sheet, 'Products')
				.splice(1, 3, ...n8n().sheets.rows(sheet, 'Products').slice(1).reverse());
			for (const holder of holders) sandbox.finish(holder.id);
			expect((await client().waitForEnd(id)).status).toBe('success');
			expect(sandbox.createdCount()).toBe(2);
			expect(records().map((each) => [each['SKU'], each['Brief Status']])).toEqual([
				['A-3', 'ready'],
				['A-2', 'ready'],
				['A-1', 'ready'],
			]);
			expect(records()[1]!['Brief ID']).toBe(other.id);
		});

		it.each([FEW, HUNDRED])('%s understands what people type into the sheet', async (file) => {
			const service = await serviceWith();
			const { sandbox } = service;
			const briefs = ['Lamp', 'Serum', 'Oil', 'Cream'].map((product_name) =>
				sandbox.addBrief({ status: 'ready', product_name }),
			);
			const [lamp, serum, oil, cream] = briefs.map(({ id }) => id);
			fill([
				['A-1', 'Lamp', '', '', '', lamp!, ' Being written'],
				['A-2', 'Serum', '', '', '', ` ${serum}`, ''],
				['A-3', 'Oil', '', '', '', oil!, 'in doubt since 2026-01-01T03:00Z'],
				['A-3', 'Cream', '', '', '', cream!, 'being written'],
				['A-4', 'On hold', '', '', '', '', 5],
				['A-5', 'On hold', '', '', '', '', true],
				['A-6', 'Done', '', '', '', '', 'Ready '],
				[' ', 'No SKU'],
			]);
			const posted = newMessages();
			expect((await client().runManually(await use(file, service, 1))).status).toBe('success');
			expect(sandbox.createdCount()).toBe(0);
			expect(statuses()).toEqual(['ready', 'ready', 'ready', 'ready', 5, true, 'Ready ', '']);
			expect(records().map((row) => String(row['Brief ID']).trim())).toEqual([
				...[lamp, serum, oil, cream],
				...['', '', '', ''],
			]);
			expect(posted('briefs')).toEqual([expect.stringContaining('5 ready, 0 failed')]);
		});

		it.each([FEW, HUNDRED])('%s says that the key is refused', async (file) => {
			const service = await serviceWith();
			const { id } = service.sandbox.addBrief({ durationMs: NEVER, product_name: 'Lamp' });
			fill([['A-1', 'Lamp', '', '', '', id, 'being written']]);
			service.sandbox.revoke('allScopes');
			const posted = newMessages();
			expect((await client().runManually(await use(file, service, 0))).status).toBe('success');
			expect(posted('briefs')).toEqual([
				expect.stringMatching(/The last look at a brief failed: .*key/i),
			]);
		});

		it('both continue after a kill during a wait and an absence past the due time, and pay for nothing again', async () => {
			// Slow enough that the briefs are still being written when n8n is gone.
			const services = [
				await serviceWith({ speed: SPEED / 20 }),
				await serviceWith({ speed: SPEED / 20 }),
			];
			const posted = newMessages();
			const workflows: SavedWorkflow[] = [];
			for (const [index, file] of [FEW, HUNDRED].entries()) {
				sheet = `kill-${index}-${crypto.randomUUID()}`;
				fill([
					[`${index}-1`, 'Glow Serum'],
					[`${index}-2`, 'Lip Oil'],
				]);
				const saved = await use(file, services[index]!, KEPT_SECONDS);
				workflows.push(await startedOnce(saved));
			}
			const waits = await Promise.all(workflows.map(untilItWaits));
			await n8n().server.kill();
			for (const { sandbox } of services) expect(sandbox.createdCount()).toBe(2);
			await sleep(Math.max(...waits) + 2_000 - Date.now());
			await n8n().server.restart();
			for (const { id } of workflows) {
				const [done] = await client().waitForExecutions(id, 1, 120_000);
				expect(done!.status).toBe('success');
				expect(done!.mode).toBe('trigger');
				await client().unpublish(id);
			}
			for (const { sandbox, count } of services) {
				expect(sandbox.createdCount()).toBe(2);
				expect(count('create_brief')).toBe(2);
			}
			expect(posted('briefs')).toEqual([
				expect.stringContaining('2 ready, 0 failed'),
				expect.stringContaining('2 ready, 0 failed'),
			]);
		}, 300_000);
	});
}

/** Publishes a workflow whose schedule fires once, a few seconds from now, so that it runs as it does at night. */
async function startedOnce(saved: SavedWorkflow): Promise<SavedWorkflow> {
	const at = new Date(Date.now() + 8_000);
	const moment = [at.getUTCSeconds(), at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate()];
	const expression = `${moment.join(' ')} ${at.getUTCMonth() + 1} *`;
	const rule = { interval: [{ field: 'cronExpression', expression }] };
	const nodes = saved.nodes.map((node) =>
		node.name === 'Every evening' ? { ...node, parameters: { rule } } : node,
	);
	const { name, connections, settings } = saved;
	const once = await client().createWorkflow({ name, connections, settings, nodes });
	await client().publishAndWait(once);
	return once;
}

/** The time until which n8n keeps the workflow's execution in its database. */
async function untilItWaits({ id }: SavedWorkflow): Promise<number> {
	for (;;) {
		const [execution] = await client().listExecutions(id);
		if (execution?.status === 'waiting' && execution.waitTill) {
			return Date.parse(execution.waitTill);
		}
		await sleep(200);
	}
}
