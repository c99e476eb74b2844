import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { toResult } from '../../../../core/api/retry';
import { readWithRetries } from '../../../../core/workspace/request-context';
import { PARALLEL_READS } from '../../../../core/parallel';
import { briefLocator, getBriefId } from '../../../shared/brief-locator';
import { readBriefFormat, toBriefOutput } from '../../../shared/brief-output';
import { forEachItem } from '../../../shared/items';
import { makeApiError, toErrorText } from '../../../shared/node-errors';
import {
	markdownFileOption,
	makeOptions,
	outputDataFieldOption,
	simplify,
} from '../../../shared/properties';
import type { Session } from '../../../shared/session';
import { makeToolDescription } from '../../../shared/tool-properties';

const properties: INodeProperties[] = [
	...makeToolDescription(
		'Get one creator brief by its ID: its status and, once it is ready, its whole text in Markdown. Costs nothing and takes a second. A brief is ready 3 to 6 minutes after it was created. If it is not ready, ask again with the same ID in 3 to 6 minutes, and do not create it again.',
	),
	...briefLocator,
	simplify,
	makeOptions(markdownFileOption, outputDataFieldOption),
];

export const description = updateDisplayOptions(
	{ show: { resource: ['brief'], operation: ['get'] } },
	properties,
);

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const getBrief = async (itemIndex: number, { context }: Session) => {
		const format = readBriefFormat(this, itemIndex);
		const id = getBriefId(this, itemIndex);
		const result = await toResult(
			readWithRetries(context, (client) => client.getBrief(id, context.signal)),
		);
		if ('value' in result) return [await toBriefOutput(this, result.value, format, itemIndex)];
		const { error } = result;
		if (error.kind !== 'not_found' || error.source === 'page') throw error;
		const message = `The workspace of this API key has no brief ${id} (404)`;
		const text = { ...toErrorText(error, context.client.now()), message };
		throw makeApiError(this.getNode(), error, text, itemIndex);
	};
	return await forEachItem(this, getBrief, PARALLEL_READS);
}
