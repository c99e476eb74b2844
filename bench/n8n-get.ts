import { pollUntil } from '../harness/process/poll-until';
import type { N8nClient } from '../harness/client/client';
import { rows } from '../harness/workflows/built-in-nodes';
import { type PackageNodes } from '../harness/workflows/package-nodes';
import { chain, type WorkflowNode } from '../harness/workflows/workflow';
import type { Sandbox } from '../sandbox/sandbox';
import { median, type Measured } from './table';

export const ITEMS = 500;
export const ROUNDS = 9;
/** What a service in another city takes to answer, in milliseconds; 0 is on the same machine. */
export const LATENCIES = [0, 100] as const;

/** Brief → Get beside n8n's HTTP Request node that does the same, taking turns, at each latency. */
export async function compareGet(
	client: N8nClient,
	sandbox: Sandbox,
	nodes: PackageNodes,
): Promise<Measured[]> {
	const items = Array.from({ length: ITEMS }, () => ({
		id: sandbox.addBrief({ status: 'ready' }).id,
	}));
	const contenders = [
		nodes.get({ simplify: false }),
		{ ...nodes.httpRequest(`=${sandbox.url}/briefs/{{ $json.id }}`), typeVersion: 4.5 },
	];
	const measured: Array<() => Promise<number>> = [];
	for (const node of contenders) measured.push(await timing(client, items, node));
	const lines: Measured[] = [];
	for (const latency of LATENCIES) {
		sandbox.faults.clear();
		if (latency > 0) sandbox.faults.addChance({ kind: 'slow', delayMs: latency, chance: 1 });
		const value = median(await ratios(measured));
		const network = latency === 0 ? 'without latency' : `at ${latency} ms of latency`;
		const what = `${ITEMS} items through Brief → Get ÷ through n8n’s HTTP Request, ${network}`;
		lines.push({ what, value, atMost: 1.1 });
	}
	sandbox.faults.clear();
	return lines;
}

/** The time of the first ÷ the time of the second, round by round. */
async function ratios(measured: ReadonlyArray<() => Promise<number>>): Promise<number[]> {
	const ratios: number[] = [];
	for (let round = 0; round <= ROUNDS; round += 1) {
		const times = new Map<number, number>();
		// The second finds n8n as the first has left it, so they take turns.
		for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
			times.set(place, (await measured[place]?.()) ?? NaN);
		}
		const [ours = NaN, theirs = NaN] = [times.get(0), times.get(1)];
		console.log(
			`Brief → Get ${ours} ms, HTTP Request ${theirs} ms${round === 0 ? ' (warm-up)' : ''}`,
		);
		if (round > 0) ratios.push(ours / theirs);
	}
	return ratios;
}

/** A run of the node, as in daily work and not in the editor. Gives the milliseconds that n8n notes for it. */
async function timing(
	client: N8nClient,
	items: object[],
	node: WorkflowNode,
): Promise<() => Promise<number>> {
	const path = node.name.toLowerCase().replace(/\W/g, '-');
	const webhook: WorkflowNode = {
		name: 'Start',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
	const saved = await client.createWorkflow(chain(node.name, [webhook, rows(items), node]));
	await client.publishAndWait(saved);
	return async () => {
		const before = (await client.listExecutions(saved.id)).length;
		await client.callWebhook(path, {});
		const id = await nextExecution(client, saved.id, before);
		const done = await client.waitForEnd(id);
		if (done.items(node.name).length !== items.length) throw new Error(done.describe());
		return done.runs(node.name)[0]?.executionTime ?? NaN;
	};
}

/** The workflow's newest execution, once there are more than `before`. */
function nextExecution(client: N8nClient, workflowId: string, before: number): Promise<string> {
	const ask = async () => {
		const executions = await client.listExecutions(workflowId);
		return executions.length > before ? executions[0]?.id : undefined;
	};
	return pollUntil(ask, { timeoutMs: 60_000, late: () => 'n8n started nothing on a webhook.' });
}
