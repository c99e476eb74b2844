import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nWithPackage } from '../../harness/n8n-with-package';
import { nothing, rows, start } from '../../harness/workflows/built-in-nodes';
import { pollEverySeconds, scheduleEverySeconds } from '../../harness/workflows/schedules';
import { chain, type WorkflowNode } from '../../harness/workflows/workflow';
import { startEchoServer, type EchoServer } from '../support/harness/echo-server';
import { STARTING_MS, startSmokeN8n } from '../support/harness/smoke-n8n';

let n8n: N8nWithPackage;
let echo: EchoServer;

beforeAll(async () => {
	echo = await startEchoServer();
	n8n = await startSmokeN8n();
}, STARTING_MS);

afterAll(async () => {
	await n8n.dispose();
	await echo.close();
}, 60_000);

function request(url: string): WorkflowNode {
	const parameters = { url, options: {} };
	return { name: 'Request', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
}

describe('The harness drives n8n’s own nodes', () => {
	it('a run by hand gives what each node made of the items', async () => {
		const items = rows([{ n: 1 }, { n: 2 }, { n: 3 }]);
		const nodes = [start, items, request(`=${echo.url}/echo?n={{ $json.n }}`)];
		const execution = await n8n.client.createAndRun(chain('By hand', nodes));
		expect(execution.describe()).toContain('success');
		expect(execution.json('Request')).toEqual([{ n: '1' }, { n: '2' }, { n: '3' }]);
	});

	it('a run that fails tells the error of its node', async () => {
		const nodes = [start, request('http://127.0.0.1:1')];
		const execution = await n8n.client.createAndRun(chain('Fails', nodes));
		expect(execution.status).toBe('error');
		expect(execution.nodeError('Request')?.message).toMatch(/refused/i);
	});

	it('a run is stopped while a node waits for an answer', async () => {
		const { client } = n8n;
		const saved = await client.createWorkflow(chain('Slow', [start, request(`${echo.url}/slow`)]));
		const id = await client.startManually(saved);
		await sleep(1_000);
		expect((await client.getExecution(id)).status).toBe('running');
		await client.stopExecution(id);
		const execution = await client.waitForEnd(id, 5_000);
		expect(execution.status).toBe('canceled');
	});

	it('a published webhook starts runs until it is unpublished', async () => {
		const { client } = n8n;
		const hook: WorkflowNode = {
			name: 'Hook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { httpMethod: 'POST', path: 'items', responseMode: 'lastNode', options: {} },
		};
		const split: WorkflowNode = {
			name: 'Split',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body', options: {} },
		};
		const saved = await client.createWorkflow(chain('Webhook', [hook, split]));
		await client.publishAndWait(saved);
		await client.callWebhook('items', [{ n: 1 }, { n: 2 }]);
		const [execution] = await client.waitForExecutions(saved.id, 1);
		expect(execution!.mode).toBe('webhook');
		expect(execution!.json('Split')).toEqual([{ n: 1 }, { n: 2 }]);
		await client.unpublish(saved.id);
		await expect(client.callWebhook('items', [])).rejects.toThrow(/404/);
	});

	it('a form takes a file, and the file can be read', async () => {
		const { client } = n8n;
		const fields = [
			{ fieldLabel: 'Batch' },
			{ fieldLabel: 'Products', fieldType: 'file', multipleFiles: false },
		];
		const form: WorkflowNode = {
			name: 'Form',
			type: 'n8n-nodes-base.formTrigger',
			typeVersion: 2.2,
			parameters: {
				formTitle: 'Upload',
				formFields: { values: fields },
				options: { path: 'upload' },
			},
		};
		const saved = await client.createWorkflow(chain('Form', [form]));
		await client.publishAndWait(saved);
		const file = new File(['product_name\nLamp\n'], 'products.csv', { type: 'text/csv' });
		await client.submitForm('upload', ['November', file]);
		const [execution] = await client.waitForExecutions(saved.id, 1);
		const [item] = execution!.items('Form');
		expect(item!.json['Batch']).toBe('November');
		const contents = await client.readBinary(item!, 'Products');
		expect(contents.toString()).toBe('product_name\nLamp\n');
		await client.unpublish(saved.id);
	});
});

describe('The harness installs and drives a community package', () => {
	it('n8n has loaded its node', async () => {
		const names = (await n8n.client.nodeTypes()).map(({ name }) => name);
		expect(names).toContain('n8n-nodes-harness-probe.probe');
		expect(names).not.toContain('n8n-nodes-harness-probe.probeTool');
	});

	it('its credential is tested with the right key and with a wrong one', async () => {
		const verdict = async (apiKey: string) => {
			const data = { baseUrl: echo.url, apiKey };
			return (await n8n.client.testCredential('probeApi', data)).status;
		};
		expect(await verdict('right')).toBe('OK');
		expect(await verdict('wrong')).toBe('Error');
	});

	it('its node runs with its credential and fills a list page by page', async () => {
		const { client } = n8n;
		const data = { baseUrl: echo.url, apiKey: 'right' };
		const node: WorkflowNode = {
			name: 'Probe',
			type: 'n8n-nodes-harness-probe.probe',
			typeVersion: 1,
			parameters: { thing: { mode: 'list', value: '1' } },
			credentials: { probeApi: await client.createCredential('probeApi', 'Probe', data) },
		};
		const execution = await client.createAndRun(chain('Community node', [start, node]));
		expect(execution.json('Probe')).toEqual([{ key: 'Bearer right' }]);

		const list = (options: { filter?: string; paginationToken?: string }) =>
			client.listSearch(node, 'thing', 'searchThings', options);
		const page = await list({ filter: 'x' });
		expect(page.results[0]).toEqual({ name: 'x 1', value: '1' });
		const next = await list({ paginationToken: page.paginationToken! });
		expect(next.results[0]?.value).toBe('2');
	});

	it('its trigger polls by hand and, once published, every other second', async () => {
		const { client } = n8n;
		const trigger: WorkflowNode = {
			name: 'Poll',
			type: 'n8n-nodes-harness-probe.probeTrigger',
			typeVersion: 1,
			parameters: { pollTimes: pollEverySeconds(2) },
		};
		const saved = await client.createWorkflow(chain('Polling', [trigger]));
		const byHand = await client.runManually(saved);
		expect(byHand.json('Poll')).toEqual([{ count: 1, mode: 'manual' }]);
		await client.publishAndWait(saved);
		const polled = await client.waitForExecutions(saved.id, 4, 30_000);
		const counts = polled.slice(1, 4).map((run) => run.json('Poll')[0]?.['count']);
		expect(counts).toEqual([1, 2, 3]);
		await client.unpublish(saved.id);
	});
});

// Last, because n8n is killed meanwhile.
it('a schedule fires again after n8n was killed and restarted', async () => {
	const { client, server } = n8n;
	const schedule: WorkflowNode = {
		name: 'Schedule',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: scheduleEverySeconds(2),
	};
	const saved = await client.createWorkflow(chain('Schedule', [schedule, nothing('End')]));
	await client.publishAndWait(saved);
	await client.waitForExecutions(saved.id, 2, 20_000);
	await server.kill();
	await server.restart();
	const before = await client.finishedExecutions(saved.id);
	await client.waitForExecutions(saved.id, before.length + 1, 40_000);
	await client.unpublish(saved.id);
});
