import { pollUntil } from '../../../harness/process/poll-until';
import type { SavedWorkflow } from '../../../harness/workflows/workflow';
import { newMessages, useExample } from '../../support/n8n/examples';
import {
	airtableWith,
	dataTableWith,
	sheetWith,
	type ProductRow,
	type ProductTable,
} from '../../support/n8n/product-tables';
import { client, isNewest, n8n, serviceWith, SPEED, type Service } from '../../support/n8n/rig';

interface TableExample {
	file: string;
	tableWith: (rows: ProductRow[]) => ProductTable | Promise<ProductTable>;
	maxBriefs: number;
	/** Whether it posts to Slack. */
	posts: boolean;
}

const SHEET = { tableWith: sheetWith, posts: true };
const nightly: TableExample[] = [
	{ file: 'products-overnight.json', ...SHEET, maxBriefs: 30 },
	{ file: 'products-in-airtable.json', tableWith: airtableWith, maxBriefs: 10, posts: false },
	// Version 1 has no data tables.
	...(isNewest
		? [
				{
					file: 'products-in-data-table.json',
					tableWith: dataTableWith,
					maxBriefs: 10,
					posts: false,
				},
			]
		: []),
];
const all: TableExample[] = [
	{ file: 'product-sheet-to-slack.json', ...SHEET, maxBriefs: 10 },
	...nightly,
];

const OLD_LINK = 'https://app.example.com/briefs/1';
const LONG_ID = '1729384756102938475';
const matching = (text: string | RegExp) => expect.stringMatching(text) as string;

/** The examples that read products from a table and write links into it. */
export function examplesWithTables(): void {
	describe.each(all)('the example workflow $file', ({ file, tableWith, posts }) => {
		it('orders complete rows only, and writes link or reason into each once', async () => {
			const service = await serviceWith();
			const table = await tableWith([
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
			const saved = await useExample(file, service, table.values);
			const posted = newMessages();
			const failed = { status: 'brief_failed', link: '', note: matching(/product_unavailable/) };
			const invalid = { status: 'invalid_input', link: '', note: matching(/'Product Name'/) };
			const untouched = { status: '', link: '', note: '' };
			const done = { ...untouched, link: OLD_LINK };
			await runUntil(saved, async () => (await table.saved())[3]?.status === 'brief_failed');
			const [serum, oil] = service.sandbox.briefs();
			expect(serum!.input).toMatchObject({
				product_name: 'Glow Serum',
				product_id: LONG_ID,
				audience: 'Commuters',
				approved_facts: 'Vegan',
			});
			expect(await table.saved()).toEqual([
				ready(serum),
				untouched,
				ready(oil),
				failed,
				invalid,
				done,
				invalid,
			]);
			const briefs = posted('briefs').join('\n');
			const alerts = posted('alerts').join('\n');
			for (const { id } of [serum!, oil!]) expect(count(briefs, id)).toBe(posts ? 1 : 0);
			for (const name of ['A-4: ', 'A-5: ', 'A-7: '])
				expect(count(alerts, name)).toBe(posts ? 1 : 0);
			expect(briefs + alerts).not.toContain('undefined');

			// The user completes a row. The other rows have other item numbers than before.
			await table.edit(1, { isComplete: true, name: 'Lip Balm' });
			await runUntil(saved, async () => (await table.saved())[1]?.status === 'ready');
			const balm = service.sandbox.briefs().at(-1);
			expect(await table.saved()).toEqual([
				ready(serum),
				ready(balm),
				ready(oil),
				failed,
				invalid,
				done,
				invalid,
			]);
			expect(service.sandbox.createdCount()).toBe(4);
			expect(count(posted('briefs').join('\n'), 'http')).toBe(posts ? 3 : 0);
			expect(posted('alerts').join('\n')).toBe(alerts);

			// Another reason.
			await table.edit(4, { name: 'Old Cream (discontinued)' });
			await runUntil(saved, async () => (await table.saved())[4]?.status === 'brief_failed');
			expect(count(posted('alerts').join('\n'), 'A-5: ')).toBe(posts ? 2 : 0);
			await run(saved);
			expect(count(posted('alerts').join('\n'), 'A-5: ')).toBe(posts ? 2 : 0);
			expect(service.sandbox.createdCount()).toBe(5);
		}, 240_000);

		it('pays once and reports every brief if n8n was killed in the middle', async () => {
			// The service forgets keys at once, so that only the list prevents a second payment.
			const service = await serviceWith({ keyMemoryMs: 1, speed: SPEED / 8 });
			const table = await tableWith([
				{ isComplete: true, name: 'Glow Serum' },
				{ isComplete: true, name: 'Lip Oil' },
			]);
			const saved = await useExample(file, service, table.values);
			const posted = newMessages();
			await client().startManually(saved);
			await untilCreated(service, 2);
			await n8n().server.kill();
			await n8n().server.restart();
			expect(service.sandbox.createdCount()).toBe(2);
			await runUntil(saved, async () => (await table.saved()).every(({ link }) => link !== ''));
			const [serum, oil] = service.sandbox.briefs();
			expect(await table.saved()).toEqual([ready(serum), ready(oil)]);
			expect(service.sandbox.createdCount()).toBe(2);
			const briefs = posted('briefs').join('\n');
			for (const { id } of [serum!, oil!]) expect(count(briefs, id)).toBe(posts ? 1 : 0);
			expect(posted('alerts')).toEqual([]);
		}, 240_000);

		it('posts and saves nothing with Check Only on', async () => {
			const service = await serviceWith();
			const { sandbox } = service;
			sandbox.addBrief({ status: 'ready', product_name: 'Lip Oil' });
			const table = await tableWith([
				{ isComplete: true, name: 'Lip Oil' },
				{ isComplete: true, name: 'Glow Serum' },
				{ isComplete: true, name: 'Glow Serum' },
				{ isComplete: true, name: 'x' },
			]);
			const saved = await useExample(file, service, {
				...table.values,
				'"operation":"create"': '"operation":"create","checkOnly":true',
			});
			const before = await table.saved();
			const posted = newMessages();
			await run(saved);
			expect(await table.saved()).toEqual(before);
			expect([...posted('briefs'), ...posted('alerts')]).toEqual([]);
			expect(service.count('create_brief')).toBe(0);
		});
	});

	describe.each(nightly)('the example workflow $file', ({ file, tableWith, maxBriefs }) => {
		it('leaves rows beyond a limit of 2 for the next run, without an alert', async () => {
			const service = await serviceWith();
			const table = await tableWith(
				['Glow Serum', 'Lip Oil', 'Lamp'].map((name) => ({ isComplete: true, name })),
			);
			const saved = await useExample(file, service, {
				...table.values,
				[`"maxBriefs":${maxBriefs}`]: '"maxBriefs":2',
			});
			const posted = newMessages();
			const statuses = async () => (await table.saved()).map(({ status }) => status);
			await run(saved);
			expect(await statuses()).toEqual(['ready', 'ready', 'limit_reached']);
			expect(service.sandbox.createdCount()).toBe(2);
			await run(saved);
			expect(await statuses()).toEqual(['ready', 'ready', 'ready']);
			expect(service.sandbox.createdCount()).toBe(3);
			expect(posted('alerts')).toEqual([]);
		});
	});
}

async function run(saved: SavedWorkflow): Promise<void> {
	const done = await client().runManually(saved);
	expect(done.describe()).toMatch(/^execution \d+ success/);
}

/** Runs an example again and again, as its schedule does. */
async function runUntil(saved: SavedWorkflow, isDone: () => Promise<boolean>): Promise<void> {
	const ask = async () => {
		await run(saved);
		return (await isDone()) || undefined;
	};
	const lateText = () => 'The runs did not bring the example to its end.';
	await pollUntil(ask, { timeoutMs: 90_000, everyMs: 500, lateText });
}

async function untilCreated({ sandbox }: Service, number: number): Promise<void> {
	const ask = () => Promise.resolve(sandbox.createdCount() >= number || undefined);
	await pollUntil(ask, { timeoutMs: 60_000, lateText: () => `${sandbox.createdCount()} briefs` });
}

function ready(brief: { id: string } | undefined): object {
	return { status: 'ready', link: matching(brief?.id ?? 'no brief'), note: '' };
}

function count(text: string, part: string): number {
	return text.split(part).length - 1;
}
