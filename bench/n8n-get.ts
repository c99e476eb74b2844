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

/**
 * Brief → Get, and Create for items that all have briefs, beside n8n's HTTP Request node that gets the same briefs, taking
 * turns, at each latency.
 */
export async function compareGets(
	client: N8nClient,
	sandbox: Sandbox,
	nodes: PackageNodes,
): Promise<Measured[]> {
	const items = Array.from({ length: ITEMS }, (_, index) => {
		const name = `Lamp ${index}`;
		return { name, id: sandbox.addBrief({ product_name: name, status: 'ready' }).id };
	});
	const get = nodes.get({ simplify: false });
	const create = nodes.create({ simplify: false, waitUntilReady: true });
	const theirs = {
		...nodes.httpRequest(`=${sandbox.url}/briefs/{{ $json.id }}`),
		typeVersion: 4.5,
	};
	const [getTime, createTime, theirTime] = [
		await timing(client, items, get),
		await timing(client, items, create),
		await timing(client, items, theirs),
	];
	const lines: Measured[] = [];
	for (const [what, ours] of [
		['Brief → Get', getTime],
		['Brief → Create, all there,', createTime],
	] as const) {
		for (const latency of LATENCIES) {
			sandbox.faults.clear();
			if (latency > 0) sandbox.faults.addChance({ kind: 'slow', delayMs: latency, chance: 1 });
			const value = median(await ratios(what, [ours, theirTime]));
			const network = latency === 0 ? 'without latency' : `at ${latency} ms of latency`;
			const whole = `${ITEMS} items through ${what} ÷ through n8n’s HTTP Request, ${network}`;
			lines.push({ what: whole, value, atMost: 1.1 });
		}
	}
	sandbox.faults.clear();
	const before = sandbox.requests.length;
	await createTime();
	const requests = sandbox.requests.slice(before).length / ITEMS;
	lines.push({ what: '… requests for each item', value: requests, atMost: 1.02 });
	return lines;
}

/** The time of the first ÷ the time of the second, round by round. */
async function ratios(
	what: string,
	measured: ReadonlyArray<() => Promise<number>>,
): Promise<number[]> {
	const ratios: number[] = [];
	for (let round = 0; round <= ROUNDS; round += 1) {
		const times = new Map<number, number>();
		// The second finds n8n as the first has left it, so they take turns.
		for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
			times.set(place, (await measured[place]?.()) ?? NaN);
		}
		const [ours = NaN, theirs = NaN] = [times.get(0), times.get(1)];
		console.log(`${what} ${ours} ms, HTTP Request ${theirs} ms${round === 0 ? ' (warm-up)' : ''}`);
		if (round > 0) ratios.push(ours / theirs);
	}
	return ratios;
}

/** A run of the node, as in daily work and not in the editor. Gives the milliseconds that n8n notes for it. */
export async function timing(
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
