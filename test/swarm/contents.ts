import type { BriefInput } from '../../core/api/types';

/** Two products of several contents: briefs of one product are candidates for each other's orders. */
export const CONTENTS: readonly BriefInput[] = [
	{ product_name: 'Mug', audience: 'Home bakers' },
	{ product_name: 'Mug', audience: 'Cooks' },
	{ product_name: 'Mug', audience: 'Kids' },
	{ product_name: 'Pan', audience: 'Cooks' },
	{ product_name: 'Pan', reference_urls: ['https://shop.example/pan'] },
	{ product_name: 'Pan' },
];

/** Returns the input of a content. Spelling 1 differs in case, spelling 2 in spaces. Both add a tracking parameter to a link. */
export function getInput(content: number, spelling = 0): BriefInput {
	const input = CONTENTS[content % CONTENTS.length] as BriefInput;
	if (spelling === 0) return input;
	const spell = (text: string) =>
		spelling === 1 ? text.toUpperCase() : `${text.replaceAll(' ', '  ')} `;
	const { product_name, audience, reference_urls } = input;
	return {
		product_name: spell(product_name),
		...(audience !== undefined && { audience: spell(audience) }),
		...(reference_urls !== undefined && { reference_urls: [`${reference_urls[0]}?utm_source=x`] }),
	};
}

/** Returns the same text for all spellings of a content. */
export function toContent(input: BriefInput): string {
	const { product_name, audience = '', reference_urls = [] } = input;
	const links = reference_urls.map((link) => link.replace('?utm_source=x', ''));
	const words = [product_name, audience, ...links].map((text) =>
		text.trim().replaceAll(/ +/g, ' '),
	);
	return words
		.filter((text) => text !== '')
		.join(', ')
		.toLowerCase();
}

export function getContent(content: number): string {
	return toContent(getInput(content));
}
