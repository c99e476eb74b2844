import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8nEditor, openBrowser } from '../harness/client/editor';
import { startDemo, type Demo } from '../harness/demo';
import { repositoryRoot } from '../harness/paths';
import { nothing, rows, start } from '../harness/workflows/built-in-nodes';
import { PackageNodes } from '../harness/workflows/package-nodes';
import { workflow, type WorkflowNode } from '../harness/workflows/workflow';
import { runOnSandbox } from './run-on-sandbox';

/**
 * `npm run screenshots`: takes all pictures in docs/screenshots (n8n's editor) and batch/pictures (the report of
 * brief-batch), with Chromium and the sandbox.
 */
async function main(): Promise<void> {
	await takeReport(join(repositoryRoot, 'batch', 'pictures', 'report.png'));
	const demo = await startDemo(30, { seed: 'screenshots' });
	try {
		// High enough for the longest form.
		await withEditor(demo, { height: 2100, scale: 1.5 }, (editor) => takeForms(editor, demo));
		await withEditor(demo, { height: 540 }, (editor) => takeRun(editor, demo));
		await withEditor(demo, { height: 620 }, (editor) => takeLoop(editor, demo));
	} finally {
		await demo.dispose();
	}
}

const NO_BRIEF = { __rl: true, mode: 'list', value: '' };

function getPath(name: string): string {
	return join(repositoryRoot, 'docs', 'screenshots', `${name}.png`);
}

/** Takes a picture of the report after a run with the example products. */
async function takeReport(path: string): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'report-'));
	// The report shows the name of this folder as the client's name.
	const client = join(folder, 'acme');
	mkdirSync(client);
	const browser = await openBrowser();
	try {
		cpSync(join(repositoryRoot, 'examples', 'products.csv'), join(client, 'products.csv'));
		const exitCode = await runOnSandbox(['run', 'products.csv', '--yes'], client, 'ignore');
		if (exitCode !== 1) throw new Error(`brief-batch ended with ${exitCode}, not with 1.`);
		const page = await browser.newPage({ viewport: { width: 1200, height: 1260 } });
		const report = readFileSync(join(client, 'briefs', 'report.html'), 'utf8');
		// Commands name a folder that is not temporary.
		await page.setContent(report.replaceAll(folder, '/srv'));
		await page.screenshot({ path });
	} finally {
		await browser.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function withEditor(
	{ client }: Demo,
	size: { height: number; scale?: number },
	work: (editor: N8nEditor) => Promise<void>,
): Promise<void> {
	const editor = await N8nEditor.open(client, { width: 1280, ...size });
	try {
		await work(editor);
	} finally {
		await editor.close();
	}
}

/** Takes pictures of the forms of Create and of Get Many Hooks. */
async function takeForms(editor: N8nEditor, { client, credential }: Demo): Promise<void> {
	const nodes = new PackageNodes(credential);
	const create = nodes.create({
		productName: 'Glow Serum with Vitamin C, 30 ml',
		audience: 'Women of 25 to 40 who are new to skincare routines',
		approvedFacts: 'Dermatologically tested. Free of parabens.',
		waitUntilReady: true,
		additionalFields: {
			creativeDirection: 'Natural light, no studio, first person',
			productId: '1729384756102938475',
		},
		options: { reuseWithinDays: 90, timeout: 90 },
	});
	const getHooks = nodes.action('Get many hooks', 'hook', 'getAll', {
		categories: ['Beauty & skincare', 'Wellness'],
		options: { q: 'before and after' },
		sort: { sortBy: 'units_sold' },
	});
	const forms = [{ ...create, name: 'Create brief' }, getHooks];
	const { id } = await client.createWorkflow(workflow('Forms', forms));
	for (const { name } of forms) {
		await editor.openWorkflow(id);
		await editor.openNode(name);
		await editor.takeForm(getPath(`form-${name.toLowerCase().replaceAll(' ', '-')}`));
	}
}

/** Takes pictures of a run with two briefs that became ready and one that failed. */
async function takeRun(editor: N8nEditor, { client, credential }: Demo): Promise<void> {
	const nodes = new PackageNodes(credential);
	const products = [
		{ name: 'Glow Serum with Vitamin C, 30 ml' },
		{ name: 'Retired Hair Serum (discontinued)' },
		{ name: 'Foldable Phone Stand' },
	];
	const flow = workflow(
		'Products → briefs',
		[
			moveTo(0, 200, start),
			moveTo(200, 200, rows(products, 'Products')),
			moveTo(400, 200, { ...nodes.create(), name: 'Create brief' }),
			moveTo(600, 200, { ...nodes.wait({ briefId: NO_BRIEF }), name: 'Wait until ready' }),
			moveTo(900, 40, nothing('Post the brief')),
			// At the height of the output, so that the line does not cross the name of the next output.
			moveTo(900, 216, nothing('Alert')),
		],
		[
			['Start', 'Products'],
			['Products', 'Create brief'],
			['Create brief', 'Wait until ready'],
			['Wait until ready', 0, 'Post the brief'],
			['Wait until ready', 1, 'Alert'],
		],
	);
	const { id } = await client.createWorkflow(flow);
	await editor.openWorkflow(id);
	await editor.runWorkflow(180_000);
	await takeCanvas(editor, 'run');
	// Wide enough for the names of all outputs.
	await editor.page.setViewportSize({ width: 1480, height: 760 });
	await editor.openNode('Wait until ready');
	await editor.page.mouse.move(0, 0);
	await editor.page.screenshot({ path: getPath('run-output'), animations: 'disabled' });
}

/** Takes a picture of a loop, with the waiting of Create. */
async function takeLoop(editor: N8nEditor, { client, credential }: Demo): Promise<void> {
	const loop = {
		name: 'Loop Over Items',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { options: {} },
	};
	const create = new PackageNodes(credential).create({ waitUntilReady: true });
	const flow = workflow(
		'Loop',
		[
			moveTo(0, 200, start),
			moveTo(200, 200, rows([], 'Products')),
			moveTo(400, 200, loop),
			moveTo(660, 300, { ...create, name: 'Create brief' }),
			moveTo(660, 80, nothing('Post the digest')),
		],
		[
			['Start', 'Products'],
			['Products', 'Loop Over Items'],
			['Loop Over Items', 0, 'Post the digest'],
			['Loop Over Items', 1, 'Create brief'],
			['Create brief', 'Loop Over Items'],
		],
	);
	const { id } = await client.createWorkflow(flow);
	await editor.openWorkflow(id);
	await takeCanvas(editor, 'loop');
}

/** Takes a picture of the canvas without the buttons that would hide nodes and lines. */
async function takeCanvas({ page }: N8nEditor, name: string): Promise<void> {
	const buttons = [
		'node-creator-plus-button',
		'command-bar-button',
		'add-sticky-button',
		'toggle-focus-panel-button',
		'instance-ai-canvas-action-button',
		'execute-workflow-button',
	];
	const selector = buttons.map((id) => `[data-test-id="${id}"]`).join(', ');
	const style = `${selector} { visibility: hidden; }`;
	await page.screenshot({ path: getPath(name), animations: 'disabled', style });
}

function moveTo(x: number, y: number, node: WorkflowNode): WorkflowNode {
	return { ...node, position: [x, y] };
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
