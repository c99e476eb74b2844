import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { N8nEditor } from '../client/editor';
import { startDemo, type Demo } from '../demo';
import { repositoryRoot } from '../paths';
import { Overlay } from '../video/overlay';
import { Recorder } from '../video/recorder';
import { start } from '../workflows/built-in-nodes';
import { chain } from '../workflows/workflow';

const picture = join(repositoryRoot, 'docs', 'screenshots', 'demo.png');
const SPEED = 30;
/** Of the mouse, from one place to the next. */
const STEPS = 8;
const PRODUCT = 'Glow Serum with Vitamin C, 30 ml';

/** `npm run screenshots`, its third part: records an animated picture of half a minute, of the nodes in a real n8n on the sandbox. */
async function main(): Promise<void> {
	const demo = await startDemo(SPEED, { seed: 'demo' });
	try {
		const editor = await N8nEditor.open(demo.client, { width: 1280, height: 720 });
		try {
			const overlay = await Overlay.on(editor.page);
			const recorder = new Recorder(editor.page);
			await new Story(demo, editor, overlay, recorder).tell();
			recorder.save(picture);
			console.log(`${Math.round(recorder.seconds)} seconds: ${picture}`);
		} catch (error) {
			const stuck = join(repositoryRoot, '.cache', 'n8n', 'screenshots', 'stuck.png');
			await editor.screenshot(stuck);
			console.error(`What the editor showed then: ${stuck}`);
			throw error;
		} finally {
			await editor.close();
		}
	} finally {
		await demo.dispose();
	}
}

/** What a person sees who orders a first brief. */
class Story {
	private mouse = { x: 640, y: 560 };

	constructor(
		private readonly demo: Demo,
		private readonly editor: N8nEditor,
		private readonly overlay: Overlay,
		private readonly recorder: Recorder,
	) {}

	async tell(): Promise<void> {
		const workflow = await this.demo.client.createWorkflow(chain('My first brief', [start]));
		await this.editor.openWorkflow(workflow.id);
		await this.addNode('Add a node: search for “brief” …', 'brief', 'Create brief');
		await this.orderBrief();
	}

	/** Looks for an action in the node panel and adds it behind the start. */
	private async addNode(caption: string, search: string, action: string): Promise<void> {
		await this.say(caption, 2);
		await this.click(this.editor.node(start.name));
		await this.point(this.editor.page.getByTestId('node-creator-plus-button'));
		await this.editor.openNodePanel();
		const panel = this.editor.page.getByTestId('node-creator');
		await this.type(panel.locator('input').first(), search);
		await this.recorder.hold(1.5);
		await this.click(panel.getByText('Creator Briefing', { exact: true }).first());
		await this.recorder.hold(1.5);
		await this.click(panel.getByText(action, { exact: true }).first());
		await this.recorder.hold(1);
	}

	private async orderBrief(): Promise<void> {
		const { page } = this.editor;
		await this.say('The name of the product is all that it needs', 1);
		const name = page.getByTestId('parameter-input-productName').locator('input, textarea').first();
		await this.click(name);
		await this.type(name, PRODUCT);
		await this.say('Wait Until Ready gives the finished brief', 1);
		await this.click(page.getByTestId('parameter-input-waitUntilReady').locator('.el-switch'));
		await this.recorder.hold(2);
		await this.execute('A brief takes three to six minutes. The node waits …');
		await this.say('… and here it is, ready for creators', 1);
		await this.showFields();
		await this.recorder.hold(6);
	}

	/** Executes the open node. The wait is not in the picture. */
	private async execute(caption: string): Promise<void> {
		await this.say(caption, 1);
		await this.point(this.editor.page.getByTestId('node-execute-button'));
		const end = this.editor.runNode(180_000);
		await this.recorder.film(3);
		await end;
		await this.editor.clearMessages();
	}

	/** Shows the output of the open node with a line for each field. */
	private async showFields(): Promise<void> {
		const output = this.editor.page.getByTestId('output-panel');
		await this.click(output.getByText('Schema', { exact: true }));
	}

	private async say(text: string, seconds: number): Promise<void> {
		await this.overlay.caption(text);
		await this.recorder.hold(seconds);
	}

	private async type(target: Locator, text: string): Promise<void> {
		for (const letter of text) {
			await target.press(letter === ' ' ? 'Space' : letter);
			await this.recorder.frame();
		}
	}

	private async click(target: Locator): Promise<void> {
		await this.point(target);
		await target.click();
		await this.editor.settlePage();
	}

	/** Moves the mouse there as a hand does. */
	private async point(target: Locator): Promise<void> {
		await target.scrollIntoViewIfNeeded();
		const box = await target.boundingBox();
		if (box === null) throw new Error('There is nothing to point at.');
		const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
		const from = this.mouse;
		for (let step = 1; step <= STEPS; step += 1) {
			const share = step / STEPS;
			this.mouse = {
				x: from.x + (to.x - from.x) * share,
				y: from.y + (to.y - from.y) * share,
			};
			await this.editor.page.mouse.move(this.mouse.x, this.mouse.y);
			await this.recorder.frame();
		}
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
