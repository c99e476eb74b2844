import { join } from 'node:path';
import { N8nClient } from '../../harness/client/client';
import { N8nEditor } from '../../harness/client/editor';
import { installN8n } from '../../harness/install/install-n8n';
import { LocalVendors } from '../../harness/vendors/local-vendors';
import { cacheRoot } from '../../harness/paths';
import { N8nServer } from '../../harness/server/server';
import { SlackStandIn } from '../../harness/vendors/slack';
import { workflow, type WorkflowNode } from '../../harness/workflows/workflow';

/**
 * Proves that the editor can be driven, on n8n's built-in nodes, and leaves screenshots to look at under
 * .cache/n8n/screenshots. Run: npx tsx test/n8n/editor.smoke.ts [n8n version]
 */
async function main(): Promise<void> {
	const n8n = await installN8n(process.argv[2]);
	const slack = new SlackStandIn();
	const vendors = await LocalVendors.start([slack]);
	const server = await N8nServer.start({ n8n, env: vendors.env });
	const client = new N8nClient(server.url);
	try {
		await client.setUpOwner();
		const { type, data } = slack.credential;
		const credential = await client.createCredential(type, 'Slack', data);
		const saved = await client.createWorkflow(
			workflow('Editor', nodes({ [type]: credential }), [
				['Start', 'Edit Fields'],
				['Edit Fields', 'Post'],
			]),
		);
		const execution = await client.runManually(saved);

		const editor = await N8nEditor.open(client);
		const folder = join(cacheRoot, 'screenshots', n8n.version);
		const shot = (name: string) => editor.screenshot(join(folder, `${name}.png`));
		try {
			await editor.openWorkflow(saved.id);
			await shot('workflow');
			await editor.runWorkflow();
			await shot('run');
			await editor.clearMessages();
			await editor.openNode('Edit Fields');
			await shot('form');
			await editor.runNode();
			await shot('form-run');
			await editor.clearMessages();
			await editor.closeNode();
			await editor.openNodePanel('slack');
			await shot('panel');
			await editor.openPanelItem('Slack');
			await shot('panel-actions');
			await editor.openWorkflow(saved.id);
			await editor.openNode('Post');
			await editor.openList('channelId');
			await shot('list');
			await editor.openExecution(saved.id, execution.id);
			await shot('execution');
			await editor.openCredential(credential.id);
			await shot('credential');
		} catch (error) {
			await shot('stuck');
			throw error;
		} finally {
			await editor.close();
		}
		console.log(`Screenshots: ${folder}`);
	} finally {
		await server.dispose();
		await vendors.stop();
	}
}

function nodes(credentials: NonNullable<WorkflowNode['credentials']>): WorkflowNode[] {
	return [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{ name: 'Edit Fields', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} },
		{
			name: 'Post',
			type: 'n8n-nodes-base.slack',
			typeVersion: 2.3,
			parameters: {
				select: 'channel',
				channelId: { __rl: true, mode: 'list', value: 'C0BRIEFS01' },
				text: 'A brief is ready',
				otherOptions: {},
			},
			credentials,
		},
	];
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
