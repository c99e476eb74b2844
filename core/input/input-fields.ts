import type { BriefInput } from '../api/types';

export type InputField = keyof BriefInput;

/** An object instead of a list, so that the compiler names a field of `BriefInput` that is missing. */
const SEQUENCE: Readonly<Record<InputField, true>> = {
	product_name: true,
	product_id: true,
	audience: true,
	objective: true,
	approved_facts: true,
	campaign_terms: true,
	creative_direction: true,
	reference_urls: true,
};

/** The fields of a create request, in the sequence of docs/api.md 4.3. */
export const INPUT_FIELDS = Object.keys(SEQUENCE) as readonly InputField[];

/** Unchecked values from cells, options or n8n expressions. */
export type InputValues = Readonly<Partial<Record<InputField, unknown>>>;
