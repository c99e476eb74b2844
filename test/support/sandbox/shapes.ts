import type { SandboxOptions } from '../../../sandbox/sandbox';
import type { BriefInput } from '../../../core/api/types';

/** What one service may do and another may not, while it does all that was ordered. */
export const SHAPES: ReadonlyArray<[string, SandboxOptions]> = [
	['keys in camel case', { inputShape: 'camel-case' }],
	['facts as a list', { inputShape: 'facts-as-list' }],
	['defaults before the campaign', { inputShape: 'defaults-first' }],
	['the resolved product name', { inputShape: 'resolved-name' }],
	['texts in lower case', { inputShape: 'lower-case' }],
	['texts cut short', { inputShape: 'cut-short' }],
	['fields that were filled in', { inputShape: 'filled-in' }],
	['texts in its own words', { inputShape: 'rewritten' }],
	['translated keys', { inputShape: 'translated' }],
	['nothing of the input', { inputShape: 'empty' }],
	['numbers for texts', { inputShape: 'numbers' }],
	['product names that are tidied up', { productNames: 'tidied' }],
	['tidied names, and texts in its own words', { productNames: 'tidied', inputShape: 'rewritten' }],
	['IDs in capitals', { briefIds: 'capitals' }],
	['an allowance of -1', { shownAllowance: 'minus-one' }],
];

/** Rows with everything that a service may show in another way: two of one product, one with its name alone, one link. */
export const SHAPED_ROWS: readonly BriefInput[] = [
	{
		product_name: 'Glow Serum ✨ & Vitamin C, 30 ml, for oily skin',
		product_id: '1729384756102938475',
		audience: 'Women aged 25 to 40',
		approved_facts: 'Dermatologically tested. Paraben-free.',
	},
	{
		product_name: 'Glow Serum ✨ & Vitamin C, 30 ml, for oily skin',
		product_id: '1729384756102938475',
		audience: 'Runners',
		approved_facts: 'Dermatologically tested. Paraben-free.',
	},
	{ product_name: 'Crème brûlée 🍮' },
	{ product_name: 'https://shop.example/products/17', audience: 'Runners' },
	{ product_name: 'R&D Lamp', campaign_terms: '20 % until 30 June', audience: 'Students' },
];
