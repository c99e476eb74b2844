import type { INodeProperties } from 'n8n-workflow';
import * as getAll from './getAll.operation';

export const operations = { getAll };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['hook'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many hooks of winning videos',
				description:
					'Get many hooks of the best-selling marketplace videos, with their angle, their sales and why they work',
			},
		],
		default: 'getAll',
	},
	...getAll.description,
];
