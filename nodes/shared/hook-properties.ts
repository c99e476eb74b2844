import type { INodeProperties } from 'n8n-workflow';

/** Parameters of a query for hooks, for the action and for the trigger. */

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
	description:
		'Product categories to take the hooks from. Each selected category takes one request.',
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
