import { INPUT_FIELDS, type InputField } from '../../service/input';
import { quoted } from './wording';

/**
 * What columns are called in the spreadsheets that people have. The field's own name, in any writing, goes before
 * every name here. “ID” alone is left out on purpose: it is mostly the shop's own number, and sent as a marketplace
 * product ID it would have the wrong product researched.
 */
const ALIASES: Readonly<Record<InputField, readonly string[]>> = {
	product_name: ['Product', 'Name', 'Title', 'Product Title'],
	product_id: ['Item ID'],
	audience: ['Target Audience'],
	objective: ['Goal'],
	approved_facts: ['Facts', 'Claims'],
	campaign_terms: ['Terms'],
	creative_direction: ['Direction', 'Creative'],
	reference_urls: [
		...['Reference URL', 'Reference Links', 'Reference Link'],
		...['References', 'Links', 'URLs'],
	],
};

/** Serve a field only where no column has one of the names above: a product's link does where its name is unknown. */
const LAST_RESORT: Readonly<Partial<Record<InputField, readonly string[]>>> = {
	product_name: ['Product URL', 'Product Link', 'Link'],
};

/** Lower is better. The exact name of the API goes before the same in another writing (Product Name). */
export type Rank = 0 | 1 | 2 | 3;

const RANKS = new Map<string, { field: InputField; rank: Rank }>();
for (const field of INPUT_FIELDS) {
	for (const name of LAST_RESORT[field] ?? []) RANKS.set(normalised(name), { field, rank: 3 });
	for (const name of ALIASES[field]) RANKS.set(normalised(name), { field, rank: 2 });
	RANKS.set(normalised(field), { field, rank: 1 });
}

/** The field that a header names by itself, and how plainly. */
export function fieldOf(header: string): { field: InputField; rank: Rank } | undefined {
	const known = RANKS.get(normalised(header));
	return known !== undefined && header.trim() === known.field ? { ...known, rank: 0 } : known;
}

/** Headers that differ only in case, spaces, underscores and hyphens are the same to a person. */
export function normalised(header: string): string {
	return header
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s_\-\ufeff]+/g, '');
}

/** What a column is called where its row is named too; one without a header goes by its letter. */
export function columnName(header: string, index: number): string {
	const text = header.trim().replace(/\s+/g, ' ');
	return text === '' ? columnLetters(index) : text;
}

/** A column as it stands in a sentence. */
export function columnTitle(header: string, index: number): string {
	const hasHeader = header.trim() !== '';
	return hasHeader
		? quoted(columnName(header, index))
		: `column ${columnLetters(index)} (no header)`;
}

/** A, B, … Z, AA, AB … */
export function columnLetters(index: number): string {
	const last = String.fromCharCode(65 + (index % 26));
	return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}
