import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../../harness/client/editor';
import { temporaryFolder } from '../../support/temporary-folder';
import { TestProgram } from '../support/test-program';

jest.setTimeout(120_000);

describe('report.html in Chromium, opened from disk', () => {
	const folder = temporaryFolder();
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

	async function open(html: string): Promise<void> {
		const path = join(folder, 'report.html');
		writeFileSync(path, html);
		await page.goto(pathToFileURL(path).href);
	}

	/** Returns the page of a run that leaves rows of most statuses. */
	async function makeReport(): Promise<string> {
		const program = new TestProgram({ failed: (index) => index === 1 });
		const rows = ['Mug,Bakers', 'Pan,Cooks', 'n/a,x', 'M?sli,Hikers', 'Cup,Kids', 'Rug,Owners'];
		program.write('products.csv', 'Product Name,Audience', ...rows);
		await program.run('run products.csv --max 3');
		program.write('products.csv', 'Product Name,Audience', ...rows, 'Lamp,Readers');
		await program.run(`run products.csv --max 1 --name ${'client-'.repeat(12)}`);
		return program.readFile('report.html');
	}

	const VIEWS = ['light', 'dark'].flatMap((scheme) =>
		[1200, 390].map((width) => ({ scheme: scheme as 'light' | 'dark', width })),
	);

	test.each(VIEWS)(
		'is accessible and fits the window: $scheme, $width wide',
		async ({ scheme, width }) => {
			await page.emulateMedia({ colorScheme: scheme });
			await page.setViewportSize({ width, height: 800 });
			await open(await makeReport());
			expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
			await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
			const { violations } = await page.evaluate<{
				violations: Array<{ id: string; nodes: Array<{ html: string }> }>;
			}>('axe.run()');
			expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
			expect(problems).toEqual([]);
		},
	);

	test('runs no script, whatever got into the page', async () => {
		const attack = '<img src=x onerror="document.title = \'attacked\'">';
		await open((await makeReport()).replace('<main>', () => `<main>${attack}`));
		expect(await page.title()).toContain('creator briefs');
		expect(problems.join()).toContain('Content Security Policy');
	});
});
