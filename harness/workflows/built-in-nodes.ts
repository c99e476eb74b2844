import type { WorkflowNode } from './workflow';

export const start: WorkflowNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

/** Returns a Code node whose output is these items. */
export function rows(items: object[], name = 'Rows'): WorkflowNode {
	const json = JSON.stringify(items.map((item) => ({ json: item })));
	const parameters = { jsCode: `return ${json};` };
	return { name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters };
}

/** Returns a No Operation node, whose items show what an output has returned. */
export function nothing(name: string): WorkflowNode {
	return { name, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
}
