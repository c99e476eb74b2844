import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { runWithErrorItems } from '../shared/items';
import { searchBriefs } from '../shared/search-briefs';
import * as brief from './actions/brief/brief.resource';
import * as hook from './actions/hook/hook.resource';
import * as licence from './actions/licence/licence.resource';

type Operation = (this: IExecuteFunctions) => Promise<INodeExecutionData[]>;

const operations: Record<string, Record<string, { execute: Operation } | undefined> | undefined> = {
	brief: brief.operations,
	hook: hook.operations,
	licence: licence.operations,
};

export class CreatorBriefing implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Creator Briefing',
		name: 'creatorBriefing',
		icon: { light: 'file:creatorBriefing.svg', dark: 'file:creatorBriefing.dark.svg' },
		group: ['transform'],
		version: 1,
		// The linter wants a literal, which names each action once more.
		subtitle:
			'={{ ({ "brief create": "Create brief", "brief get": "Get brief", "brief getAll": "Get many briefs", "hook getAll": "Get many hooks of winning videos", "licence getAll": "Get many licences", "licence getAllowance": "Get monthly brief allowance" })[$parameter["resource"] + " " + $parameter["operation"]] + ($parameter["resource"] === "brief" && $parameter["operation"] === "create" && $parameter["checkOnly"] ? " (Check Only)" : "") }}',
		description: 'Have creator briefs written for products, and get the hooks of winning videos',
		defaults: { name: 'Creator Briefing' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'creatorBriefingApi', required: true }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Brief',
						value: 'brief',
						description: 'A researched brief for a product that creators can film from',
					},
					{
						name: 'Hook',
						value: 'hook',
						description: 'The opening of a top-selling video, and why it works',
					},
					{
						name: 'Licence',
						value: 'licence',
						description: 'The licences of the workspace, and how many briefs are left this month',
					},
				],
				default: 'brief',
			},
			...brief.description,
			...hook.description,
			...licence.description,
		],
	};

	methods = { listSearch: { searchBriefs } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runWithErrorItems(this, async () => {
			const resource = this.getNodeParameter('resource', 0);
			const operation = this.getNodeParameter('operation', 0);
			const handler = operations[resource]?.[operation];
			if (handler === undefined) {
				const message = `The operation '${operation}' is not known for the resource '${resource}'`;
				const description = 'Select a resource and an operation of the node.';
				throw new NodeOperationError(this.getNode(), message, { description, itemIndex: 0 });
			}
			return [await handler.execute.call(this)];
		});
	}
}
