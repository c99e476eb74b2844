import assert from 'node:assert/strict';
import type { N8nClient } from '../../harness/client/client';
import type { LocalVendors } from '../../harness/vendors/local-vendors';
import { pollEverySeconds } from '../../harness/workflows/schedules';
import type { SheetsStandIn } from '../../harness/vendors/sheets';
import type { SlackStandIn } from '../../harness/vendors/slack';
import { workflow, type WorkflowNode } from '../../harness/workflows/workflow';

const start: WorkflowNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

/** n8n's own Slack node posts to the stand-in. */
export async function provesSlack(
	client: N8nClient,
	slack: SlackStandIn,
	vendors: LocalVendors,
): Promise<void> {
	const { type, data } = slack.credential;
	const tested = await client.testCredential(type, data);
	assert.equal(tested.status, 'OK', tested.message);
	const wrong = await client.testCredential(type, { ...data, accessToken: 'xoxb-wrong' });
	assert.equal(wrong.status, 'Error');

	const credential = await client.createCredential(type, 'Slack', data);
	const post = (channel: string): WorkflowNode => ({
		name: 'Post',
		type: 'n8n-nodes-base.slack',
		typeVersion: 2.3,
		parameters: {
			// Defaults, but the editor sends them too when it asks for a list.
			authentication: 'accessToken',
			resource: 'message',
			operation: 'post',
			select: 'channel',
			channelId: { __rl: true, mode: 'name', value: channel },
			text: '=Brief {{ 1 + 1 }} is ready',
			otherOptions: { includeLinkToWorkflow: false },
		},
		credentials: { [type]: credential },
	});
	const posted = await client.createAndRun(
		workflow('Slack', [start, post('#briefs')], [['Start', 'Post']]),
	);
	assert.equal(posted.status, 'success', posted.describe());
	assert.deepEqual(
		slack.messages.map(({ channel, text }) => ({ channel, text })),
		[{ channel: 'briefs', text: 'Brief 2 is ready' }],
	);
	const lost = await client.createAndRun(
		workflow('No such channel', [start, post('#nowhere')], [['Start', 'Post']]),
	);
	assert.equal(lost.status, 'error');
	const page = await client.listSearch(post(''), 'channelId', 'getChannels');
	assert.deepEqual(
		page.results.map(({ name }) => name),
		['alerts', 'briefs'],
	);
	assert.ok(vendors.requests.every(({ host }) => host === 'slack.com'));
}

/** n8n's own Google Sheets node appends, updates and reads rows of the stand-in. */
export async function provesSheets(client: N8nClient, sheets: SheetsStandIn): Promise<void> {
	const { type, data } = sheets.credential;
	const credential = await client.createCredential(type, 'Google', data);
	sheets.addSheet('products', 'Briefs', [
		['product_id', 'status'],
		['11111', 'queued'],
	]);
	const sheet = (operation: string, columns?: Record<string, unknown>): WorkflowNode => ({
		name: 'Sheet',
		type: 'n8n-nodes-base.googleSheets',
		typeVersion: 4.5,
		parameters: {
			authentication: 'serviceAccount',
			operation,
			documentId: { __rl: true, mode: 'id', value: 'products' },
			sheetName: { __rl: true, mode: 'name', value: 'Briefs' },
			...(columns ? { columns: { value: {}, schema: [], ...columns } } : {}),
			options: {},
		},
		credentials: { [type]: credential },
	});
	const rows = (json: object[]): WorkflowNode => ({
		name: 'Rows',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return ${JSON.stringify(json.map((row) => ({ json: row })))};` },
	});
	const runs = async (name: string, node: WorkflowNode, input: object[]) => {
		const execution = await client.createAndRun(
			workflow(
				name,
				[start, rows(input), node],
				[
					['Start', 'Rows'],
					['Rows', 'Sheet'],
				],
			),
		);
		assert.equal(execution.status, 'success', execution.describe());
		return execution;
	};

	const mapped = { mappingMode: 'autoMapInputData', matchingColumns: [] };
	await runs('Append', sheet('append', mapped), [
		{ product_id: '22222', status: 'queued' },
		{ product_id: '33333', status: 'queued' },
	]);
	await runs(
		'Append or update',
		sheet('appendOrUpdate', { ...mapped, matchingColumns: ['product_id'] }),
		[
			{ product_id: '22222', status: 'ready' },
			{ product_id: '44444', status: 'ready', url: 'https://example.com/4' },
		],
	);
	await runs('Update', sheet('update', { ...mapped, matchingColumns: ['product_id'] }), [
		{ product_id: '11111', status: 'failed' },
	]);
	const expected = [
		{ product_id: '11111', status: 'failed', url: '' },
		{ product_id: '22222', status: 'ready', url: '' },
		{ product_id: '33333', status: 'queued', url: '' },
		{ product_id: '44444', status: 'ready', url: 'https://example.com/4' },
	];
	assert.deepEqual(sheets.records('products', 'Briefs'), expected);
	const read = await runs('Read', sheet('read'), [{}]);
	assert.deepEqual(
		read.json('Sheet').map(({ product_id, status }) => [product_id, status]),
		// Sheets hands numbers out as numbers; the stand-in keeps what was written.
		expected.map(({ product_id, status }) => [product_id, status]),
	);
}

/** n8n's Google Sheets Trigger notices a new row. */
export async function provesSheetsTrigger(client: N8nClient, sheets: SheetsStandIn): Promise<void> {
	const { type, data } = sheets.oauthCredential('googleSheetsTriggerOAuth2Api');
	const credential = await client.createCredential(type, 'Google for triggers', data);
	sheets.addSheet('watched', 'Products', [['name'], ['Old']]);
	const trigger: WorkflowNode = {
		name: 'New row',
		type: 'n8n-nodes-base.googleSheetsTrigger',
		typeVersion: 1,
		parameters: {
			pollTimes: pollEverySeconds(2),
			documentId: { __rl: true, mode: 'id', value: 'watched' },
			sheetName: { __rl: true, mode: 'list', value: 0 },
			event: 'rowAdded',
			options: {},
		},
		credentials: { [type]: credential },
	};
	const saved = await client.createWorkflow(workflow('Sheet trigger', [trigger]));
	await client.publishAndWait(saved);
	sheets.appendRow('watched', 'Products', ['New']);
	const [execution] = await client.waitForExecutions(saved.id, 1, 20_000);
	assert.deepEqual(execution!.json('New row'), [{ name: 'New' }], execution!.describe());
	await client.unpublish(saved.id);
}
