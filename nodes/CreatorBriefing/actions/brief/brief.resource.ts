import type { INodeProperties } from 'n8n-workflow';
import * as create from './create.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';

export const operations = { create, get, getAll };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['brief'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create brief',
				description:
					'Have a brief researched and written for a product. Uses one brief from the monthly allowance.',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get brief',
				description: 'Retrieve one brief with its status and, once it is ready, its Markdown',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many briefs',
				description: 'Get many briefs from the workspace, newest first, without their text',
			},
		],
		default: 'create',
	},
	...create.description,
	...get.description,
	...getAll.description,
];
