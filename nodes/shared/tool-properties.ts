import type { INodeProperties } from 'n8n-workflow';

/**
 * Parameters that differ when an AI agent uses a node as its tool. n8n shows and hides them by `@tool`, which versions
 * before 1.92 do not know (docs/n8n-behaviour.md, “What an agent reads about a tool”).
 */

/** True or false in every n8n that knows it, so this shows a parameter in older ones alone. */
const whereToolIsUnknown = { hide: { '@tool': [true, false] } };

/**
 * Makes the text that the model reads about the tool; n8n itself would say no more than “Create brief in Creator
 * Briefing”. Whoever builds the agent can change it.
 */
export function toolDescription(text: string): INodeProperties[] {
	const parameter = { displayName: 'Tool Description', name: 'toolDescription', default: text };
	return [
		{
			...parameter,
			type: 'string',
			typeOptions: { rows: 7 },
			description:
				'What the model reads about this tool: what it does, what it costs and what follows',
			displayOptions: { show: { '@tool': [true] } },
		},
		{ ...parameter, type: 'hidden', displayOptions: whereToolIsUnknown },
		// Older versions read the text only if this says so.
		{
			displayName: 'Tool Description Type',
			name: 'descriptionType',
			type: 'hidden',
			default: 'manual',
			displayOptions: whereToolIsUnknown,
		},
	];
}

/** Gives a parameter another default or hint in a tool. */
export function otherInTool(
	parameter: INodeProperties,
	inTool: Partial<INodeProperties>,
): INodeProperties[] {
	const options = parameter.displayOptions;
	return [
		{ ...parameter, displayOptions: { ...options, hide: { ...options?.hide, '@tool': [true] } } },
		{
			...parameter,
			...inTool,
			displayOptions: { ...options, show: { ...options?.show, '@tool': [true] } },
		},
	];
}

/** A model reads the whole list, and pays for each word. A limit that somebody sets holds in a tool too. */
export function smallerInTool(limit: INodeProperties): INodeProperties[] {
	return otherInTool(limit, { default: 10 });
}
