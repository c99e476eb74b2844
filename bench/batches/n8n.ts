import { randomUUID } from 'node:crypto';
import { hasEnded } from '../../harness/client/execution';
import type { N8nWithPackage } from '../../harness/n8n-with-package';
import { pollUntil } from '../../harness/process/poll-until';
import { CREDENTIAL_TYPE, PackageNodes } from '../../harness/workflows/package-nodes';
import type { Workflow } from '../../harness/workflows/workflow';
import {
	POLL_SECONDS,
	type Batch,
	type Contender,
	type Host,
	type PreparedBatch,
} from './contender';
import { buildCreateWorkflow, buildHttpRequestWorkflow, type Connections } from './workflows';

const TIMEOUT_MS = 30 * 60_000;

/** The contenders that are workflows of one n8n. */
export function useN8n(n8n: N8nWithPackage): Host {
	const inN8n = (name: string, build: Builder, executions: object[]): Contender => ({
		name,
		prepare: (batch) => prepare(n8n, batch, build, executions),
	});
	return {
		contenders: [
			inN8n('n8n, Create', buildCreateWorkflow, [{}]),
			inN8n('n8n, HTTP Request', buildHttpRequestWorkflow, [{ lane: 0 }, { lane: 1 }]),
		],
		kill: async () => {
			await n8n.server.kill();
			await n8n.server.restart();
		},
	};
}

type Builder = (connections: Connections) => Workflow;

/** @param executions the bodies with which the webhook is called, once for each execution */
async function prepare(
	{ client, sheets }: N8nWithPackage,
	{ sandbox, products }: Batch,
	build: Builder,
	executions: object[],
): Promise<PreparedBatch> {
	const [path, spreadsheet] = [randomUUID(), randomUUID()];
	const rows = products.map((product) => [product, '', '']);
	sheets.addSheet(spreadsheet, 'Products', [['Product Name', 'Status', 'Brief'], ...rows]);
	const { type, data } = sheets.credential;
	const google = await client.createCredential(type, 'Google Sheets', data);
	const key = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
	const credential = await client.createCredential(CREDENTIAL_TYPE, 'Sandbox', key);
	const nodes = new PackageNodes(credential, POLL_SECONDS);
	const baseUrl = sandbox.url;
	const flow = await client.createWorkflow(build({ baseUrl, nodes, path, spreadsheet, google }));
	await client.publishAndWait(flow);
	let started = 0;
	return {
		execute: async () => {
			for (const body of executions) await client.callWebhook(path, body);
			started += executions.length;
		},
		waitForEnd: async () => {
			const check = async () => {
				const all = await client.listExecutions(flow.id);
				return all.length >= started && all.every(hasEnded) ? all : undefined;
			};
			const getTimeoutMessage = () => `${flow.name} did not end.`;
			const all = await pollUntil(check, {
				timeoutMs: TIMEOUT_MS,
				everyMs: 500,
				getTimeoutMessage,
			});
			const failed = all.slice(0, executions.length).find(({ status }) => status !== 'success');
			if (failed) throw new Error((await client.getExecution(failed.id)).describe());
		},
	};
}
