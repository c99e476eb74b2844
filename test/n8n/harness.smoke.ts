import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { N8nClient } from '../../scripts/n8n/client';
import { installN8n } from '../../scripts/n8n/install';
import { N8nServer } from '../../scripts/n8n/server';
import { workflow, type WorkflowNode } from '../../scripts/n8n/workflow';

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
	const server = await timed('n8n started', () => N8nServer.start({ n8n }));
	try {
		const client = new N8nClient(server.url);
		await client.setUpOwner();
		const types = await client.nodeTypes();
		assert.ok(types.some(({ name }) => name === 'n8n-nodes-base.httpRequest'));
		console.log(`${types.length} node types`);

		await runsByHand(client, echo.url);
		await stops(client, echo.url);
		await answersWebhooks(client);
		await firesOnSchedule(client, server);
		await timed('n8n stopped', () => server.stop());
	} catch (error) {
		console.error(server.log.split('\n').slice(-40).join('\n'));
		throw error;
	} finally {
		await server.dispose();
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

async function firesOnSchedule(client: N8nClient, server: N8nServer): Promise<void> {
	const schedule: WorkflowNode = {
		name: 'Schedule',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: {
			rule: { interval: [{ field: 'cronExpression', expression: everySecondSecond }] },
		},
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

// "*" for the seconds is refused by n8n, a list of fixed seconds is not.
const everySecondSecond = `${Array.from({ length: 30 }, (_, n) => n * 2).join(',')} * * * * *`;

async function startEcho(): Promise<{ server: Server; url: string }> {
	const server = createServer((incoming, answer) => {
		const { searchParams, pathname } = new URL(incoming.url ?? '/', 'http://localhost');
		if (pathname === '/slow') return;
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
