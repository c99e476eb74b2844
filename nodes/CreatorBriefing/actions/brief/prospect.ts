import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { besideOwnFields, briefOutput } from '../../../shared/brief-output';
import { errorItem, linked, type Output } from '../../../shared/items';
import { failureFields } from '../../../shared/node-errors';
import type { Prospect } from './place-orders';

/** Makes the item that says in `would` what would become of it, or its error. */
export async function prospectItem(
	context: IExecuteFunctions,
	prospect: Prospect,
	itemIndex: number,
): Promise<INodeExecutionData> {
	if (prospect instanceof Error) {
		const fields = failureFields(prospect);
		return errorItem(context, prospect, itemIndex, { would: fields['error'], ...fields });
	}
	const { would } = prospect;
	const { json, ...file } = await outputOf(context, prospect, itemIndex);
	// First, also if the item has a field of that name.
	return linked({ json: Object.assign({ would }, json, { would }), ...file }, itemIndex);
}

async function outputOf(
	context: IExecuteFunctions,
	{ order, brief }: Exclude<Prospect, Error>,
	itemIndex: number,
): Promise<Output> {
	const { input, shape } = order;
	if (brief !== null) return await briefOutput(context, brief, shape, itemIndex);
	const fields = { product_name: input.product_name };
	return { json: shape.includesInput ? besideOwnFields(context, fields, itemIndex) : fields };
}
