import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nClient } from '../../harness/client/client';
import { isOver } from '../../harness/client/execution';
import { startN8nWithPackage, type N8nWithPackage } from '../../harness/n8n-with-package';
import { CREDENTIAL_TYPE, PackageNodes } from '../../harness/workflows/package-nodes';
import type { SavedWorkflow, Workflow } from '../../harness/workflows/workflow';
import { POLL_SECONDS, readProducts, type Batch, type Contender } from './contender';
import { withHttpRequest, withOurNodes, type Parts } from './n8n-workflows';

/** A contender that is a workflow in the n8n that all of them share. */
export interface InN8n extends Contender {
	prepare(batch: Batch): Promise<PreparedBatch>;
}

/** A workflow that is published, with the products in its sheet. */
export interface PreparedBatch {
	/** Does what a person does who executes the workflow: now, or again after a kill. */
	execute(): Promise<void>;
	/** Fails if an execution of the last `execute` failed. */
	waitForEnd(): Promise<void>;
}

/** @param lanes what is sent to the webhook, once for each execution */
function contenders(n8n: N8nWithPackage): InN8n[] {
	const inN8n = (name: string, build: (parts: Parts) => Workflow, lanes: object[]): InN8n => {
		const prepare = (batch: Batch) => prepareBatch(n8n, batch, build, lanes);
		const run = async (batch: Batch) => {
			const prepared = await prepare(batch);
			await prepared.execute();
			await prepared.waitForEnd();
		};
		return { name, prepare, start: (batch) => ({ end: run(batch) }) };
	};
	return [
		inN8n(HTTP_REQUEST, withHttpRequest, [{ lane: 0 }, { lane: 1 }]),
		inN8n(OUR_NODES, withOurNodes, [{}]),
	];
}

const HTTP_REQUEST = 'n8n, HTTP Request';
const OUR_NODES = 'n8n, our Create';
export const NAMES_IN_N8N: readonly string[] = [HTTP_REQUEST, OUR_NODES];

/** Does something with a real n8n and the workflows in it. */
export async function withN8n<T>(
	work: (n8n: N8nWithPackage, contenders: InN8n[]) => Promise<T>,
): Promise<T> {
	const n8n = await startN8nWithPackage();
	try {
		return await work(n8n, contenders(n8n));
	} finally {
		await n8n.dispose();
	}
}

async function prepareBatch(
	{ client, sheets }: N8nWithPackage,
	batch: Batch,
	build: (parts: Parts) => Workflow,
	lanes: readonly object[],
): Promise<PreparedBatch> {
	const { sandbox, folder } = batch;
	const [path, spreadsheet, pollSeconds] = [randomUUID(), randomUUID(), POLL_SECONDS];
	const rows = readProducts(folder).map((product) => [product, '', '']);
	sheets.addSheet(spreadsheet, 'Products', [['Product Name', 'Status', 'Brief'], ...rows]);
	const google = sheets.oauthCredential;
	const account = await client.createCredential(google.type, 'Google Sheets', google.data);
	const key = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
	const credential = await client.createCredential(CREDENTIAL_TYPE, 'Sandbox', key);
	const nodes = new PackageNodes(credential, pollSeconds);
	const parts = { sandbox, nodes, path, spreadsheet, sheets: account, pollSeconds };
	const flow = await client.createWorkflow(build(parts));
	await client.publishAndWait(flow);
	let executions = 0;
	return {
		execute: async () => {
			for (const lane of lanes) await client.callWebhook(path, lane);
			executions += lanes.length;
		},
		waitForEnd: () => untilOver(client, flow, executions, lanes.length),
	};
}

/** Waits until all executions of a workflow are over, and insists on the success of the newest ones. */
async function untilOver(
	client: N8nClient,
	{ id, name }: SavedWorkflow,
	count: number,
	newestCount: number,
): Promise<void> {
	for (;;) {
		const executions = await client.listExecutions(id);
		if (executions.length >= count && executions.every(isOver)) {
			const failure = executions.slice(0, newestCount).find(({ status }) => status !== 'success');
			if (!failure) return;
			const execution = await client.getExecution(failure.id);
			throw new Error(`${name}: ${execution.describe()}`);
		}
		await sleep(500);
	}
}
