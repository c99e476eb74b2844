import { pollUntil } from '../../../harness/process/poll-until';
import type { SavedWorkflow, WorkflowNode } from '../../../harness/workflows/workflow';
import { client, testWorkflow } from './rig';

/** A published workflow that begins with a webhook: what calls it starts a run as any trigger does. */
export class Production {
	private readonly knownIds = new Set<string>();

	private constructor(
		readonly workflow: SavedWorkflow,
		private readonly path: string,
	) {}

	/** These nodes, fed with the rows of each call. */
	static async publish(nodes: WorkflowNode[], settings: object = {}): Promise<Production> {
		const path = crypto.randomUUID();
		const all = testWorkflow([webhook(path), calledRows, ...nodes]);
		const workflow = await client().createWorkflow({
			...all,
			settings: { ...all.settings, ...settings },
		});
		await client().publishAndWait(workflow);
		return new Production(workflow, path);
	}

	/** A saved workflow, with a webhook in the place of its trigger. */
	static async of(source: SavedWorkflow): Promise<Production> {
		const path = crypto.randomUUID();
		const { name, connections, settings } = source;
		const nodes = source.nodes.map((node) =>
			node.type.endsWith('Trigger') ? { ...node, ...webhook(path), name: node.name } : node,
		);
		const called = await client().createWorkflow({ name, connections, settings, nodes });
		await client().publishAndWait(called);
		return new Production(called, path);
	}

	/** Starts a run with these items, does not wait for it, and returns the execution's ID. */
	async start(items: object[] = []): Promise<string> {
		await client().callWebhook(this.path, { rows: items });
		const isNew = ({ id }: { id: string }) => !this.knownIds.has(id);
		const id = await pollUntil(
			async () => (await client().listExecutions(this.workflow.id)).find(isNew)?.id,
			{ timeoutMs: 20_000, lateText: () => 'The call of the webhook started no execution.' },
		);
		this.knownIds.add(id);
		return id;
	}
}

function webhook(path: string): WorkflowNode {
	const parameters = { httpMethod: 'POST', path, options: {} };
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters,
		webhookId: path,
	};
}

const calledRows: WorkflowNode = {
	name: 'Rows',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.rows', options: {} },
};
