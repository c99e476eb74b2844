import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser, type Locator, type Page } from 'playwright-core';
import type { N8nClient } from './client';

interface WindowSize {
	width: number;
	height: number;
	/** Pixels of a picture per pixel of the page. */
	scale?: number;
}

/** n8n's editor in Chromium, for pictures and for texts that only the editor shows. */
export class N8nEditor {
	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
		private readonly baseUrl: string,
	) {}

	/** Continues the session of a client that is logged in. */
	static async open(
		client: N8nClient,
		{ width, height, scale = 1 }: WindowSize = { width: 1440, height: 900 },
	): Promise<N8nEditor> {
		selectors.setTestIdAttribute('data-test-id');
		const browser = await openBrowser();
		const context = await browser.newContext({
			viewport: { width, height },
			deviceScaleFactor: scale,
			colorScheme: 'light',
			reducedMotion: 'reduce',
		});
		const { browserId, authCookie } = client.session;
		await context.addCookies([{ ...authCookie, url: client.baseUrl }]);
		// The editor sends this ID with every call, and n8n compares it with the cookie.
		const id = JSON.stringify(browserId);
		await context.addInitScript({ content: `localStorage.setItem('n8n-browserId', ${id})` });
		return new N8nEditor(browser, await context.newPage(), client.baseUrl);
	}

	/** Shows a whole workflow on the canvas. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.baseUrl}/workflow/${id}`, { waitUntil: 'domcontentloaded' });
		await this.page.getByTestId('canvas-node').first().waitFor({ timeout: 60_000 });
		await this.settle();
		await this.page.keyboard.press('1');
		await this.settle();
	}

	/** Runs the open workflow, and closes the message that n8n shows at its end. */
	async runWorkflow(timeoutMs: number): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').last().click();
		const messages = this.page.locator('.el-notification');
		await messages.first().waitFor({ timeout: timeoutMs });
		while ((await messages.count()) > 0) {
			// The message might close by itself before the click.
			const button = messages.first().locator('.el-notification__closeBtn');
			await button.click({ timeout: 1_000 }).catch(() => undefined);
			await this.settle();
		}
	}

	/** Opens the form of a node, by the node's name in the workflow. */
	async openNode(name: string): Promise<void> {
		await this.getNode(name).dblclick();
		await this.page.getByTestId('ndv').or(this.page.locator('.ndv-wrapper')).first().waitFor();
		await this.settle();
	}

	/** Takes a picture of the open form, down to its last parameter. */
	async takeForm(path: string): Promise<void> {
		await this.page.mouse.move(0, 0);
		await this.settle();
		const form = await this.page.getByTestId('node-parameters').boundingBox();
		const items = await this.page.getByTestId('parameter-item').all();
		const boxes = await Promise.all(items.map((item) => item.boundingBox()));
		const bottoms = boxes.flatMap((box) => (box ? [box.y + box.height] : []));
		if (!form) throw new Error('No form is open.');
		const height = Math.max(0, ...bottoms) + 24 - form.y;
		await this.page.screenshot({ path, clip: { ...form, height }, animations: 'disabled' });
	}

	getNode(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** The editor keeps connections open, so the network is never idle: a fixed pause is needed. */
	private async settle(): Promise<void> {
		await this.page.waitForTimeout(800);
	}
}

/** Starts the Chromium of this machine, or the browser that the variable CHROMIUM names. */
export async function openBrowser(): Promise<Browser> {
	const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
	const executablePath = process.env['CHROMIUM'] ?? installed.find((path) => existsSync(path));
	if (executablePath === undefined) {
		throw new Error(
			'No browser found. Install Chromium (Debian: apt-get install -y chromium), or set CHROMIUM to the path of a browser.',
		);
	}
	const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
	return await chromium.launch({ executablePath, args });
}
