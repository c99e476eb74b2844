import { INPUT_FIELDS, type InputField } from '../../service/input';
import { quoted } from './wording';

/**
 * What columns are called in people's spreadsheets. The field's own name, however it is written, is preferred to these.
 * “ID” alone is left out on purpose: it is mostly the shop's own number, and sent as a marketplace product ID it would
 * give a brief about another product.
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

/** Used only where no column has one of the names above: a link can stand for a product without a name. */
const LAST_RESORT: Readonly<Partial<Record<InputField, readonly string[]>>> = {
	product_name: ['Product URL', 'Product Link', 'Link'],
};

/**
 * Lower is better: 0 the field's exact name, 1 the same written otherwise (Product Name), 2 an alias, 3 a last resort.
 */
export type Rank = 0 | 1 | 2 | 3;

const RANKS = new Map<string, { field: InputField; rank: Rank }>();
for (const field of INPUT_FIELDS) {
	for (const name of LAST_RESORT[field] ?? []) RANKS.set(normalised(name), { field, rank: 3 });
	for (const name of ALIASES[field]) RANKS.set(normalised(name), { field, rank: 2 });
	RANKS.set(normalised(field), { field, rank: 1 });
}

/** The field that a header names, and how well it fits. */
export function fieldOf(header: string): { field: InputField; rank: Rank } | undefined {
	const known = RANKS.get(normalised(header));
	return known !== undefined && header.trim() === known.field ? { ...known, rank: 0 } : known;
}

/** Headers that differ only in case, spaces, underscores and hyphens are equal after this. */
export function normalised(header: string): string {
	return header
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s_\-\ufeff]+/g, '');
}

/** A column's name beside a row's number: its header, or its letter where it has none. */
export function columnName(header: string, index: number): string {
	const text = header.trim().replace(/\s+/g, ' ');
	return text === '' ? columnLetters(index) : text;
}

/** A column's name within a sentence. */
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
