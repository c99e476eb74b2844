import type { INodeProperties } from 'n8n-workflow';
import type { InputField } from '../../../../core/input/input-fields';
import { makeToolVariant } from '../../../shared/tool-properties';

/** Airtable leaves out empty fields, and their expressions are undefined. */
function makeFallbackHint(column: string): string {
	return `If the column can be empty, as in Airtable: {{ ${column} ?? '' }}`;
}

/** The fields of docs/api.md 4.3 in the form. */
export const FIELDS: Readonly<Record<InputField, INodeProperties>> = {
	product_name: {
		displayName: 'Product Name',
		name: 'productName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Glow Serum with Vitamin C, 30 ml',
		description: 'Name of the product, or its link on the marketplace, 2 to 180 characters',
	},
	product_id: {
		displayName: 'Product ID',
		name: 'productId',
		type: 'string',
		default: '',
		hint: makeFallbackHint("$json['Product ID']"),
		placeholder: 'e.g. 1729384756102938475',
		description:
			'Marketplace product ID, 5 to 40 digits. In a spreadsheet, format the column as text.',
	},
	audience: {
		displayName: 'Audience',
		name: 'audience',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		hint: makeFallbackHint('$json.Audience'),
		placeholder: 'e.g. Women aged 25 to 40 who are new to skincare routines',
		description: 'Whom the creators address, at most 1,500 characters',
	},
	objective: {
		displayName: 'Objective',
		name: 'objective',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		hint: makeFallbackHint('$json.Objective'),
		placeholder: 'e.g. First purchases in launch week',
		description: 'What the campaign should achieve, at most 1,500 characters',
	},
	approved_facts: {
		displayName: 'Approved Facts',
		name: 'approvedFacts',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		hint: makeFallbackHint("$json['Approved Facts']"),
		placeholder: 'e.g. Dermatologically tested. Paraben-free.',
		description:
			'Claims that creators are allowed to make. Only these are stated as fact. At most 10,000 characters.',
	},
	campaign_terms: {
		displayName: 'Campaign Terms',
		name: 'campaignTerms',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		hint: makeFallbackHint("$json['Campaign Terms']"),
		placeholder: 'e.g. 20% commission, two videos by 30 June',
		description:
			'Commission, deadlines and deliverables. Appended to the brief as written. At most 3,000 characters.',
	},
	creative_direction: {
		displayName: 'Creative Direction',
		name: 'creativeDirection',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		hint: makeFallbackHint("$json['Creative Direction']"),
		placeholder: 'e.g. Natural light, no studio, first person',
		description: 'How the videos should look and feel, at most 3,000 characters',
	},
	reference_urls: {
		displayName: 'Reference URLs',
		name: 'referenceUrls',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add URL' },
		default: [],
		hint: makeFallbackHint("$json['Reference URLs']"),
		placeholder: 'e.g. https://www.example.com/video/123',
		description:
			'Public HTTPS links to videos or pages to learn from, at most 8. One text with several links works too.',
	},
};

/** A model fills in the fields of a tool, so there they are never hidden (docs/architecture.md, “Forms and notices”). */
const HIDE_BY_NAME = { mappingMode: ['autoMapInputData'] };

function makeField(field: INodeProperties): INodeProperties[] {
	return makeToolVariant(field, {}, HIDE_BY_NAME);
}

const mappingMode: INodeProperties = {
	displayName: 'Mapping Mode',
	name: 'mappingMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Map Each Field Below',
			value: 'defineBelow',
			description: 'Enter each field as a text or an expression',
		},
		{
			name: 'Map Columns by Name',
			value: 'autoMapInputData',
			description:
				'Read columns such as Product Name and Audience. Deletes the expressions of the fields below.',
		},
	],
	default: 'defineBelow',
	description: 'Where the values of a brief come from',
	displayOptions: { hide: { '@tool': [true] } },
};

const { product_name, audience, approved_facts, ...others } = FIELDS;

/** The fields that are always shown, and how to fill them in. */
export const mainFields: INodeProperties[] = [
	mappingMode,
	...[product_name, audience, approved_facts].flatMap(makeField),
];

export const additionalFields: INodeProperties[] = makeField({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	// n8n shows the options in this sequence. Its guidelines want them sorted by name.
	options: Object.values(others).sort((a, b) => a.displayName.localeCompare(b.displayName)),
});
