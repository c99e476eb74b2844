import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findBrowser } from '../../../harness/client/editor';
import type { RowResult } from '../../../batch/results/row-result';
import { Batch, idOf, START } from '../../support/batch/report-fixtures';
import { temporaryFolder } from '../../support/temporary-folder';
import { MINUTE } from '../../support/time';

jest.setTimeout(120_000);

describe('report.html in Chromium, opened from disk', () => {
	const folder = temporaryFolder();
	let browser: Browser;
	let page: Page;
	let problems: string[];

	beforeAll(async () => {
		browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
	});
	afterAll(() => browser.close());
	beforeEach(async () => {
		page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
		problems = [];
		page.on('console', (message) => problems.push(message.text()));
		page.on('pageerror', (error) => problems.push(String(error)));
		page.on('request', (request) => {
			if (!request.url().startsWith('file:')) problems.push(request.url());
		});
	});
	afterEach(() => page.close());

	/** The address of a file with this page. */
	function saved(html: string): string {
		const path = join(folder, 'page.html');
		writeFileSync(path, html);
		return pathToFileURL(path).href;
	}

	async function open(batch: Batch, hash = ''): Promise<void> {
		await page.goto(saved(await batch.report()) + hash);
	}

	/** Of three rows the first is ready, the second has failed, the third is invalid, and so on. */
	async function batchOf(n: number): Promise<Batch> {
		const batch = new Batch();
		const rows: Partial<RowResult>[] = [];
		for (let i = 0; i < n; i++) {
			const product = `${['Lamp', 'Mug', 'Mat'][(i % 5) % 3]} No ${i + 1}`;
			if (i % 3 > 0) {
				const status = i % 3 === 1 ? 'failed' : 'invalid';
				rows.push({ cells: [product], status, error: 'No' });
				continue;
			}
			const facts = { product_name: product, title: `Story ${i + 1}`, id: idOf(i + 1) };
			const file = await batch.finish(facts, START + i * MINUTE);
			const brief = { brief_id: idOf(i + 1), file: `results/${file}.md` };
			rows.push({ cells: [product], status: 'ready', ...brief });
		}
		await batch.results(rows);
		return batch;
	}

	async function shown(): Promise<string[]> {
		const texts = await page.locator('#rows > :visible').allTextContents();
		return texts.map((text) => text.trim().split('\n')[0] ?? '');
	}

	it('finds rows by words of product and title, and by status, and all of them again', async () => {
		await open(await batchOf(9));
		expect(await shown()).toHaveLength(9);
		await page.fill('#find input', 'LAMP no');
		expect(await shown()).toHaveLength(4);
		await page.click('#find button.ready');
		expect(await shown()).toEqual([
			'Story 1Row 2 · Lamp No 1 · finished 20 Nov 2026, 09:04 UTC · took 4 min',
			'Story 4Row 5 · Lamp No 4 · finished 20 Nov 2026, 09:07 UTC · took 4 min',
		]);
		expect(await page.textContent('#find output')).toBe('2 found');
		await page.click('#find button.failed');
		await page.fill('#find input', '');
		expect(await shown()).toHaveLength(6);
		await page.fill('#find input', 'story 7');
		expect(await shown()).toHaveLength(1);
		await page.fill('#find input', 'nothing like it');
		expect(await shown()).toEqual([]);
		expect(await page.textContent('#find output')).toBe('0 found');
		await page.fill('#find input', '');
		for (const status of ['ready', 'failed']) await page.click(`#find button.${status}`);
		expect(await shown()).toHaveLength(9);
		expect(await page.textContent('#find output')).toBe('');
		expect(problems).toEqual([]);
	});

	it('opens the brief that a link leads to, also one that the search has left out', async () => {
		await open(await batchOf(9));
		await page.fill('#find input', 'mug');
		await page.click('nav a[href="#brief-2"]');
		await page.waitForSelector('#brief-2 details[open]');
		expect(await page.inputValue('#find input')).toBe('');
		expect(await shown()).toHaveLength(9);
		expect(problems).toEqual([]);
	});

	it('opens it from the address too', async () => {
		await open(await batchOf(9), '#brief-3');
		expect(await page.locator('#brief-3 details[open]').count()).toBe(1);
	});

	it('shows all rows, and no search, if scripts are switched off', async () => {
		const context = await browser.newContext({ javaScriptEnabled: false });
		const own = await context.newPage();
		await own.goto(saved(await (await batchOf(9)).report()));
		expect(await own.locator('#rows > :visible').count()).toBe(9);
		expect(await own.locator('#find').isVisible()).toBe(false);
		await context.close();
	});

	it('runs no script of a brief, whatever got into the page', async () => {
		const batch = await batchOf(3);
		const attack =
			'<script>document.title = "attacked"</script><img src=x onerror="document.title = \'attacked\'">';
		const attacked = (await batch.report()).replace('<p>Start on', () => `${attack}<p>Start on`);
		await page.goto(saved(attacked));
		expect(await page.title()).toBe('Autumn launch · creator briefs');
		expect(problems.join()).toContain('Content Security Policy');
	});

	it.each([1000, 20_000])(
		'searches %i rows without a noticeable wait, and is no wider than a phone',
		async (n) => {
			const batch = new Batch();
			const file = await batch.finish({ product_name: 'Lamp' });
			await batch.results(
				Array.from({ length: n }, (_, i) => ({
					cells: [`Product ${i + 1} with a name of some length`],
					status: 'ready' as const,
					brief_id: i === 0 ? idOf(1) : `b${i}`,
					file: `results/${file}.md`,
				})),
			);
			await page.setViewportSize({ width: 390, height: 800 });
			await open(batch);
			expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
			const took = await page.evaluate(`
			const box = document.querySelector('#find input');
			const times = ['product 99', 'product 999', ''].map((text) => {
				const began = performance.now();
				box.value = text;
				box.dispatchEvent(new Event('input'));
				document.body.getBoundingClientRect();
				return performance.now() - began;
			});
			Math.max(...times);
		`);
			// On a machine without other work a tenth of that.
			expect(took).toBeLessThan(1500);
			expect(problems).toEqual([]);
		},
	);

	it.each([10, 200])('is printed with its rows and without the search: %i rows', async (n) => {
		await open(await batchOf(n));
		await page.emulateMedia({ media: 'print' });
		expect(await page.locator('#find').isVisible()).toBe(false);
		expect(await page.locator('nav').isVisible()).toBe(false);
		const rows = await page.locator('#rows > :visible').count();
		expect(rows).toBe(n);
		const isRead = await page.locator('#brief-1 .brief').isVisible();
		// Up to fifty briefs are printed whole.
		expect(isRead).toBe(n === 10);
		expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
	});

	const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

	/** What axe-core finds on the page as it is shown. */
	async function findings(): Promise<string[]> {
		await page.evaluate(AXE);
		const { violations } = await page.evaluate<{
			violations: Array<{ id: string; nodes: Array<{ html: string }> }>;
		}>('axe.run()');
		return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
	}

	const LONG = `brief-batch run products.csv --out "${'a long folder/'.repeat(12)}"`;

	/** A batch with a row of each status, and texts with headings of their own. */
	async function mixedBatch(): Promise<Batch> {
		const batch = new Batch();
		const rows: Partial<RowResult>[] = [];
		const markdowns = ['# Story 1\n\n## The hook\n\nText.\n\n### More\n\n- a', '## Deep\n\nText.'];
		for (const [at, markdown] of markdowns.entries()) {
			const facts = {
				product_name: `Lamp ${at}`,
				title: `Story ${at + 1}`,
				markdown,
				id: idOf(at + 1),
			};
			const file = await batch.finish(facts, START + at * MINUTE);
			rows.push({
				cells: [`Lamp ${at}`],
				status: 'ready',
				brief_id: idOf(at + 1),
				file: `results/${file}.md`,
			});
		}
		const others = ['failed', 'invalid', 'parked', 'changed', 'deferred', 'pending'] as const;
		for (const status of others)
			rows.push({
				cells: [status],
				status,
				error: 'Why.',
				next: [
					{ text: 'To do it:', command: LONG },
					{ text: 'If not:', command: `${LONG} --only 3` },
				],
				brief_id: status === 'failed' ? 'x' : '',
			});
		await batch.results(rows);
		batch.end();
		return batch;
	}

	const VIEWS = ['light', 'dark'].flatMap((scheme) =>
		[1200, 390].map((width) => ({ scheme: scheme as 'light' | 'dark', width })),
	);

	it.each(VIEWS)(
		'has nothing that axe-core finds: $scheme, $width wide',
		async ({ scheme, width }) => {
			const batch = await mixedBatch();
			await page.emulateMedia({ colorScheme: scheme });
			await page.setViewportSize({ width, height: 800 });
			for (const html of [await batch.report(), await batch.shared()]) {
				await page.goto(saved(html));
				expect(await findings()).toEqual([]);
				await page.evaluate(
					'for (const one of document.querySelectorAll("details")) one.open = true',
				);
				expect(await findings()).toEqual([]);
				expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
			}
			expect(problems).toEqual([]);
		},
	);

	it('shows each command on one line, and copies it', async () => {
		await page.context().grantPermissions(['clipboard-read']);
		await open(await mixedBatch());
		const commands = page.locator('.command code');
		const [first] = await commands.all();
		expect(await commands.allTextContents()).toContain(`${LONG} --only 3`);
		const heights = await page.evaluate<number[]>(
			`[...document.querySelectorAll('.command code')].map((one) => one.clientHeight)`,
		);
		expect(Math.max(...heights)).toBeLessThan(40);
		await page.locator('.command button').first().click();
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await first?.textContent());
		expect(await page.locator('.command button').first().textContent()).toBe('Copied');
		expect(problems).toEqual([]);
	});
});
