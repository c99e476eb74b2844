import type { WorkflowNode } from './workflow';

/** Nodes of n8n itself that workflows for tests begin, feed and end with. */

export const start: WorkflowNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

/** A Code node whose output is these items. */
export function rows(items: object[], name = 'Rows'): WorkflowNode {
	const json = JSON.stringify(items.map((item) => ({ json: item })));
	const parameters = { jsCode: `return ${json};` };
	return { name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters };
}

export function products(count: number): Array<{ name: string }> {
	return Array.from({ length: count }, (_none, index) => ({ name: `Glow Serum No. ${index + 1}` }));
}

/** No Operation: after it has run, its input shows what an output gave. */
export function nothing(name: string): WorkflowNode {
	return { name, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
}
