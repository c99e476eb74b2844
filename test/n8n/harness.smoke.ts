import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { N8nClient } from '../../harness/client/client';
import { installN8n } from '../../harness/install/install-n8n';
import { installIntoUserFolder, packPackage } from '../../harness/install/community-package';
import { LocalVendors } from '../../harness/vendors/local-vendors';
import { pollEverySeconds, scheduleEverySeconds } from '../../harness/workflows/schedules';
import { freshUserFolder, N8nServer } from '../../harness/server/server';
import { SheetsStandIn } from '../../harness/vendors/sheets';
import { SlackStandIn } from '../../harness/vendors/slack';
import { workflow, type WorkflowNode } from '../../harness/workflows/workflow';
import { provesSheets, provesSheetsTrigger, provesSlack } from './vendors.smoke';

/** Proves the harness itself, on n8n's built-in nodes. Run: npx tsx test/n8n/harness.smoke.ts [n8n version] */

const manual: WorkflowNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};
const threeItems: WorkflowNode = {
	name: 'Three',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode: 'return [1, 2, 3].map((n) => ({ json: { n } }));' },
};
const request = (url: string): WorkflowNode => ({
	name: 'Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: { url: `=${url}/echo?n={{ $json.n }}`, options: {} },
});

async function main(): Promise<void> {
	const echo = await startEcho();
	const n8n = await installN8n(process.argv[2]);
	const slack = new SlackStandIn();
	const sheets = new SheetsStandIn();
	const vendors = await LocalVendors.start([slack, sheets]);
	const userFolder = await freshUserFolder();
	const probe = await packPackage(join(__dirname, 'probe'));
	await timed('probe package installed', () => installIntoUserFolder(probe, userFolder));
	await probe.remove();
	const server = await timed('n8n started', () =>
		N8nServer.start({ n8n, userFolder, env: vendors.env }),
	);
	try {
		const client = new N8nClient(server.url);
		await client.setUpOwner();
		const types = await client.nodeTypes();
		assert.ok(types.some(({ name }) => name === 'n8n-nodes-base.httpRequest'));
		console.log(`${types.length} node types`);

		await runsByHand(client, echo.url);
		await stops(client, echo.url);
		await answersWebhooks(client);
		await takesAFormWithAFile(client);
		await drivesACommunityPackage(client, echo.url);
		await timed('Slack node', () => provesSlack(client, slack, vendors));
		await timed('Google Sheets node', () => provesSheets(client, sheets));
		await timed('Google Sheets Trigger', () => provesSheetsTrigger(client, sheets));
		await firesOnSchedule(client, server);
		console.log(`hosts refused by the proxy: ${vendors.refused.join(', ') || 'none'}`);
		await timed('n8n stopped', () => server.stop());
	} catch (error) {
		console.error(server.log.split('\n').slice(-40).join('\n'));
		throw error;
	} finally {
		await server.dispose();
		await rm(userFolder, { recursive: true, force: true });
		await vendors.stop();
		echo.server.close();
	}
}

async function runsByHand(client: N8nClient, url: string): Promise<void> {
	const nodes = [manual, threeItems, request(url)];
	const wires: Array<[string, string]> = [
		['Start', 'Three'],
		['Three', 'Request'],
	];
	const execution = await timed('manual run', () =>
		client.createAndRun(workflow('By hand', nodes, wires)),
	);
	assert.equal(execution.status, 'success', execution.describe());
	assert.deepEqual(
		execution.json('Request').map(({ n }) => n),
		['1', '2', '3'],
	);
	const failing = await client.createAndRun(
		workflow('Fails', [manual, request('http://127.0.0.1:1')], [['Start', 'Request']]),
	);
	assert.equal(failing.status, 'error');
	assert.match(failing.nodeError('Request')?.message ?? '', /refused/i);
}

async function stops(client: N8nClient, url: string): Promise<void> {
	const slow = { ...request(url), parameters: { url: `${url}/slow`, options: {} } };
	const saved = await client.createWorkflow(
		workflow('Slow', [manual, slow], [['Start', 'Request']]),
	);
	const id = await client.startManually(saved);
	await sleep(1_000);
	assert.equal((await client.getExecution(id)).status, 'running');
	const execution = await timed('stopped in mid-run', async () => {
		await client.stopExecution(id);
		return client.waitForEnd(id, 5_000);
	});
	assert.equal(execution.status, 'canceled', execution.describe());
}

async function answersWebhooks(client: N8nClient): Promise<void> {
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
	const saved = await client.createWorkflow(
		workflow('Webhook', [hook, split], [['Hook', 'Split']]),
	);
	await timed('published', () => client.publishAndWait(saved));
	await client.callWebhook('items', [{ n: 1 }, { n: 2 }]);
	const [execution] = await client.waitForExecutions(saved.id, 1);
	assert.equal(execution!.mode, 'webhook');
	assert.deepEqual(execution!.json('Split'), [{ n: 1 }, { n: 2 }]);
	await client.unpublish(saved.id);
	await assert.rejects(client.callWebhook('items', []), /404/);
}

async function takesAFormWithAFile(client: N8nClient): Promise<void> {
	const form: WorkflowNode = {
		name: 'Form',
		type: 'n8n-nodes-base.formTrigger',
		typeVersion: 2.2,
		parameters: {
			formTitle: 'Upload',
			formFields: {
				values: [
					{ fieldLabel: 'Batch' },
					{ fieldLabel: 'Products', fieldType: 'file', multipleFiles: false },
				],
			},
			options: { path: 'upload' },
		},
	};
	const saved = await client.createWorkflow(workflow('Form', [form]));
	await client.publishAndWait(saved);
	const file = new File(['product_name\nLamp\n'], 'products.csv', { type: 'text/csv' });
	await client.submitForm('upload', ['November', file]);
	const [execution] = await client.waitForExecutions(saved.id, 1);
	const [item] = execution!.items('Form');
	assert.equal(item!.json['Batch'], 'November', execution!.describe());
	assert.equal((await client.readBinary(item!, 'Products')).toString(), 'product_name\nLamp\n');
	await client.unpublish(saved.id);
}

async function drivesACommunityPackage(client: N8nClient, url: string): Promise<void> {
	const names = (await client.nodeTypes()).map(({ name }) => name);
	assert.ok(names.includes('n8n-nodes-harness-probe.probe'));
	assert.ok(!names.includes('n8n-nodes-harness-probe.probeTool'));

	const data = { baseUrl: url, apiKey: 'right' };
	const tested = await client.testCredential('probeApi', data);
	assert.equal(tested.status, 'OK', tested.message);
	assert.equal(
		(await client.testCredential('probeApi', { ...data, apiKey: 'wrong' })).status,
		'Error',
	);
	const credential = await client.createCredential('probeApi', 'Probe', data);
	const node: WorkflowNode = {
		name: 'Probe',
		type: 'n8n-nodes-harness-probe.probe',
		typeVersion: 1,
		parameters: { thing: { mode: 'list', value: '1' } },
		credentials: { probeApi: credential },
	};
	const execution = await client.createAndRun(
		workflow('Community node', [manual, node], [['Start', 'Probe']]),
	);
	assert.deepEqual(execution.json('Probe'), [{ key: 'Bearer right' }], execution.describe());

	const page = await client.listSearch(node, 'thing', 'searchThings', { filter: 'x' });
	assert.deepEqual(page.results[0], { name: 'x 1', value: '1' });
	const next = await client.listSearch(node, 'thing', 'searchThings', {
		paginationToken: page.paginationToken!,
	});
	assert.equal(next.results[0]?.value, '2');

	const trigger: WorkflowNode = {
		name: 'Poll',
		type: 'n8n-nodes-harness-probe.probeTrigger',
		typeVersion: 1,
		parameters: { pollTimes: pollEverySeconds(2) },
	};
	const polling = await client.createWorkflow(workflow('Polling', [trigger]));
	const byHand = await client.runManually(polling);
	assert.deepEqual(byHand.json('Poll'), [{ count: 1, mode: 'manual' }]);
	await client.publishAndWait(polling);
	const polled = await timed('polled three times', () =>
		client.waitForExecutions(polling.id, 4, 30_000),
	);
	const counts = polled.slice(1, 4).map((run) => run.json('Poll')[0]);
	assert.deepEqual(
		counts,
		[1, 2, 3].map((count) => ({ count, mode: 'trigger' })),
	);
	await client.unpublish(polling.id);
}

async function firesOnSchedule(client: N8nClient, server: N8nServer): Promise<void> {
	const schedule: WorkflowNode = {
		name: 'Schedule',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: scheduleEverySeconds(2),
	};
	const saved = await client.createWorkflow(
		workflow('Schedule', [schedule, threeItems], [['Schedule', 'Three']]),
	);
	await client.publishAndWait(saved);
	await timed('schedule fired twice', () => client.waitForExecutions(saved.id, 2, 20_000));

	await timed('killed and started again', async () => {
		await server.kill();
		await server.restart();
	});
	const before = await client.finishedExecutions(saved.id);
	await timed('schedule fired after the restart', () =>
		client.waitForExecutions(saved.id, before.length + 1, 40_000),
	);
	await client.unpublish(saved.id);
}

async function startEcho(): Promise<{ server: Server; url: string }> {
	const server = createServer((incoming, answer) => {
		const { searchParams, pathname } = new URL(incoming.url ?? '/', 'http://localhost');
		if (pathname === '/slow') return;
		if (pathname === '/probe') {
			const key = incoming.headers.authorization;
			answer.writeHead(key === 'Bearer right' ? 200 : 401, { 'content-type': 'application/json' });
			answer.end(JSON.stringify({ key }));
			return;
		}
		answer.setHeader('content-type', 'application/json');
		answer.end(JSON.stringify(Object.fromEntries(searchParams)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
	const started = Date.now();
	const result = await work();
	console.log(`${what}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
	return result;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
