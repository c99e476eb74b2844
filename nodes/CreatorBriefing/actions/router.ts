import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import * as brief from './brief/brief.resource';
import * as hook from './hook/hook.resource';
import * as licence from './licence/licence.resource';

type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[]>;

const operations: Record<string, Record<string, { execute: Execute } | undefined> | undefined> = {
	brief: brief.operations,
	hook: hook.operations,
	licence: licence.operations,
};

export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const resource = this.getNodeParameter('resource', 0);
	const operation = this.getNodeParameter('operation', 0);
	const chosen = operations[resource]?.[operation];
	if (chosen === undefined) {
		throw new NodeOperationError(
			this.getNode(),
			`The operation '${operation}' is not known for the resource '${resource}'`,
			{ description: 'Select a resource and an operation of the node.' },
		);
	}
	return [await chosen.execute.call(this)];
}
