import type { BriefInput } from '../api/types';

/** The fields of a create request, in the sequence of docs/api.md 4.3. */
export const INPUT_FIELDS = [
	'product_name',
	'product_id',
	'audience',
	'objective',
	'approved_facts',
	'campaign_terms',
	'creative_direction',
	'reference_urls',
] as const satisfies ReadonlyArray<keyof BriefInput>;

export type InputField = (typeof INPUT_FIELDS)[number];

/** Unchecked values from cells, options or n8n expressions. */
export type InputValues = Readonly<Partial<Record<InputField, unknown>>>;
