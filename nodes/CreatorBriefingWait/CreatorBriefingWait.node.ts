import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { itemBriefLocator } from '../shared/brief-locator';
import {
	includeInputFields,
	markdownFileOption,
	makeOptions,
	outputDataFieldOption,
	pollIntervalOption,
	simplify,
	timeoutOption,
} from '../shared/properties';
import { searchBriefs } from '../shared/search-briefs';
import { makeToolDescription } from '../shared/tool-properties';
import { execute } from './execute';

export class CreatorBriefingWait implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Creator Briefing Wait Until Ready',
		name: 'creatorBriefingWait',
		icon: { light: 'file:creatorBriefingWait.svg', dark: 'file:creatorBriefingWait.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: 'Wait for briefs',
		description: 'Wait until creator briefs are ready, and return them with their text',
		defaults: { name: 'Creator Briefing Wait Until Ready' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Ready', 'Failed', 'Not Ordered'],
		credentials: [{ name: 'creatorBriefingApi', required: true }],
		properties: [
			...makeToolDescription(
				'Wait until a creator brief is ready, and get its whole text in Markdown. Costs nothing. A brief is ready 3 to 6 minutes after it was created. Needs the ID that Create returned. If the brief is still being written, call again with the same ID, and do not create it again.',
			),
			...itemBriefLocator,
			{
				displayName:
					'Ready has the finished briefs. Failed has the briefs that the service could not write, and items without a brief. Not Ordered has the items that Create left for a later run, or only checked. Every item of Failed and Not Ordered has the fields error, code and message.',
				name: 'outputsNotice',
				type: 'notice',
				default: '',
				displayOptions: { hide: { '@tool': [true] } },
			},
			simplify,
			includeInputFields,
			makeOptions(markdownFileOption, outputDataFieldOption, pollIntervalOption, {
				...timeoutOption,
				typeOptions: { minValue: 0 },
				description: `${timeoutOption.description ?? ''} 0 checks once, for a workflow that sleeps between two checks.`,
			}),
		],
	};

	methods = { listSearch: { searchBriefs } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute.call(this);
	}
}
