import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../../harness/client/editor';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { TestProgram } from '../support/test-program';

jest.setTimeout(120_000);

describe('report.html in Chromium, opened from disk', () => {
	const file = join(makeTemporaryFolder(), 'report.html');
	let browser: Browser;
	let page: Page;
	let problems: string[];

	beforeAll(async () => {
		browser = await openBrowser();
	});
	afterAll(() => browser.close());
	beforeEach(async () => {
		page = await browser.newPage();
		problems = [];
		page.on('console', (message) => problems.push(message.text()));
		page.on('pageerror', (error) => problems.push(String(error)));
		page.on('request', (request) => {
			if (!request.url().startsWith('file:')) problems.push(request.url());
		});
	});
	afterEach(() => page.close());

	/** Opens the page of a run that leaves rows of most statuses. */
	async function openReport(change = (html: string) => html): Promise<void> {
		const program = new TestProgram();
		program.shouldFail = ({ product_name }) => product_name === 'Pan';
		const rows = ['Mug,Bakers', 'Pan,Cooks', 'n/a,x', 'M?sli,Hikers', 'Cup,Kids', 'Rug,Owners'];
		program.write('products.csv', 'Product Name,Audience', ...rows);
		await program.type('run products.csv --max 3');
		program.write('products.csv', 'Product Name,Audience', ...rows, 'Lamp,Readers');
		await program.type(`run products.csv --max 1 --name ${'client-'.repeat(12)}`);
		writeFileSync(file, change(program.readFile('report.html')));
		await page.goto(pathToFileURL(file).href);
	}

	test.each([
		['light', 1200],
		['light', 390],
		['dark', 1200],
		['dark', 390],
	] as const)('is accessible and fits the window: %s, %d wide', async (colorScheme, width) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		await openReport();
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
		await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
		const { violations } = await page.evaluate<{ violations: unknown[] }>('axe.run()');
		expect(violations).toEqual([]);
		expect(problems).toEqual([]);
	});

	test('runs no script, even if the page contains one', async () => {
		const attack = '<img src=x onerror="document.title = \'attacked\'">';
		await openReport((html) => html.replace('<main>', () => `<main>${attack}`));
		expect(await page.title()).toContain('creator briefs');
		expect(problems.join()).toContain('Content Security Policy');
	});
});
