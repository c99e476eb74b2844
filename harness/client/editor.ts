import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chromium, selectors, type Browser, type Locator, type Page } from 'playwright-core';
import type { N8nClient } from './client';

/**
 * n8n's editor in a real browser, logged in, for screenshots and for looking. The browser is the machine's own
 * (on Debian: apt-get install -y chromium), or the one the environment variable CHROMIUM names.
 */
export class N8nEditor {
	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
		private readonly baseUrl: string,
	) {}

	/** The client must be logged in already, because the browser continues its session. */
	static async open(
		client: N8nClient,
		{ width = 1440, height = 900, scale = 1 } = {},
	): Promise<N8nEditor> {
		selectors.setTestIdAttribute('data-test-id');
		const browser = await chromium.launch({
			executablePath: findBrowser(),
			args: browserArguments,
		});
		const context = await browser.newContext({
			viewport: { width, height },
			deviceScaleFactor: scale,
			colorScheme: 'light',
			reducedMotion: 'reduce',
		});
		const { browserId, authCookie } = client.session;
		await context.addCookies([{ ...authCookie, url: client.baseUrl }]);
		// The editor sends this with every call, and n8n checks it against the cookie.
		const id = JSON.stringify(browserId);
		await context.addInitScript({ content: `localStorage.setItem('n8n-browserId', ${id})` });
		const page = await context.newPage();
		return new N8nEditor(browser, page, client.baseUrl);
	}

	/** Shows a saved workflow on the canvas, whole. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.baseUrl}/workflow/${id}`, { waitUntil: 'domcontentloaded' });
		await this.page.getByTestId('canvas-node').first().waitFor({ timeout: 60_000 });
		await this.settlePage();
		await this.page.keyboard.press('1');
		await this.settlePage();
	}

	/** Runs the open workflow with its button, and waits until n8n says how it went. */
	async runWorkflow(timeoutMs = 60_000): Promise<void> {
		await this.clearMessages();
		await this.page.getByTestId('execute-workflow-button').last().click();
		await this.messages.first().waitFor({ timeout: timeoutMs });
		await this.settlePage();
	}

	/** Closes the messages in the corner, which cover what is behind them. */
	async clearMessages(): Promise<void> {
		while ((await this.messages.count()) > 0) {
			const button = this.messages.first().locator('.el-notification__closeBtn');
			// They also leave by themselves, perhaps just now.
			await button.click({ timeout: 1_000 }).catch(() => undefined);
			await this.page.waitForTimeout(400);
		}
	}

	/** Opens a node's form by the name the node has in the workflow. */
	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.page.getByTestId('ndv').or(this.page.locator('.ndv-wrapper')).first().waitFor();
		await this.settlePage();
	}

	/** Opens the panel nodes are added from, and looks for something in it. */
	async openNodePanel(search = ''): Promise<void> {
		await this.page.getByTestId('node-creator-plus-button').click();
		const input = this.page.getByTestId('node-creator').locator('input').first();
		await input.waitFor();
		if (search !== '') await input.fill(search);
		await this.settlePage();
	}

	/** Goes into an entry of the node panel: shows a node's operations, its triggers and actions. */
	async openPanelItem(name: string): Promise<void> {
		await this.page.getByTestId('node-creator').getByText(name, { exact: true }).first().click();
		await this.settlePage();
	}

	/** Opens the list of a resource locator in the open form, by the name of the parameter. */
	async openList(parameter: string): Promise<void> {
		await this.page.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').click();
		await this.page.getByTestId('rlc-item').first().waitFor();
		await this.settlePage();
	}

	/** Runs the node whose form is open, and before it the nodes that have no data yet. */
	async runNode(timeoutMs = 60_000): Promise<void> {
		await this.clearMessages();
		await this.page.getByTestId('node-execute-button').click();
		await this.messages.first().waitFor({ timeout: timeoutMs });
		await this.settlePage();
	}

	/** Shows a saved credential's form. */
	async openCredential(id: string): Promise<void> {
		await this.page.goto(`${this.baseUrl}/home/credentials/${id}`, {
			waitUntil: 'domcontentloaded',
		});
		await this.page
			.getByTestId('credential-edit-dialog')
			.or(this.page.locator('.el-dialog'))
			.first()
			.waitFor();
		await this.settlePage();
	}

	/** Waits until n8n says what came of the test that it makes of a credential whose form is opened. */
	async waitForCredentialTest(): Promise<void> {
		await this.page
			.getByText(/Connection tested successfully|Couldn.t connect/)
			.first()
			.waitFor();
		await this.settlePage();
	}

	/** A screenshot of the whole window, or of one part of it. */
	async screenshot(file: string, part?: Locator): Promise<void> {
		await mkdir(dirname(file), { recursive: true });
		await (part ?? this.page).screenshot({ path: file, animations: 'disabled' });
	}

	/** A screenshot of the open form alone, down to its last parameter or the list that is open. */
	async screenshotForm(file: string): Promise<void> {
		await this.page.mouse.move(0, 0);
		await this.settlePage();
		const form = await this.page.getByTestId('node-parameters').boundingBox();
		const parts = this.page.getByTestId('parameter-item').or(this.page.getByTestId('rlc-item'));
		const boxes = await Promise.all((await parts.all()).map((part) => part.boundingBox()));
		const bottoms = boxes.flatMap((box) => (box ? [box.y + box.height] : []));
		if (!form) throw new Error('No form is open.');
		const height = Math.max(0, ...bottoms) + 24 - form.y;
		await mkdir(dirname(file), { recursive: true });
		await this.page.screenshot({ path: file, clip: { ...form, height }, animations: 'disabled' });
	}

	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	private get messages(): Locator {
		return this.page.locator('.el-notification');
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** The editor keeps connections open, so the network is never idle: a fixed pause has to do. */
	async settlePage(): Promise<void> {
		await this.page.waitForTimeout(800);
	}
}

const browserArguments = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

export function findBrowser(): string {
	const candidates = [
		process.env['CHROMIUM'] ?? '',
		'/usr/bin/chromium',
		'/usr/bin/chromium-browser',
		'/usr/bin/google-chrome',
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	];
	const path = candidates.find((path) => path !== '' && existsSync(path));
	if (!path) {
		throw new Error(
			'No browser was found. Install Chromium (on Debian: apt-get install -y chromium) or name one in CHROMIUM.',
		);
	}
	return path;
}
