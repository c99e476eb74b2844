import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { HOOK_CATEGORIES } from '../../../../core/api/types';
import { readWithRetries } from '../../../../core/workspace/request-context';
import { readHookQuery, readHooks, type HookQuery } from '../../../shared/hooks';
import { forEachItem } from '../../../shared/items';
import {
	categories,
	hooksLimit,
	makeListParameters,
	makeOptions,
	searchOption,
	simplify,
	sort,
} from '../../../shared/properties';
import { simplifyHook } from '../../../shared/simplify';
import { makeToolDescription } from '../../../shared/tool-properties';

const properties: INodeProperties[] = [
	...makeToolDescription(
		'Get hooks of the best-selling marketplace videos, best first: the line that stops the scroll, its angle, why it sells, views and sales. Uses no brief from the allowance and takes a second. The hooks change once a day. To base a brief on a hook, create the brief with the hook and its angle as creative direction.',
	),
	categories,
	...makeListParameters(hooksLimit),
	simplify,
	makeOptions(searchOption),
	sort,
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
			...(this.getNodeParameter('sort', itemIndex, {}) as object),
			categories: this.getNodeParameter('categories', itemIndex),
			limit: returnsAll ? undefined : this.getNodeParameter('limit', itemIndex),
		};
		const query = readHookQuery(this.getNode(), parameters, itemIndex);
		const { data } = await readHooks(
			(request) => readWithRetries(context, (client) => client.listHooks(request, context.signal)),
			returnsAll ? toUnlimited(query) : query,
		);
		const isSimple = this.getNodeParameter('simplify', itemIndex) as boolean;
		return data.map((hook) => ({ json: isSimple ? simplifyHook(hook) : hook }));
	});
}

/** Without a category, the limit of one request would hold for all categories together. */
function toUnlimited(query: HookQuery): HookQuery {
	const categories = query.categories.length === 0 ? HOOK_CATEGORIES : query.categories;
	return { ...query, categories, limit: Infinity };
}
