import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { searchBriefs } from '../shared/search-briefs';
import { answerOf } from '../shared/tool';
import * as brief from './actions/brief/brief.resource';
import * as hook from './actions/hook/hook.resource';
import * as licence from './actions/licence/licence.resource';
import { router } from './actions/router';

export class CreatorBriefing implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Creator Briefing',
		name: 'creatorBriefing',
		icon: { light: 'file:creatorBriefing.svg', dark: 'file:creatorBriefing.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
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
						description: 'What the workspace may use, and how much of it is left',
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
		return await answerOf(this, () => router.call(this));
	}
}
