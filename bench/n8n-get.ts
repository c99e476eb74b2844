import { pollUntil } from '../harness/process/poll-until';
import type { N8nClient } from '../harness/client/client';
import { rows } from '../harness/workflows/built-in-nodes';
import { type PackageNodes } from '../harness/workflows/package-nodes';
import { chain, workflow, type Wire, type WorkflowNode } from '../harness/workflows/workflow';
import type { Sandbox } from '../sandbox/sandbox';
import { median, type Figure } from './figures-table';

export const ITEMS = 500;
export const ROUNDS = 3;
/** What a service in another city takes to answer, in milliseconds; 0 is on the same machine. */
export const LATENCIES = [0, 100] as const;

/**
 * Beside n8n's HTTP Request node that gets the same briefs, taking turns, at each latency: Brief → Get with all at a time,
 * and Create, for items that all have briefs, with the usual loop.
 */
export async function compareGets(
	client: N8nClient,
	sandbox: Sandbox,
	nodes: PackageNodes,
): Promise<Figure[]> {
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
	const createTime = await timing(client, items, create);
	const lines: Figure[] = [];
	for (const { what, peer, rounds, contenders } of [
		{
			what: 'Brief → Get',
			peer: 'n8n’s HTTP Request',
			rounds: ROUNDS,
			contenders: [await timing(client, items, get), await timing(client, items, theirs)],
		},
		{
			what: 'Create, which all have briefs,',
			peer: 'a loop with HTTP Request',
			// A round takes a minute.
			rounds: 1,
			contenders: [createTime, await timing(client, items, theirs, true)],
		},
	]) {
		for (const latency of LATENCIES) {
			sandbox.faults.clear();
			if (latency > 0) sandbox.faults.addChance({ kind: 'slow', delayMs: latency, chance: 1 });
			const value = median(await ratios(what, contenders, rounds));
			const network = latency === 0 ? 'without latency' : `at ${latency} ms of latency`;
			const whole = `${ITEMS} items through ${what} ÷ through ${peer}, ${network}`;
			lines.push({ what: whole, value, atMost: latency === 0 ? 0.8 : 1.1 });
		}
	}
	sandbox.faults.clear();
	const requestsBefore = sandbox.requests.length;
	await createTime();
	const requests = (sandbox.requests.length - requestsBefore) / ITEMS;
	lines.push({ what: '… requests for each of these items', value: requests, atMost: 1.02 });
	return lines;
}

const LOOP: WorkflowNode = {
	name: 'Loop Over Items',
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	parameters: { options: {} },
};

/** The time of the first ÷ the time of the second, round by round. */
async function ratios(
	what: string,
	contenders: ReadonlyArray<() => Promise<number>>,
	rounds: number,
): Promise<number[]> {
	const ratios: number[] = [];
	for (let round = 0; round <= rounds; round += 1) {
		const times = new Map<number, number>();
		// The second finds n8n as the first has left it, so they take turns.
		for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
			times.set(place, (await contenders[place]?.()) ?? NaN);
		}
		const [ours = NaN, theirs = NaN] = [times.get(0), times.get(1)];
		console.log(`${what} ${ours} ms, HTTP Request ${theirs} ms${round === 0 ? ' (warm-up)' : ''}`);
		if (round > 0) ratios.push(ours / theirs);
	}
	return ratios;
}

/** A run of the node, as in daily work and not in the editor. Gives the milliseconds that n8n notes for it. */
async function timing(
	client: N8nClient,
	items: object[],
	node: WorkflowNode,
	isLooped = false,
): Promise<() => Promise<number>> {
	const path = `${node.name}${isLooped ? ' looped' : ''}`.toLowerCase().replace(/\W/g, '-');
	const webhook: WorkflowNode = {
		name: 'Start',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
	const rowsOf = rows(items);
	const inTurn: Wire[] = [
		[webhook.name, rowsOf.name],
		[rowsOf.name, LOOP.name],
		[LOOP.name, 1, node.name],
		[node.name, LOOP.name],
	];
	const flow = await client.createWorkflow(
		isLooped
			? workflow(path, [webhook, rowsOf, LOOP, node], inTurn)
			: chain(path, [webhook, rowsOf, node]),
	);
	await client.publishAndWait(flow);
	return async () => {
		const before = (await client.listExecutions(flow.id)).length;
		await client.callWebhook(path, {});
		const id = await nextExecution(client, flow.id, before);
		const execution = await client.waitForEnd(id);
		const runs = execution.runs(node.name);
		const count = isLooped ? runs.length : execution.items(node.name).length;
		if (count !== items.length) throw new Error(execution.describe());
		return runs.reduce((sum, { executionTime }) => sum + executionTime, 0);
	};
}

/** The workflow's newest execution, once there are more than `before`. */
function nextExecution(client: N8nClient, workflowId: string, before: number): Promise<string> {
	const ask = async () => {
		const executions = await client.listExecutions(workflowId);
		return executions.length > before ? executions[0]?.id : undefined;
	};
	return pollUntil(ask, { timeoutMs: 60_000, lateText: () => 'n8n started nothing on a webhook.' });
}
