import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { BRIEFS_PAGE_MAX } from '../../../../core/api/limits';
import type { BriefSummary } from '../../../../core/api/types';
import { readBriefPages } from '../../../../core/workspace/brief-pages';
import { readWithRetries, type RequestContext } from '../../../../core/workspace/request-context';
import { forEachItem } from '../../../shared/items';
import { makeListParameters, readWholeNumber } from '../../../shared/properties';
import { makeToolDescription } from '../../../shared/tool-properties';

const properties: INodeProperties[] = [
	...makeToolDescription(
		'List the newest creator briefs of the workspace with ID, status and product, without their text. Costs nothing and takes a second. Use it to find a brief whose ID is not known, or to see whether a product has one before you create another. To read a brief, get it with its ID.',
	),
	...makeListParameters(),
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
	return await forEachItem(this, async (itemIndex, { context }) => {
		const returnAll = this.getNodeParameter('returnAll', itemIndex);
		const { status }: { status?: string } = this.getNodeParameter('filters', itemIndex);
		const limit = returnAll ? Infinity : readLimit(this, itemIndex);
		const briefs = await listBriefs({ status, limit }, context);
		return briefs.map((json) => ({ json }));
	});
}

async function listBriefs(
	{ status, limit }: { status: string | undefined; limit: number },
	context: RequestContext,
): Promise<BriefSummary[]> {
	const { signal } = context;
	const pages = readBriefPages((cursor) => {
		const query = { status, cursor, limit: Math.min(limit, BRIEFS_PAGE_MAX) };
		return readWithRetries(context, (client) => client.listBriefs(query, signal));
	});
	const briefs: BriefSummary[] = [];
	for await (const page of pages) {
		briefs.push(...page);
		if (briefs.length >= limit) break;
	}
	return briefs.slice(0, limit);
}

function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	const value: unknown = context.getNodeParameter('limit', itemIndex);
	return readWholeNumber(context.getNode(), { name: 'Limit', value, min: 1 }, itemIndex);
}
