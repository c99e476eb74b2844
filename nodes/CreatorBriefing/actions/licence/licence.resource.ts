import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { makeToolDescription } from '../../../shared/tool-properties';
import * as getAll from './getAll.operation';
import * as getAllowance from './getAllowance.operation';

export const operations = { getAll, getAllowance };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['licence'] } },
		options: [
			{
				name: 'Get Brief Allowance',
				value: 'getAllowance',
				action: 'Get monthly brief allowance',
				description:
					'Retrieve how many briefs are allowed this month, how many are used, left and running, and when the allowance resets',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many licences',
				description:
					'Get many licences of the workspace, with their channels and their use this month',
			},
		],
		default: 'getAllowance',
	},
	...updateDisplayOptions(
		{ show: { resource: ['licence'], operation: ['getAllowance'] } },
		makeToolDescription(
			'Get how many creator briefs are allowed this month, how many are used, left and being written, and when the allowance resets. A number that is null is not known, and notice says why. Costs nothing and takes a second. Call it before you create briefs.',
		),
	),
	...updateDisplayOptions(
		{ show: { resource: ['licence'], operation: ['getAll'] } },
		makeToolDescription(
			'List the licences of the workspace, with their channels and allowances. Costs nothing and takes a second. To know how many briefs are left this month, get the brief allowance instead.',
		),
	),
];
