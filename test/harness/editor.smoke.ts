import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8nEditor } from '../../harness/client/editor';
import type { N8nWithPackage } from '../../harness/n8n-with-package';
import { cacheRoot } from '../../harness/paths';
import { start } from '../../harness/workflows/built-in-nodes';
import { chain, type SavedWorkflow, type WorkflowNode } from '../../harness/workflows/workflow';
import { STARTING_MS, startSmokeN8n } from '../support/harness/smoke-n8n';

let n8n: N8nWithPackage;
let editor: N8nEditor;
let saved: SavedWorkflow;
let credential: { id: string; name: string };

beforeAll(async () => {
	n8n = await startSmokeN8n();
	const { type, data } = n8n.slack.credential;
	credential = await n8n.client.createCredential(type, 'Slack', data);
	const fields: WorkflowNode = {
		name: 'Edit Fields',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {},
	};
	const post: WorkflowNode = {
		name: 'Post',
		type: 'n8n-nodes-base.slack',
		typeVersion: 2.3,
		parameters: {
			select: 'channel',
			channelId: { __rl: true, mode: 'list', value: 'C0BRIEFS01' },
			text: 'A brief is ready',
			otherOptions: {},
		},
		credentials: { [type]: credential },
	};
	saved = await n8n.client.createWorkflow(chain('Editor', [start, fields, post]));
	editor = await N8nEditor.open(n8n.client);
}, STARTING_MS);

afterAll(async () => {
	// What the editor showed last tells why a test failed.
	await editor.screenshot(join(cacheRoot, 'screenshots', 'last.png'));
	await editor.close();
	await n8n.dispose();
}, 60_000);

describe('The harness drives n8n’s editor', () => {
	it('runs the workflow that is open', async () => {
		await editor.openWorkflow(saved.id);
		await editor.runWorkflow();
		expect(n8n.slack.messages).toHaveLength(1);
		await editor.clearMessages();
	});

	it('opens a node’s form, and runs that node alone', async () => {
		await editor.openNode('Edit Fields');
		await editor.runNode();
		await editor.clearMessages();
		await editor.closeNode();
		expect(n8n.slack.messages).toHaveLength(1);
	});

	it('opens a node’s actions in the panel', async () => {
		await editor.openNodePanel('slack');
		await editor.openPanelItem('Slack');
		const panel = editor.page.getByTestId('node-creator');
		expect(await panel.innerText()).toContain('Send a message');
	});

	it('opens the list of a resource locator', async () => {
		await editor.openWorkflow(saved.id);
		await editor.openNode('Post');
		await editor.openList('channelId');
		const entries = await editor.page.getByTestId('rlc-item').allInnerTexts();
		// The one that is selected comes first.
		expect(entries.map((entry) => entry.trim())).toEqual(['briefs', 'alerts']);
	});

	it('shows an execution', async () => {
		const [execution] = await n8n.client.finishedExecutions(saved.id);
		await editor.openExecution(saved.id, execution!.id);
		expect(await editor.page.locator('body').innerText()).toContain(`ID#${execution!.id}`);
	});

	it('shows a credential and what came of its test', async () => {
		await editor.openCredential(credential.id);
		await editor.waitForCredentialTest();
		const dialog = editor.page.getByRole('dialog').first();
		expect(await dialog.innerText()).toContain('Connection tested successfully');
	});

	it('takes a screenshot', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'screenshot-'));
		const file = join(folder, 'editor.png');
		await editor.screenshot(file);
		const contents = await readFile(file);
		expect(contents.subarray(1, 4).toString()).toBe('PNG');
		await rm(folder, { recursive: true });
	});
});
