import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { operationError } from './node-errors';

/** Parameters that several operations or nodes have, so that they read alike everywhere. */

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
		'Whether to keep the fields of the incoming item, such as the SKU, and add those of the brief as brief_id, brief_url and so on',
};

export const pollIntervalOption: INodeProperties = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: 15 },
	default: 15,
	description: 'How many seconds to leave between two checks of a brief that is being written',
};

export const timeoutOption: INodeProperties = {
	displayName: 'Timeout (Minutes)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description:
		'How many minutes to wait. A brief that takes longer is written all the same, and you can wait for it again.',
};

export const markdownFileOption: INodeProperties = {
	displayName: 'Markdown as File',
	name: 'markdownFile',
	type: 'boolean',
	default: false,
	description:
		'Whether to also put the brief’s Markdown into a file, for example to email it or save it to a drive',
};

export const outputDataFieldOption: INodeProperties = {
	displayName: 'Output Data Field Name',
	name: 'outputDataFieldName',
	type: 'string',
	default: 'data',
	description: 'Name of the output field to put the Markdown file in',
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
	hint: 'None selected means all categories',
	description: 'Product categories to take the hooks from',
};

export const searchOption: INodeProperties = {
	displayName: 'Search',
	name: 'q',
	type: 'string',
	default: '',
	placeholder: 'e.g. before and after',
	description: 'Words to find in the hook or angle, at most 80 characters',
};

export const sortOption: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'options',
	options: [
		{ name: 'Newest', value: 'newest', description: 'Most recently observed first' },
		{ name: 'Score', value: 'score', description: 'A blend of reach and sales' },
		{ name: 'Units Sold', value: 'units_sold', description: 'Most sold first' },
		{ name: 'Views', value: 'views', description: 'Most viewed first' },
	],
	default: 'score',
	description: 'How to rank the hooks before the limit is applied',
};

export const returnAllParameter: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limitParameter: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

export const hooksLimit = {
	...limitParameter,
	typeOptions: { minValue: 1, maxValue: 80 },
	hint: 'At most 80',
};

export function optionsOf(...options: INodeProperties[]): INodeProperties {
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
 * Reads the values of the options above, with the defaults of those that are missing or no number: n8n leaves out of a
 * collection what is not set, and an expression may give a text, or nothing, which must not become a wait without end.
 */
export function readOptions(options: IDataObject) {
	const field = options.outputDataFieldName;
	return {
		pollInterval: positive(options.pollInterval) ?? 15,
		timeout: positive(options.timeout) ?? 30,
		markdownFile: options.markdownFile === true,
		outputDataFieldName: typeof field === 'string' && field !== '' ? field : 'data',
	};
}

function positive(value: unknown): number | undefined {
	const number = Number(value);
	return Number.isFinite(number) && number > 0 ? number : undefined;
}

/** A parameter by the name that the form shows, with the bounds of its value. */
interface WholeNumber {
	name: string;
	value: unknown;
	min: number;
	max?: number;
}

/**
 * Reads a whole number from a parameter, whose expression may give anything.
 * @throws {NodeOperationError} that names the parameter
 */
export function wholeNumberParameter(
	node: INode,
	{ name, value, min, max = Infinity }: WholeNumber,
	itemIndex?: number,
): number {
	const number = Number(value);
	if (Number.isInteger(number) && number >= min && number <= max) return number;
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	const text = {
		message: `'${name}' is not a whole number ${range}`,
		description: `It has the value ${JSON.stringify(value)}. Change it, or what its expression gives.`,
	};
	throw operationError(node, text, itemIndex);
}
