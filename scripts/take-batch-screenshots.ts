import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from '../harness/client/editor';
import { briefBatch, repositoryRoot } from '../harness/paths';
import { runCommand } from '../harness/process/run-command';
import { pageOfTerminal } from '../harness/video/terminal-page';
import { IN_FAST_TIME, startFastSandbox } from '../test/support/fast-clock/fast-sandbox';

const pictures = join(repositoryRoot, 'batch', 'pictures');
const COLUMNS = 120;
const SPEED = 60;

/** Runs brief-batch on the sandbox, and takes the pictures in batch/pictures: the first part of `npm run screenshots`. */
async function main(): Promise<void> {
	const root = mkdtempSync(join(tmpdir(), 'batch-screenshots-'));
	// The report shows the folder's name as the client's.
	const folder = join(root, 'acme');
	mkdirSync(folder);
	const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
	try {
		cpSync(join(repositoryRoot, 'examples', 'products.csv'), join(folder, 'products.csv'));
		const command = 'brief-batch run products.csv';
		const screen = await runInTerminal(folder, 'run products.csv --yes');
		await takeTerminal(browser, await pageOfTerminal(`$ ${command}\r\n${screen}`, COLUMNS));
		await takeReport(browser, join(folder, 'briefs', 'report.html'));
	} finally {
		await browser.close();
		rmSync(root, { recursive: true, force: true });
	}
}

/** Returns what brief-batch prints on a terminal, which `script` of util-linux provides. */
async function runInTerminal(folder: string, args: string): Promise<string> {
	const fast = { speed: SPEED, seed: 'example', failureShare: 0 };
	const { sandbox, clock } = await startFastSandbox(fast);
	try {
		// Two rows of the example end without a brief, and so the command with 1.
		const node = `'${process.execPath}' ${IN_FAST_TIME.join(' ')}`;
		const command = `stty cols ${COLUMNS} rows 24; ${node} '${briefBatch}' ${args}; test $? -le 1`;
		return await runCommand('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
			cwd: folder,
			env: {
				...process.env,
				...clock.env,
				TERM: 'xterm-256color',
				TZ: 'UTC',
				CREATOR_BRIEFING_BASE_URL: sandbox.url,
				CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
			},
			timeoutMs: 120_000,
		});
	} finally {
		await sandbox.close();
	}
}

async function takeTerminal(browser: Browser, html: string): Promise<void> {
	const page = await browser.newPage();
	await page.setContent(html);
	await page.locator('pre').screenshot({ path: join(pictures, 'terminal.png') });
	await page.close();
}

async function takeReport(browser: Browser, report: string): Promise<void> {
	const page = await browser.newPage({ viewport: { width: 1200, height: 1260 } });
	await page.goto(pathToFileURL(report).href);
	await page.screenshot({ path: join(pictures, 'report.png') });
	await page.close();
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
