import type { Switches } from '../switches';
import type { BriefInput } from './brief-input';

type ShownInput = Record<string, unknown>;

/** docs/api.md section 2.2: the inner structure of `input` is not shown. */
export const shownInput: Record<Switches['inputShape'], (input: BriefInput) => ShownInput> = {
	'as-submitted': (input) => ({ ...input }),
	wrapped: (input) => ({ campaign: { ...input }, market: 'US', language: 'en' }),
	'camel-case': (input) => {
		const camel = (name: string) =>
			name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
		return Object.fromEntries(
			Object.entries(input).map(([name, value]) => [camel(name), value as unknown]),
		);
	},
	empty: () => ({}),
	'facts-as-list': ({ approved_facts = '', ...input }) => ({
		...input,
		approved_facts: approved_facts.split(/(?<=[.;])\s+/).map((fact) => ({ text: fact })),
	}),
	'defaults-first': (input) => ({
		defaults: { audience: 'Shoppers in the US', objective: 'Sales', product_name: 'Any product' },
		campaign: { ...input },
	}),
	'resolved-name': (input) => ({ ...input, product_name: 'Bestseller by Acme, official listing' }),
	'lower-case': (input) => withTexts(input, (text) => text.toLowerCase()),
	'cut-short': (input) => withTexts(input, (text) => `${text.slice(0, 8)}…`),
	'filled-in': (input) => ({ audience: 'Shoppers in the US', objective: 'Sales', ...input }),
	rewritten: (input) => ({
		...withTexts(input, () => 'In the words of the service'),
		product_id: input.product_id,
	}),
	translated: (input) => ({
		produktname: input.product_name,
		zielgruppe: input.audience,
		kampagne: { freigegebene_aussagen: input.approved_facts },
	}),
	numbers: (input) => ({
		...withTexts(input, (text) => text.length),
		product_id: Number(input.product_id ?? 0),
	}),
};

function withTexts(input: BriefInput, change: (text: string) => unknown): ShownInput {
	const fields = Object.entries(input) as Array<[string, unknown]>;
	return Object.fromEntries(
		fields.map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
	);
}

const MOST_SHOWN = 24;

/** docs/api.md section 2.2 says "as submitted"; a service may still tidy it up. */
export const shownName: Record<Switches['productNames'], (name: string) => string> = {
	'as-submitted': (name) => name,
	tidied: (name) =>
		name
			.replace(/\p{Extended_Pictographic}|\uFE0F/gu, '')
			.trim()
			.toLowerCase()
			.replace(/&/g, '&amp;')
			.slice(0, MOST_SHOWN),
	others: () => 'Name of another product',
};
