import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { BRIEFS_PAGE_MAX } from '../../../../service/api/limits';
import { briefPages } from '../../../../service/list/pages';
import type { BriefSummary } from '../../../../service/api/resources';
import { forEachItem } from '../../../shared/items';
import { smallerInTool, toolDescription } from '../../../shared/tool-properties';
import {
	limitParameter,
	returnAllParameter,
	wholeNumberParameter,
} from '../../../shared/properties';

const properties: INodeProperties[] = [
	...toolDescription(
		'List the newest creator briefs of the workspace with ID, status and product, without their text. Costs nothing and takes a second. Use it to find a brief whose ID is not known, or to see whether a product has one before you create another. To read a brief, get it with its ID.',
	),
	returnAllParameter,
	...smallerInTool({ ...limitParameter, displayOptions: { show: { returnAll: [false] } } }),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: [
					{ name: 'All', value: '' },
					{ name: 'Checking', value: 'checking' },
					{ name: 'Failed', value: 'failed' },
					{ name: 'Queued', value: 'queued' },
					{ name: 'Ready', value: 'ready' },
					{ name: 'Researching', value: 'researching' },
					{ name: 'Writing', value: 'writing' },
				],
				default: 'ready',
				description: 'Return only briefs that currently have this status',
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['brief'], operation: ['getAll'] } },
	properties,
);

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	return await forEachItem(this, async (itemIndex, { reader, signal }) => {
		const returnAll = this.getNodeParameter('returnAll', itemIndex);
		const { status }: { status?: string } = this.getNodeParameter('filters', itemIndex);
		const limit = returnAll ? Infinity : limitOf(this, itemIndex);
		const pageSize = Math.min(limit, BRIEFS_PAGE_MAX);
		const briefs: BriefSummary[] = [];
		const walk = { status, pageSize, signal };
		for await (const page of briefPages(reader, walk)) {
			briefs.push(...page);
			if (briefs.length >= limit) break;
		}
		return briefs.slice(0, limit).map((json) => ({ json }));
	});
}

function limitOf(context: IExecuteFunctions, itemIndex: number): number {
	const value: unknown = context.getNodeParameter('limit', itemIndex);
	return wholeNumberParameter(context.getNode(), { name: 'Limit', value, min: 1 }, itemIndex);
}
