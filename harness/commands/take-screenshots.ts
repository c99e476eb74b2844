import { join } from 'node:path';
import { N8nEditor } from '../client/editor';
import { nothing, rows, start } from '../workflows/built-in-nodes';
import { PackageNodes } from '../workflows/package-nodes';
import { repositoryRoot } from '../paths';
import { startDemo, type Demo } from '../demo';
import {
	workflow,
	type SavedWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../workflows/workflow';

const folder = join(repositoryRoot, 'docs', 'screenshots');
const SPEED = 30;
const NO_BRIEF = { __rl: true, mode: 'list', value: '' };

/** `npm run screenshots`, its second part: the pictures in docs/screenshots, of the nodes in n8n's editor. */
async function main(): Promise<void> {
	const demo = await startDemo(SPEED, { seed: 'screenshots' });
	try {
		const forms = await demo.client.createWorkflow(formsWorkflow(demo));
		// High enough for the longest form.
		await withEditor(demo, { height: 1700, scale: 1.5 }, (editor) => takeForms(editor, forms));
		await withEditor(demo, { height: 760 }, async (editor) => {
			await takePanel(editor, demo);
			await takeRun(editor, demo);
			await editor.openCredential(demo.credential.id);
			await editor.waitForCredentialTest();
			await editor.screenshot(fileOf('credential'), editor.page.getByRole('dialog').first());
		});
	} finally {
		await demo.dispose();
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
	} catch (error) {
		const stuck = join(repositoryRoot, '.cache', 'n8n', 'screenshots', 'stuck.png');
		await editor.screenshot(stuck);
		console.error(`What the editor showed then: ${stuck}`);
		throw error;
	} finally {
		await editor.close();
	}
}

function fileOf(name: string): string {
	return join(folder, `${name}.png`);
}

async function takePanel(editor: N8nEditor, { examples }: Demo): Promise<void> {
	const behind = examples.find(({ name }) => name.startsWith('Brief finished'));
	await editor.openWorkflow(behind?.id ?? '');
	const panel = editor.page.getByTestId('node-creator');
	await editor.openNodePanel('creator brief');
	await editor.openPanelItem('Creator Briefing');
	await editor.screenshot(fileOf('node-panel-actions'), panel);
}

async function takeForms(editor: N8nEditor, { id, nodes }: SavedWorkflow): Promise<void> {
	for (const { name } of nodes) {
		await editor.openWorkflow(id);
		await editor.openNode(name);
		if (name === 'Get brief') await editor.openList('briefId');
		await editor.screenshotForm(fileOf(`form-${name.toLowerCase().replace(/\W+/g, '-')}`));
	}
}

/** The forms that nodes/README.md and docs/n8n.md show. */
function formsWorkflow({ credential }: Demo): Workflow {
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
		options: { whenSlotsBusy: 'wait', reuseWithinDays: 90, timeout: 90 },
	});
	const actions = [
		{ ...create, name: 'Create brief' },
		{ ...nodes.get({ briefId: NO_BRIEF, options: { markdownFile: true } }), name: 'Get brief' },
		nodes.action('Get many hooks', 'hook', 'getAll', {
			categories: ['Beauty & skincare', 'Wellness'],
			options: { q: 'before and after', sort: 'units_sold' },
		}),
	];
	const hooks = nodes.trigger('hooksRefreshed', {
		pollTimes: { item: [{ mode: 'everyHour' }] },
		categories: ['Wellness'],
		onlyNewHooks: true,
		options: { limit: 50 },
	});
	const briefs = nodes.trigger('briefFinished', {
		pollTimes: { item: [{ mode: 'everyMinute' }] },
	});
	return workflow('Every form', [
		...actions.map((node, index) => at(node, index * 200, 200)),
		at({ ...hooks, name: 'Hooks refreshed' }, 0, 400),
		at({ ...briefs, name: 'Brief finished' }, 200, 400),
	]);
}

/** A run with two briefs that became ready and one that failed, with the intervals that everybody has. */
async function takeRun(editor: N8nEditor, { client, credential }: Demo): Promise<void> {
	const nodes = new PackageNodes(credential);
	const products = [
		{ name: 'Glow Serum with Vitamin C, 30 ml' },
		{ name: 'Retired Hair Serum (discontinued)' },
		{ name: 'Foldable Phone Stand' },
	];
	const flow = await client.createWorkflow(
		workflow(
			'Products → briefs',
			[
				at(start, 0, 200),
				at(rows(products, 'Products'), 200, 200),
				at({ ...nodes.create(), name: 'Create brief' }, 400, 200),
				at({ ...nodes.wait({ briefId: NO_BRIEF }), name: 'Wait until ready' }, 600, 200),
				at(nothing('Post the brief'), 860, 100),
				at(nothing('Alert'), 860, 300),
			],
			[
				['Start', 'Products'],
				['Products', 'Create brief'],
				['Create brief', 'Wait until ready'],
				['Wait until ready', 0, 'Post the brief'],
				['Wait until ready', 1, 'Alert'],
			],
		),
	);
	const size = editor.page.viewportSize() ?? { width: 1280, height: 760 };
	// Low, so that a page that begins with this picture has room for more.
	await editor.page.setViewportSize({ ...size, height: 480 });
	await editor.openWorkflow(flow.id);
	await editor.runWorkflow(180_000);
	await editor.clearMessages();
	await editor.screenshot(fileOf('run'));
	await editor.page.setViewportSize(size);
	await editor.openNode('Wait until ready');
	await editor.screenshot(fileOf('run-output'));
}

function at(node: WorkflowNode, x: number, y: number): WorkflowNode {
	return { ...node, position: [x, y] };
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
