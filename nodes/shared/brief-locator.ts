import {
	type IExecuteFunctions,
	type INodeParameterResourceLocator,
	type INodeProperties,
} from 'n8n-workflow';
import { operationError } from './errors';
import { otherInTool } from './tool-properties';

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const URL_WITH_ID = `https?://.*?(${UUID})`;

const locator: INodeProperties = {
	displayName: 'Brief',
	name: 'briefId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The brief, from the list, by its ID or by its link',
	hint: 'After Create, choose By ID and enter the expression {{ $json.id }}',
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
						regex: `.*${UUID}.*`,
						errorMessage:
							'This is not a brief ID: it must be a UUID, which Create returns in the field id',
					},
				},
			],
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.example.com/briefs/7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11',
			extractValue: { type: 'regex', regex: URL_WITH_ID },
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `${URL_WITH_ID}.*`,
						errorMessage: 'This link contains no brief ID',
					},
				},
			],
		},
	],
};

/** In a tool there is no item from Create: the model knows the ID. */
export const briefLocator: INodeProperties[] = otherInTool(locator, {
	default: { mode: 'id', value: '' },
	hint: 'Let the model define it, with the button beside the field',
});

/**
 * The ID that the locator of an item names. A link is taken too where an ID is asked for. The value is read here and
 * not by n8n's `extractValue`, whose message does not say what to do.
 */
export function briefIdOf(context: IExecuteFunctions, itemIndex: number): string {
	const given = context.getNodeParameter('briefId', itemIndex) as
		INodeParameterResourceLocator | string | null;
	const value = typeof given === 'object' ? given?.value : given;
	const id = new RegExp(UUID).exec(String(value ?? ''))?.[0];
	if (id !== undefined) return id.toLowerCase();
	const text = {
		message: value ? "'Brief' contains no brief ID" : "'Brief' is empty",
		description:
			'Select one from the list, or give an ID or a link: Create returns both, in the fields id and url.',
	};
	throw operationError(context.getNode(), text, { itemIndex });
}
