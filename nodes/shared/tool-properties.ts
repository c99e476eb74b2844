import type { INodeProperties } from 'n8n-workflow';

/**
 * Parameters that differ when an AI agent uses a node as its tool. n8n shows and hides them by `@tool`, which versions
 * before 1.92 do not know (docs/architecture.md, “AI tools”).
 */

/** Shows a parameter only in versions of n8n that do not know `@tool`, where it is neither true nor false. */
const onlyWithoutToolRule = { hide: { '@tool': [true, false] } };

/**
 * Returns the parameters of the text that the model reads about a tool. n8n's default is only “Create brief in Creator
 * Briefing”. The user who builds the agent can change it.
 */
export function makeToolDescription(text: string): INodeProperties[] {
	const parameter = { displayName: 'Tool Description', name: 'toolDescription', default: text };
	return [
		{
			...parameter,
			type: 'string',
			typeOptions: { rows: 7 },
			description:
				'What the model reads about this tool: what it does, what it costs and what to do next',
			displayOptions: { show: { '@tool': [true] } },
		},
		{ ...parameter, type: 'hidden', displayOptions: onlyWithoutToolRule },
		// Older versions use the text only with the type 'manual'.
		{
			displayName: 'Tool Description Type',
			name: 'descriptionType',
			type: 'hidden',
			default: 'manual',
			displayOptions: onlyWithoutToolRule,
		},
	];
}

/**
 * Returns a parameter that has another default or hint in a tool.
 * @param hideInNode conditions that do not hide the parameter in a tool, even if a saved workflow meets them
 */
export function makeToolVariant(
	parameter: INodeProperties,
	inTool: Partial<INodeProperties>,
	hideInNode: NonNullable<INodeProperties['displayOptions']>['hide'] = {},
): INodeProperties[] {
	const options = parameter.displayOptions;
	const hide = { ...options?.hide, ...hideInNode, '@tool': [true] };
	return [
		{ ...parameter, displayOptions: { ...options, hide } },
		{
			...parameter,
			...inTool,
			displayOptions: { ...options, show: { ...options?.show, '@tool': [true] } },
		},
	];
}
