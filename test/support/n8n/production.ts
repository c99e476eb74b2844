import { pollUntil } from '../../../harness/process/poll-until';
import type { SavedWorkflow, Workflow, WorkflowNode } from '../../../harness/workflows/workflow';
import { client, publish, testWorkflow } from './rig';

/** A published workflow that starts with a webhook. */
export interface Production {
	workflow: SavedWorkflow;
	/** Starts an execution with these items, and returns its ID. */
	start: (items?: object[]) => Promise<string>;
}

const calledRows: WorkflowNode = {
	name: 'Rows',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.rows', options: {} },
};

/** Publishes nodes that process the items of each call. */
export async function publishNodes(
	nodes: WorkflowNode[],
	settings: object = {},
): Promise<Production> {
	const trigger = { name: 'Trigger', type: 'Trigger', typeVersion: 1, parameters: {} };
	const workflow = testWorkflow([trigger, calledRows, ...nodes]);
	return await publishWithWebhook({
		...workflow,
		settings: { ...workflow.settings, ...settings },
	});
}

/** Publishes a workflow with a webhook in place of its trigger. */
export async function publishWithWebhook({
	name,
	nodes,
	connections,
	settings,
}: Workflow): Promise<Production> {
	const path = crypto.randomUUID();
	const webhook = {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path, options: {} },
		webhookId: path,
	};
	const called = nodes.map((node) =>
		node.type.endsWith('Trigger') ? { ...node, ...webhook } : node,
	);
	const saved = await client().createWorkflow({ name, nodes: called, connections, settings });
	const workflow = await publish(saved);
	const knownIds = new Set<string>();
	const start = async (rows: object[] = []) => {
		await client().callWebhook(path, { rows });
		const find = async () =>
			(await client().listExecutions(workflow.id)).find(({ id }) => !knownIds.has(id))?.id;
		const getTimeoutMessage = () => 'The call of the webhook started no execution.';
		const id = await pollUntil(find, { timeoutMs: 20_000, getTimeoutMessage });
		knownIds.add(id);
		return id;
	};
	return { workflow, start };
}
