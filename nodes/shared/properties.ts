import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { makeOperationError } from './node-errors';
import { makeToolVariant } from './tool-properties';

/** Parameters that several operations or nodes share. */

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	description:
		'Whether to keep the fields of the input item, such as the SKU, and to add the fields of the brief as brief_id, brief_url and so on',
};

export const pollIntervalOption: INodeProperties = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: 15 },
	default: 15,
	description:
		'Seconds between two checks of a brief that is nearly ready. Earlier checks are less frequent. The service allows one check in 15 seconds, so a smaller number is not faster.',
};

export const timeoutOption: INodeProperties = {
	displayName: 'Timeout (Minutes)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description:
		'Minutes to wait at most. The service continues with a brief that takes longer, and waiting for it again costs nothing.',
};

export const markdownFileOption: INodeProperties = {
	displayName: 'Markdown as File',
	name: 'markdownFile',
	type: 'boolean',
	default: false,
	description:
		'Whether to also return the Markdown as a file, for example to send it by email or to save it to a drive',
};

export const outputDataFieldOption: INodeProperties = {
	displayName: 'Output Data Field Name',
	name: 'outputDataFieldName',
	type: 'string',
	default: 'data',
	description: 'Name of the output field for the Markdown file',
	displayOptions: { show: { markdownFile: [true] } },
};

export const categories: INodeProperties = {
	displayName: 'Categories',
	name: 'categories',
	type: 'multiOptions',
	options: [
		{ name: 'Beauty & Skincare', value: 'Beauty & skincare' },
		{ name: 'Fashion', value: 'Fashion' },
		{ name: 'Home & Kitchen', value: 'Home & kitchen' },
		{ name: 'Personal Care', value: 'Personal care' },
		{ name: 'Tech & Gadgets', value: 'Tech & gadgets' },
		{ name: 'Wellness', value: 'Wellness' },
	],
	default: [],
	hint: 'Select none for all categories',
	description: 'Product categories of the hooks',
};

export const searchOption: INodeProperties = {
	displayName: 'Search',
	name: 'q',
	type: 'string',
	default: '',
	placeholder: 'e.g. before and after',
	description: 'Words to find in the hook or angle, at most 80 characters',
};

export const sort: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'collection',
	placeholder: 'Add Sort',
	default: {},
	options: [
		{
			displayName: 'Sort By',
			name: 'sortBy',
			type: 'options',
			options: [
				{ name: 'Newest', value: 'newest', description: 'Most recently observed first' },
				{ name: 'Score', value: 'score', description: 'A mix of reach and sales, highest first' },
				{ name: 'Units Sold', value: 'units_sold', description: 'Most sold first' },
				{ name: 'Views', value: 'views', description: 'Most viewed first' },
			],
			default: 'score',
			description: 'How to sort the hooks before the limit is applied',
		},
	],
};

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

export const hooksLimit = {
	...limit,
	typeOptions: { minValue: 1, maxValue: 80 },
	hint: 'At most 80',
};

/**
 * Returns the parameters of a list. In a tool, the limit is 10 unless the user sets it: a model reads the whole list, and
 * each word costs.
 */
export function makeListParameters(listLimit = limit): INodeProperties[] {
	const shown = { ...listLimit, displayOptions: { show: { returnAll: [false] } } };
	return [returnAll, ...makeToolVariant(shown, { default: 10 })];
}

export function makeOptions(...options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}

/**
 * Returns the values of the options above, with defaults. n8n omits an option that the user has not added, and an
 * expression can yield a text or nothing, which must not become an endless wait.
 */
export function readOptions(options: IDataObject, defaultTimeout = 30) {
	const field = options.outputDataFieldName;
	return {
		pollInterval: toPositiveNumber(options.pollInterval) ?? 15,
		timeout: toPositiveNumber(options.timeout) ?? defaultTimeout,
		markdownFile: options.markdownFile === true,
		outputDataFieldName: typeof field === 'string' && field !== '' ? field : 'data',
	};
}

function toPositiveNumber(value: unknown): number | undefined {
	const number = Number(value);
	return Number.isFinite(number) && number > 0 ? number : undefined;
}

/** Returns the value of a parameter, whose expression can yield anything, as a text. */
export function toText(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A parameter by its name in the form, with the limits of its value. */
interface WholeNumber {
	name: string;
	value: unknown;
	min: number;
	max?: number;
}

/**
 * Returns the whole number of a parameter, whose expression can yield anything.
 * @throws {NodeOperationError} that names the parameter
 */
export function readWholeNumber(
	node: INode,
	{ name, value, min, max = Infinity }: WholeNumber,
	itemIndex?: number,
): number {
	const number = Number(value);
	if (Number.isInteger(number) && number >= min && number <= max) return number;
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	const text = {
		message: `'${name}' is not a whole number ${range}`,
		description: `It has the value ${JSON.stringify(value)}. Correct the value or its expression.`,
	};
	throw makeOperationError(node, text, itemIndex);
}
