import type { N8nWithPackage } from '../../harness/n8n-with-package';
import { rows, start } from '../../harness/workflows/built-in-nodes';
import { pollEverySeconds } from '../../harness/workflows/schedules';
import { chain, type WorkflowNode } from '../../harness/workflows/workflow';
import { STARTING_MS, startSmokeN8n } from '../support/harness/smoke-n8n';

let n8n: N8nWithPackage;

beforeAll(async () => {
	n8n = await startSmokeN8n();
}, STARTING_MS);

afterAll(() => n8n.dispose(), 60_000);

describe('Slack', () => {
	async function post(channel: string): Promise<WorkflowNode> {
		const { type, data } = n8n.slack.credential;
		return {
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
			credentials: { [type]: await n8n.client.createCredential(type, 'Slack', data) },
		};
	}

	it('the credential is tested with the right token and with a wrong one', async () => {
		const { type, data } = n8n.slack.credential;
		expect((await n8n.client.testCredential(type, data)).status).toBe('OK');
		const wrong = { ...data, accessToken: 'xoxb-wrong' };
		expect((await n8n.client.testCredential(type, wrong)).status).toBe('Error');
	});

	it('a message reaches its channel', async () => {
		const nodes = [start, await post('#briefs')];
		const execution = await n8n.client.createAndRun(chain('Slack', nodes));
		expect(execution.describe()).toContain('success');
		expect(n8n.slack.messages).toMatchObject([{ channel: 'briefs', text: 'Brief 2 is ready' }]);
	});

	it('a channel that does not exist is an error', async () => {
		const nodes = [start, await post('#nowhere')];
		const execution = await n8n.client.createAndRun(chain('No such channel', nodes));
		expect(execution.status).toBe('error');
	});

	it('the node lists the channels', async () => {
		const page = await n8n.client.listSearch(await post(''), 'channelId', 'getChannels');
		expect(page.results.map(({ name }) => name)).toEqual(['alerts', 'briefs']);
	});
});

describe('Google Sheets', () => {
	async function sheet(
		operation: string,
		columns?: Record<string, unknown>,
	): Promise<WorkflowNode> {
		const { type, data } = n8n.sheets.credential;
		return {
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
			credentials: { [type]: await n8n.client.createCredential(type, 'Google', data) },
		};
	}

	async function run(items: object[], node: WorkflowNode) {
		const execution = await n8n.client.createAndRun(chain('Sheet', [start, rows(items), node]));
		expect(execution.describe()).toContain('success');
		return execution;
	}

	it('rows are appended, updated and read', async () => {
		n8n.sheets.addSheet('products', 'Briefs', [
			['product_id', 'status'],
			['11111', 'queued'],
		]);
		const mapped = { mappingMode: 'autoMapInputData', matchingColumns: [] };
		const byId = { ...mapped, matchingColumns: ['product_id'] };
		const appended = [
			{ product_id: '22222', status: 'queued' },
			{ product_id: '33333', status: 'queued' },
		];
		await run(appended, await sheet('append', mapped));
		const appendedOrUpdated = [
			{ product_id: '22222', status: 'ready' },
			{ product_id: '44444', status: 'ready', url: 'https://example.com/4' },
		];
		await run(appendedOrUpdated, await sheet('appendOrUpdate', byId));
		await run([{ product_id: '11111', status: 'failed' }], await sheet('update', byId));
		expect(n8n.sheets.records('products', 'Briefs')).toEqual([
			{ product_id: '11111', status: 'failed', url: '' },
			{ product_id: '22222', status: 'ready', url: '' },
			{ product_id: '33333', status: 'queued', url: '' },
			{ product_id: '44444', status: 'ready', url: 'https://example.com/4' },
		]);
		const read = await run([{}], await sheet('read'));
		expect(read.json('Sheet').map(({ product_id, status }) => [product_id, status])).toEqual([
			['11111', 'failed'],
			['22222', 'ready'],
			['33333', 'queued'],
			['44444', 'ready'],
		]);
	});

	it('the trigger fires on a new row', async () => {
		const { client, sheets } = n8n;
		const { type, data } = sheets.oauthCredential('googleSheetsTriggerOAuth2Api');
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
			credentials: { [type]: await client.createCredential(type, 'For triggers', data) },
		};
		const saved = await client.createWorkflow(chain('Sheet trigger', [trigger]));
		await client.publishAndWait(saved);
		sheets.appendRow('watched', 'Products', ['New']);
		const [execution] = await client.waitForExecutions(saved.id, 1, 20_000);
		expect(execution!.json('New row')).toEqual([{ name: 'New' }]);
		await client.unpublish(saved.id);
	});
});

it('no host without a stand-in was asked for', () => {
	expect(n8n.vendors.refused).toEqual([]);
});
