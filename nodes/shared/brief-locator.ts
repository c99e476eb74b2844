import {
	type IExecuteFunctions,
	type INodeParameterResourceLocator,
	type INodeProperties,
} from 'n8n-workflow';
import { lastUuid, UUID } from '../../service/api/uuid';
import { operationError } from './node-errors';
import { aboutItem, ownFields } from './items';
import { isTool } from './tool';
import { otherInTool } from './tool-properties';

/** n8n's own patterns for the editor, which find the last UUID from the start of the text. */
const WITH_ID = `.*(${UUID})`;

const locator: INodeProperties = {
	displayName: 'Brief',
	name: 'briefId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The brief, from the list, by its ID or by its link',
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
						errorMessage: 'This is not a brief ID. Create returns one in the field id',
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

/** The locator of a tool: there is no item from Create, and the model knows the ID. */
const inTool: Partial<INodeProperties> = {
	required: true,
	default: { mode: 'id', value: '' },
	hint: 'Let the model define it, with the button beside the field',
};

export const briefLocator: INodeProperties[] = otherInTool(
	{
		...locator,
		required: true,
		hint: 'After Create, choose By ID and enter the expression {{ $json.id }}',
	},
	inTool,
);

/** The locator of an item. If it is empty, each item's own brief is meant. */
export const itemBriefLocator: INodeProperties[] = otherInTool(
	{
		...locator,
		hint: 'Leave it empty after Create: each item brings its own brief',
	},
	inTool,
);

/** Reads the value here and not by n8n's `extractValue`, whose message does not say what to do. */
function givenBrief(context: IExecuteFunctions, itemIndex: number): unknown {
	const parameter = context.getNodeParameter('briefId', itemIndex) as
		INodeParameterResourceLocator | string | null;
	return typeof parameter === 'object' ? parameter?.value : parameter;
}

/** Gives the ID that the locator of an item names. A link works in place of an ID. */
export function briefIdOf(context: IExecuteFunctions, itemIndex: number): string {
	const value = givenBrief(context, itemIndex);
	const id = idIn(value);
	if (id !== undefined) return id;
	const text = {
		message: value ? "'Brief' contains no brief ID" : "'Brief' is empty",
		description:
			'Select one from the list, or give an ID or a link: Create returns both, in the fields id and url.',
	};
	throw operationError(context.getNode(), text, itemIndex);
}

/** Gives the ID that the locator names, or the ID in the item itself if the locator is empty. */
export function itemBriefIdOf(context: IExecuteFunctions, itemIndex: number): string {
	if (isTool(context) || givenBrief(context, itemIndex)) return briefIdOf(context, itemIndex);
	const { brief_id, id: ownId, brief_product_name, product_name } = ownFields(context, itemIndex);
	// An item that keeps its own fields may have an ID of its own.
	const id = idIn(brief_id) ?? idIn(ownId);
	if (id !== undefined) return id;
	const product = brief_product_name ?? product_name;
	const what = "'Brief' is empty, and the item has no brief ID in its field brief_id or id";
	const text = {
		message: aboutItem(context, itemIndex, { product, what }),
		description:
			'Connect this node to Create, which returns the ID, or give the brief here, from the list, by its ID or by its link.',
	};
	throw operationError(context.getNode(), text, itemIndex);
}

function idIn(value: unknown): string | undefined {
	return typeof value === 'string' ? lastUuid(value) : undefined;
}
