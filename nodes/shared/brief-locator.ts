import {
	type IExecuteFunctions,
	type INodeParameterResourceLocator,
	type INodeProperties,
} from 'n8n-workflow';
import { UUID } from '../../core/api/uuid';
import { quote } from '../../core/input/text';
import { getInputFields } from './input-fields';
import { nameItem } from './items';
import { makeOperationError } from './node-errors';
import { toText } from './properties';
import { isTool } from './tool';
import { makeToolVariant } from './tool-properties';

/** The pattern of n8n's editor, which finds the last UUID of a text. */
const WITH_ID = `.*(${UUID})`;

const locator: INodeProperties = {
	displayName: 'Brief',
	name: 'briefId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The brief: select it from the list, or enter its ID or its link',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a brief...',
			typeOptions: { searchListMethod: 'searchBriefs', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `(${WITH_ID}.*)?`,
						errorMessage: 'This is not a brief ID. Create returns the ID in the field id',
					},
				},
			],
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.example.com/briefs/7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11',
			extractValue: { type: 'regex', regex: `^https?://${WITH_ID}` },
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `(https?://${WITH_ID}.*)?`,
						errorMessage: 'This link contains no brief ID',
					},
				},
			],
		},
	],
};

/** The locator of a tool: no item comes from Create, and the model knows the ID. */
const inTool: Partial<INodeProperties> = {
	required: true,
	default: { mode: 'id', value: '' },
	hint: 'To let the model set the ID, click the button next to the field',
};

export const briefLocator: INodeProperties[] = makeToolVariant(
	{
		...locator,
		required: true,
		hint: 'After Create, choose By ID and enter {{ $json.id }}, or {{ $json.brief_id }} with Include Input Fields',
	},
	inTool,
);

/** The locator of Wait Until Ready. If it is empty, the ID comes from a field of the item. */
export const itemBriefLocator: INodeProperties[] = makeToolVariant(
	{
		...locator,
		hint: 'Leave it empty after Create: each item has the ID of its brief',
	},
	inTool,
);

/** Reads the whole value, because the error of n8n's `extractValue` names no next step. */
function readLocator(context: IExecuteFunctions, itemIndex: number): unknown {
	const parameter = context.getNodeParameter('briefId', itemIndex) as
		INodeParameterResourceLocator | string | null;
	return typeof parameter === 'object' ? parameter?.value : parameter;
}

/**
 * Returns the ID that the locator of an item names. A link works in place of an ID.
 * @throws {NodeOperationError} if it names no brief
 */
export function getBriefId(context: IExecuteFunctions, itemIndex: number): string {
	const value = readLocator(context, itemIndex);
	const id = findId(value);
	if (id !== undefined) return id;
	const text = {
		message: value ? `${quote(toText(value))} is not a brief ID` : "'Brief' is empty",
		description: isTool(context)
			? 'Pass the ID of a brief. Create returns it in the field id, and the list of briefs has it, too.'
			: 'Select a brief from the list, or enter an ID or a link: Create returns both, in the fields id and url.',
	};
	throw makeOperationError(context.getNode(), text, itemIndex);
}

/**
 * Returns the ID that the locator names, or the ID in the item itself if the locator is empty.
 * @throws {NodeOperationError} if neither names a brief
 */
export function getItemBriefId(context: IExecuteFunctions, itemIndex: number): string {
	if (isTool(context) || readLocator(context, itemIndex)) return getBriefId(context, itemIndex);
	const fields = getInputFields(context, itemIndex);
	// In an item of Create with Include Input Fields, `id` can be the ID of the user's row.
	const id = findId(fields.brief_id) ?? findId(fields.id);
	if (id !== undefined) return id;
	const title = "'Brief' is empty, and the item has no brief ID in its field brief_id or id";
	const text = {
		message: nameItem(context, itemIndex, title),
		description:
			'Connect this node to Create, which returns the ID, or select the brief here, from the list, by its ID or by its link.',
	};
	throw makeOperationError(context.getNode(), text, itemIndex);
}

/** Returns the last UUID of a text: in a link, the ID of the brief comes last. */
function findId(value: unknown): string | undefined {
	return typeof value === 'string'
		? value.match(new RegExp(UUID, 'g'))?.at(-1)?.toLowerCase()
		: undefined;
}
