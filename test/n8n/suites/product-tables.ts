import { pollUntil } from '../../../harness/process/poll-until';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import { newMessages, useExample } from '../../support/n8n/examples';
import { waitForBriefs } from '../../support/n8n/executions';
import {
	addAirtable,
	addDataTable,
	addSheet,
	type ProductRow,
	type ProductTable,
} from '../../support/n8n/product-tables';
import {
	client,
	isNewest,
	killAndRestart,
	openService,
	SLOW_AND_FORGETFUL,
} from '../../support/n8n/rig';
import { matchText } from '../../support/values';

interface TableExample {
	file: string;
	addTable: (rows: ProductRow[]) => ProductTable | Promise<ProductTable>;
	maxBriefs: number;
	canPostToSlack: boolean;
	/** The status of a row beyond the limit, unless it is written into the row. */
	statusBeyondLimit?: string;
}

const NIGHTLY: TableExample[] = [
	{ file: 'products-overnight.json', addTable: addSheet, maxBriefs: 30, canPostToSlack: true },
	{
		file: 'products-asleep.json',
		addTable: addSheet,
		maxBriefs: 30,
		canPostToSlack: true,
		statusBeyondLimit: '',
	},
	{
		file: 'products-in-airtable.json',
		addTable: addAirtable,
		maxBriefs: 10,
		canPostToSlack: false,
		statusBeyondLimit: '',
	},
	{
		file: 'products-in-data-table.json',
		addTable: addDataTable,
		maxBriefs: 10,
		canPostToSlack: false,
	},
	// Version 1 has no data tables.
].slice(0, isNewest ? 4 : 3);
const ALL: TableExample[] = [
	{ file: 'product-sheet-to-slack.json', addTable: addSheet, maxBriefs: 10, canPostToSlack: true },
	...NIGHTLY,
];

/** A sleep of a second. n8n saves only longer sleeps: asleep.ts tests them. */
const SHORT_SLEEP = { '"amount":5,"unit":"minutes"': '"amount":1,"unit":"seconds"' };

const OLD_LINK = 'https://app.example.com/briefs/1';
const LONG_ID = '1729384756102938475';
const makeRows = (...names: string[]) => names.map((name) => ({ isComplete: true, name }));

/** The examples that read products from a table and write links into it. */
export function productTables(): void {
	describe.each(ALL)('the example workflow $file', ({ file, addTable, canPostToSlack }) => {
		test('orders complete rows only, and writes link or reason into each once', async () => {
			const service = await openService();
			const table = await addTable([
				{
					isComplete: true,
					sku: 'A-1',
					name: 'Glow Serum',
					id: LONG_ID,
					audience: 'Commuters',
					facts: 'Vegan',
				},
				{ name: 'Lip' },
				{ isComplete: true, name: 'Lip Oil' },
				{ isComplete: true, sku: 'A-4', name: 'Old Mask (discontinued)' },
				{ isComplete: true, sku: 'A-5', name: 'x' },
				{ isComplete: true, sku: 'A-6', name: 'Done before', link: OLD_LINK },
				{ isComplete: true, sku: 'A-7', facts: 'Vegan' },
			]);
			const saved = await useExample(file, service, { ...table.values, ...SHORT_SLEEP });
			const posted = newMessages();
			const readStatus = async (row: number) => (await table.readSaved())[row]?.status;
			const failed = { status: 'brief_failed', link: '', note: matchText(/product_unavailable/) };
			const invalid = { status: 'invalid_input', link: '', note: matchText(/'Product Name'/) };
			const untouched = { status: '', link: '', note: '' };
			const done = { ...untouched, link: OLD_LINK };
			await runUntil(saved, async () => (await readStatus(3)) === 'brief_failed');
			const [serum, oil] = service.sandbox.briefs();
			expect(serum!.input).toMatchObject({
				product_name: 'Glow Serum',
				product_id: LONG_ID,
				audience: 'Commuters',
				approved_facts: 'Vegan',
			});
			const others = [ready(oil), failed, invalid, done, invalid];
			expect(await table.readSaved()).toEqual([ready(serum), untouched, ...others]);
			const alerts = posted('alerts').join('\n');
			expect(posted('briefs').join('\n') + alerts).not.toContain('undefined');

			// The user completes a row. The other rows have other item numbers than before.
			await table.edit(1, { isComplete: true, name: 'Lip Balm' });
			await runUntil(saved, async () => (await readStatus(1)) === 'ready');
			const balm = service.sandbox.briefs().at(-1);
			expect(await table.readSaved()).toEqual([ready(serum), ready(balm), ...others]);
			expect(service.sandbox.createdCount()).toBe(4);
			expect(count(posted('briefs'), 'http')).toBe(canPostToSlack ? 3 : 0);
			expect(posted('alerts').join('\n')).toBe(alerts);

			// Another reason.
			await table.edit(4, { name: 'Old Cream (discontinued)' });
			await runUntil(saved, async () => (await readStatus(4)) === 'brief_failed');
			await run(saved);
			expect(count(posted('alerts'), 'A-5: ')).toBe(canPostToSlack ? 2 : 0);
			expect(service.sandbox.createdCount()).toBe(5);
		}, 240_000);

		test('pays once and reports every brief if n8n is killed during the run', async () => {
			const service = await openService(SLOW_AND_FORGETFUL);
			const table = await addTable(makeRows('Glow Serum', 'Lip Oil'));
			const saved = await useExample(file, service, { ...table.values, ...SHORT_SLEEP });
			const posted = newMessages();
			await client().startManually(saved);
			await waitForBriefs(service, 2);
			await killAndRestart();
			await runUntil(saved, async () => (await table.readSaved()).every(({ link }) => link !== ''));
			const briefs = service.sandbox.briefs();
			expect(await table.readSaved()).toEqual(briefs.map(ready));
			expect(service.sandbox.createdCount()).toBe(2);
			for (const { id } of briefs) expect(count(posted('briefs'), id)).toBe(canPostToSlack ? 1 : 0);
			expect(posted('alerts')).toEqual([]);
		}, 240_000);

		test('posts and saves nothing with Check Only', async () => {
			const service = await openService();
			service.sandbox.addBrief({ status: 'ready', product_name: 'Lip Oil' });
			const table = await addTable(makeRows('Lip Oil', 'Glow Serum', 'Glow Serum', 'x'));
			const saved = await useExample(file, service, {
				...table.values,
				...SHORT_SLEEP,
				'"operation":"create"': '"operation":"create","checkOnly":true',
			});
			const before = await table.readSaved();
			const posted = newMessages();
			await run(saved);
			expect(await table.readSaved()).toEqual(before);
			expect([...posted('briefs'), ...posted('alerts')]).toEqual([]);
			expect(service.count('create_brief')).toBe(0);
		});
	});

	test.each(NIGHTLY)(
		'the example workflow $file leaves rows beyond a limit of 2 for the next run, without an alert',
		async ({ file, addTable, maxBriefs, statusBeyondLimit = 'limit_reached' }) => {
			const service = await openService();
			const table = await addTable(makeRows('Glow Serum', 'Lip Oil', 'Lamp'));
			const saved = await useExample(file, service, {
				...table.values,
				...SHORT_SLEEP,
				[`"maxBriefs":${maxBriefs}`]: '"maxBriefs":2',
			});
			const posted = newMessages();
			for (const last of [statusBeyondLimit, 'ready']) {
				await run(saved);
				const statuses = (await table.readSaved()).map(({ status }) => status);
				expect(statuses).toEqual(['ready', 'ready', last]);
			}
			expect(service.sandbox.createdCount()).toBe(3);
			expect(posted('alerts')).toEqual([]);
		},
	);
}

async function run(saved: SavedWorkflow): Promise<void> {
	const done = await client().runManually(saved);
	expect(done.describe()).toMatch(/^execution \d+ success/);
}

/** Runs an example repeatedly, as its schedule does. */
async function runUntil(saved: SavedWorkflow, isDone: () => Promise<boolean>): Promise<void> {
	const runOnce = async () => {
		await run(saved);
		return (await isDone()) || undefined;
	};
	const getTimeoutMessage = () => 'The runs did not finish the rows of the example.';
	await pollUntil(runOnce, { timeoutMs: 90_000, everyMs: 500, getTimeoutMessage });
}

function ready(brief: { id: string } | undefined): object {
	return { status: 'ready', link: matchText(brief?.id ?? 'no brief'), note: '' };
}

function count(messages: string[], text: string): number {
	return messages.join('\n').split(text).length - 1;
}
