import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
} from 'n8n-workflow';
import { CreatorBriefing } from '../../../nodes/CreatorBriefing/CreatorBriefing.node';
import { CreatorBriefingTrigger } from '../../../nodes/CreatorBriefingTrigger/CreatorBriefingTrigger.node';
import { CreatorBriefingWait } from '../../../nodes/CreatorBriefingWait/CreatorBriefingWait.node';

const { Main } = NodeConnectionTypes;

function makeStub(
	name: string,
	shape: Partial<INodeTypeDescription>,
	execute: (this: IExecuteFunctions) => INodeExecutionData[][],
): INodeType {
	const description: INodeTypeDescription = {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: name,
		defaults: { name },
		inputs: [Main],
		outputs: [Main],
		properties: [],
		...shape,
	};
	return {
		description,
		execute() {
			return Promise.resolve(execute.call(this));
		},
	};
}

const itemsParameter = {
	displayName: 'Items',
	name: 'items',
	type: 'json',
	default: '[]',
} as const;

/** Starts a workflow with the items in its parameter. */
const items = makeStub(
	'items',
	{ inputs: [], group: ['trigger'], properties: [itemsParameter] },
	function () {
		const list = JSON.parse(this.getNodeParameter('items', 0) as string) as object[];
		return [list.map((json, item) => ({ json: { ...json }, pairedItem: { item } }))];
	},
);

/** Loops as Loop Over Items does with a batch size of 1: its second output runs once for each item. */
const loop = makeStub('loop', { outputs: [Main, Main] }, function () {
	const state = this.getContext('node') as {
		itemsLeft?: INodeExecutionData[];
		done?: INodeExecutionData[];
	};
	if (state.itemsLeft === undefined) {
		state.itemsLeft = [...this.getInputData()];
		state.done = [];
	} else {
		state.done?.push(...this.getInputData());
	}
	const next = state.itemsLeft.shift();
	return next === undefined ? [state.done ?? [], []] : [[], [next]];
});

export const WAIT_MS = 120_000;

/** Waits for two minutes as n8n's Wait does: n8n saves the execution, which continues later. */
const wait: INodeType = {
	...makeStub('wait', {}, () => []),
	async execute() {
		await this.putExecutionToWait(new Date(Date.now() + WAIT_MS));
		return [this.getInputData()];
	},
};

/** Returns the second type that n8n creates for a node that AI agents can use. */
function makeTool(node: INodeType): INodeType {
	const description = { ...node.description, name: `${node.description.name}Tool` };
	return Object.assign(Object.create(node) as INodeType, { description });
}

/**
 * Returns the tool as MCP Server Trigger calls it for a client: n8n's context of a tool has its parent node, and lacks
 * hints in some versions.
 */
function makeOutsideTool(node: INodeType): INodeType {
	const execute: INodeType['execute'] = async function () {
		const parentNode = { type: '@n8n/n8n-nodes-langchain.mcpTrigger' };
		Object.assign(this, { parentNode, addExecutionHints: undefined });
		return (await node.execute?.call(this)) ?? null;
	};
	return Object.assign(Object.create(makeTool(node)) as INodeType, { execute });
}

const types: Record<string, INodeType> = {
	items,
	loop,
	wait,
	creatorBriefing: new CreatorBriefing(),
	creatorBriefingWait: new CreatorBriefingWait(),
	creatorBriefingTrigger: new CreatorBriefingTrigger(),
	creatorBriefingTool: makeTool(new CreatorBriefing()),
	creatorBriefingWaitTool: makeTool(new CreatorBriefingWait()),
	creatorBriefingOutsideTool: makeOutsideTool(new CreatorBriefing()),
	creatorBriefingWaitOutsideTool: makeOutsideTool(new CreatorBriefingWait()),
};

export const nodeTypes: INodeTypes = {
	getByName: (name) => types[name]!,
	getByNameAndVersion: (name) => types[name]!,
	getKnownTypes: () => ({}),
};
