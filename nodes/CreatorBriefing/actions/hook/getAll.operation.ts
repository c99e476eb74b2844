import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { HOOKS_LIMIT } from '../../../../core/api/limits';
import { readWithRetries } from '../../../../core/workspace/request-context';
import { hookQuery, readHooks } from '../../../shared/hooks';
import { forEachItem } from '../../../shared/items';
import {
	categories,
	hooksLimit,
	optionsOf,
	returnAllParameter,
	searchOption,
	simplify,
	sortOption,
} from '../../../shared/properties';
import { simplifyHook } from '../../../shared/simplify';
import { smallerInTool, toolDescription } from '../../../shared/tool-properties';

const properties: INodeProperties[] = [
	...toolDescription(
		'Get hooks of the best-selling marketplace videos, best first: the line that stops the scroll, its angle, why it sells, views and sales. Uses no brief from the allowance and takes a second. The hooks change once a day. To base a brief on a hook, create the brief with the hook and its angle as creative direction.',
	),
	categories,
	returnAllParameter,
	...smallerInTool({ ...hooksLimit, displayOptions: { show: { returnAll: [false] } } }),
	simplify,
	optionsOf(searchOption, sortOption),
];

export const description = updateDisplayOptions(
	{ show: { resource: ['hook'], operation: ['getAll'] } },
	properties,
);

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	return await forEachItem(this, async (itemIndex, { context }) => {
		const returnsAll = this.getNodeParameter('returnAll', itemIndex, false);
		const parameters = {
			...(this.getNodeParameter('options', itemIndex) as object),
			categories: this.getNodeParameter('categories', itemIndex),
			limit: returnsAll ? HOOKS_LIMIT.max : this.getNodeParameter('limit', itemIndex),
		};
		const query = hookQuery(this.getNode(), parameters, itemIndex);
		const { data } = await readHooks(
			(each) => readWithRetries(context, (client) => client.listHooks(each, context.signal)),
			query,
			returnsAll,
		);
		const isSimple = this.getNodeParameter('simplify', itemIndex) as boolean;
		return data.map((hook) => ({ json: isSimple ? simplifyHook(hook) : hook }));
	});
}
