/** The fields of n8n's workflow format that are used here. Other fields pass through unchanged. */
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
}

export interface SavedWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
}

/** A connection: [from, to], or [from, output, to]. */
export type Wire = [string, string] | [string, number, string];

/** Returns a workflow of these nodes and connections. Nodes without a position are put in a line. */
export function workflow(name: string, nodes: WorkflowNode[], wires: Wire[] = []): Workflow {
	const connections: Workflow['connections'] = {};
	for (const wire of wires) {
		const [from, output, to] = wire.length === 2 ? [wire[0], 0, wire[1]] : wire;
		const outputs = ((connections[from] ??= {})['main'] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return {
		name,
		nodes: nodes.map((node, index) => ({ position: [index * 220, 300], ...node })),
		connections,
		settings: { executionOrder: 'v1' },
	};
}

/** Returns a workflow in which each node is on the first output of the node before. */
export function chain(name: string, nodes: WorkflowNode[]): Workflow {
	const names = nodes.map((node) => node.name);
	const wires = names.slice(1).map((to, index): Wire => [names[index] ?? '', to]);
	return workflow(name, nodes, wires);
}
