import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { briefOutput, briefShape } from '../../../shared/brief-output';
import { briefIdOf, briefLocator } from '../../../shared/brief-locator';
import { forEachItem } from '../../../shared/items';
import { markdownFileOption, outputDataFieldOption, simplify } from '../../../shared/properties';
import { openSession } from '../../../shared/session';

const properties: INodeProperties[] = [
	briefLocator,
	simplify,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [markdownFileOption, outputDataFieldOption],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['brief'], operation: ['get'] } },
	properties,
);

/** How many briefs are read at a time. A rate limit holds all of them back together. */
const CONCURRENCY = 10;

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const session = await openSession(this);
	const getBrief = async (itemIndex: number) => {
		const shape = briefShape(this, itemIndex);
		const brief = await session.reader.brief(briefIdOf(this, itemIndex), session.signal);
		return [await briefOutput(this, brief, shape)];
	};
	return await forEachItem(this, session, getBrief, CONCURRENCY);
}
