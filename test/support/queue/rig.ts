import { startN8nInQueueMode, type N8nInQueueMode } from '../../../harness/queue/queue-mode';
import type { N8nWorker } from '../../../harness/server/worker';
import { pollUntil } from '../../../harness/process/poll-until';
import type { SavedWorkflow, WorkflowNode } from '../../../harness/workflows/workflow';
import { client, named, useN8n, version, type Service } from '../n8n/rig';

/** The n8n in queue mode that all parts of the suite share. */
let running: N8nInQueueMode | undefined;

export async function startQueueRig(): Promise<void> {
	running = await startN8nInQueueMode({ version });
	useN8n(running);
}

export function workers(): N8nWorker[] {
	if (!running) throw new Error('n8n is not running yet: use it within a test.');
	return running.workers;
}

/** After a test that has killed some: the next one finds all of them. */
export async function startDeadWorkers(): Promise<void> {
	const dead = (running?.workers ?? []).filter((worker) => !worker.running);
	await Promise.all(dead.map((worker) => worker.restart()));
}

/** The worker that an execution runs on, as soon as one has taken it. */
export function workerOf(executionId: string): Promise<N8nWorker> {
	return pollUntil(() => workers().find((worker) => worker.hasTaken(executionId)), {
		timeoutMs: 20_000,
		late: () => `No worker has taken execution ${executionId}.`,
	});
}

/** Waits until a service was asked for that many briefs. */
export async function untilCreated({ count }: Service, number: number): Promise<void> {
	await pollUntil(() => count('create_brief') >= number || undefined, {
		timeoutMs: 30_000,
		late: () => `${count('create_brief')} of ${number} briefs were ordered in time.`,
	});
}

/** Create’s field for the row’s own key: here the name of its product. */
export const keyed = { additionalFields: { idempotencyKey: '={{ $json.name }}' } };

/** A published workflow that begins with a webhook: what calls it starts runs on the workers. */
export class Production {
	private readonly known = new Set<string>();

	private constructor(
		readonly saved: SavedWorkflow,
		private readonly path: string,
	) {}

	/** These nodes, fed with the rows of each call. */
	static async publish(nodes: WorkflowNode[], settings: object = {}): Promise<Production> {
		const path = crypto.randomUUID();
		const all = named([webhook(path), calledRows, ...nodes]);
		const saved = await client().createWorkflow({
			...all,
			settings: { ...all.settings, ...settings },
		});
		await client().publishAndWait(saved);
		return new Production(saved, path);
	}

	/** A saved workflow, with a webhook in the place of its trigger. */
	static async of(saved: SavedWorkflow): Promise<Production> {
		const path = crypto.randomUUID();
		const { name, connections, settings } = saved;
		const nodes = saved.nodes.map((node) =>
			node.type.endsWith('Trigger') ? { ...node, ...webhook(path), name: node.name } : node,
		);
		const called = await client().createWorkflow({ name, connections, settings, nodes });
		await client().publishAndWait(called);
		return new Production(called, path);
	}

	/** Starts a run with these items, does not wait for it, and returns the execution's ID. */
	async start(items: object[] = []): Promise<string> {
		await client().callWebhook(this.path, { rows: items });
		const isNew = ({ id }: { id: string }) => !this.known.has(id);
		const id = await pollUntil(
			async () => (await client().listExecutions(this.saved.id)).find(isNew)?.id,
			{ timeoutMs: 20_000, late: () => 'The call of the webhook started no execution.' },
		);
		this.known.add(id);
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
