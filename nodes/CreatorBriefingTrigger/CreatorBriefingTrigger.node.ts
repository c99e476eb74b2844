import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import {
	categories,
	hooksLimit,
	markdownFileOption,
	makeOptions,
	outputDataFieldOption,
	searchOption,
	simplify,
	sort,
} from '../shared/properties';
import { poll } from './poll';

const forHooks = { show: { triggerOn: ['hooksRefreshed'] } };
const forBriefs = { show: { triggerOn: ['briefFinished'] } };

export class CreatorBriefingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Creator Briefing Trigger',
		name: 'creatorBriefingTrigger',
		icon: {
			light: 'file:../CreatorBriefing/creatorBriefing.svg',
			dark: 'file:../CreatorBriefing/creatorBriefing.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{$parameter["triggerOn"] === "briefFinished" ? "Brief finished" : "Hooks refreshed"}}',
		// n8n lists the trigger and the action node as one, with this text above the actions of both.
		description:
			'Have creator briefs written, get the hooks of winning videos, or start when a brief is finished or hooks are refreshed. To wait for briefs, add Creator Briefing Wait Until Ready.',
		defaults: { name: 'Creator Briefing Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'creatorBriefingApi', required: true }],
		properties: [
			{
				displayName: 'Trigger On',
				name: 'triggerOn',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Brief Finished',
						value: 'briefFinished',
						description: 'Once for each brief in the workspace that becomes ready or fails',
					},
					{
						name: 'Hooks Refreshed',
						value: 'hooksRefreshed',
						description: 'Once for each daily refresh of the hooks of winning videos',
					},
				],
				default: 'hooksRefreshed',
			},
			{
				displayName:
					"The hooks are refreshed once a day, so 'Every Hour' is often enough for 'Poll Times'. With shorter poll times, the trigger still checks the hooks only every 15 minutes.",
				name: 'hooksNotice',
				type: 'notice',
				default: '',
				displayOptions: forHooks,
			},
			{ ...categories, displayOptions: forHooks },
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				noDataExpression: true,
				displayOptions: forHooks,
				options: [
					{
						name: 'One Item per Hook',
						value: 'hooks',
						description: 'To add each hook to a sheet or a database',
					},
					{
						name: 'One Item per Refresh',
						value: 'refresh',
						description: 'With all hooks of the refresh in a list, for a digest',
					},
				],
				default: 'hooks',
				description: 'How the hooks of a refresh are passed on',
			},
			{
				displayName: 'Only New Hooks',
				name: 'onlyNewHooks',
				type: 'boolean',
				displayOptions: forHooks,
				default: false,
				description: 'Whether to return only the hooks of videos that were not in the list before',
			},
			{
				displayName: 'Briefs',
				name: 'outcome',
				type: 'options',
				displayOptions: forBriefs,
				options: [
					{ name: 'Ready and Failed', value: 'both' },
					{ name: 'Only Ready', value: 'ready' },
					{ name: 'Only Failed', value: 'failed' },
				],
				default: 'both',
				description: 'Which finished briefs start the workflow',
			},
			simplify,
			{
				displayOptions: forHooks,
				...makeOptions(hooksLimit, searchOption),
			},
			{ ...sort, displayOptions: forHooks },
			{
				displayOptions: forBriefs,
				...makeOptions(markdownFileOption, outputDataFieldOption),
			},
		],
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll.call(this);
	}
}
