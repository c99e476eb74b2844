import { readFile } from 'node:fs/promises';

/** The part of n8n's workflow format that is used here. Other fields pass through unchanged. */

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position?: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	executeOnce?: boolean;
	disabled?: boolean;
	webhookId?: string;
}

interface WorkflowConnection {
	node: string;
	type: string;
	index: number;
}

export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	/** By source node, then by kind of connection, then by output. */
	connections: Record<string, Record<string, Array<WorkflowConnection[] | null>>>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, Array<{ json: Record<string, unknown> }>>;
}

export interface SavedWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
	activeVersionId?: string | null;
}

/**
 * A workflow from its nodes and its wires. A wire is [from, to], [from, output, to] or [from, output, to, input].
 * Nodes without a place get one, from left to right.
 */
export type Wire = [string, string] | [string, number, string] | [string, number, string, number];

export function workflow(name: string, nodes: WorkflowNode[], wires: Wire[] = []): Workflow {
	const connections: Workflow['connections'] = {};
	for (const wire of wires) {
		const [from, output, to, index] =
			wire.length === 2
				? [wire[0], 0, wire[1], 0]
				: [wire[0], wire[1], wire[2], wire.length === 4 ? wire[3] : 0];
		const outputs = ((connections[from] ??= {})['main'] ??= []);
		while (outputs.length <= output) outputs.push([]);
		(outputs[output] ??= []).push({ node: to, type: 'main', index });
	}
	return {
		name,
		nodes: nodes.map((node, place) => ({
			position: [place * 220, 300] as [number, number],
			...node,
		})),
		connections,
		settings: { executionOrder: 'v1' },
	};
}

/** Nodes one after the other, each on the first output of the one before. */
export function chain(name: string, nodes: WorkflowNode[]): Workflow {
	const names = nodes.map((node) => node.name);
	const wires = names.slice(1).map((to, index): [string, string] => [names[index] ?? '', to]);
	return workflow(name, nodes, wires);
}

/** A workflow from a file, as n8n's "Import from file" reads it. */
export async function readWorkflow(file: string): Promise<Workflow> {
	return JSON.parse(await readFile(file, 'utf8')) as Workflow;
}

/** The same workflow with these credentials, by type, wherever a node asks for one of their types. */
export function withCredentials(
	source: Workflow,
	byType: Record<string, { id: string; name: string }>,
): Workflow {
	const nodes = source.nodes.map((node) => {
		if (!node.credentials) return node;
		const credentials = Object.entries(node.credentials).map(([type, current]) => [
			type,
			byType[type] ?? current,
		]);
		return { ...node, credentials: Object.fromEntries(credentials) as WorkflowNode['credentials'] };
	});
	return { ...source, nodes };
}
