import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { outcomeOf } from '../../../../service/api/outcome';
import { apiError, errorText } from '../../../shared/node-errors';
import { briefOutput, briefShape } from '../../../shared/brief-output';
import { briefIdOf, briefLocator } from '../../../shared/brief-locator';
import { forEachItem } from '../../../shared/items';
import {
	markdownFileOption,
	optionsOf,
	outputDataFieldOption,
	simplify,
} from '../../../shared/properties';
import type { Session } from '../../../shared/session';
import { toolDescription } from '../../../shared/tool-properties';

const properties: INodeProperties[] = [
	...toolDescription(
		'Get one creator brief by its ID: its status and, once it is ready, its whole text in Markdown. Costs nothing and takes a second. A brief is ready 3 to 6 minutes after it was created: until then, ask again with the same ID in 3 to 6 minutes, and do not create it again.',
	),
	...briefLocator,
	simplify,
	optionsOf(markdownFileOption, outputDataFieldOption),
];

export const description = updateDisplayOptions(
	{ show: { resource: ['brief'], operation: ['get'] } },
	properties,
);

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const getBrief = async (itemIndex: number, { reader, signal }: Session) => {
		const shape = briefShape(this, itemIndex);
		const id = briefIdOf(this, itemIndex);
		const outcome = await outcomeOf(reader.brief(id, signal));
		if ('value' in outcome) return [await briefOutput(this, outcome.value, shape, itemIndex)];
		const { error } = outcome;
		if (error.kind !== 'not_found' || error.page !== undefined) throw error;
		const message = `There is no brief ${id} in the workspace of this API key (${error.status})`;
		const text = { ...errorText(error, reader.now()), message };
		throw apiError(this.getNode(), error, text, itemIndex);
	};
	return await forEachItem(this, getBrief, ({ reader }) => reader.atATime());
}
