/**
 * Content is the normalized input of a brief. Rows, orders and briefs with the same content are treated as one brief:
 *
 *     { product_name: "Fay's Mug" }   and   { product_name: "FAY’S  MUG" }    same content
 *     { product_name: "Fay's Mug", audience: "Bakers" }                       different content
 *
 * Normalization removes only differences that programs make on their own, such as a spreadsheet that changes quotes.
 * Exception: the idempotency key depends on the exact body. Two processes that order two spellings before the list shows
 * either brief get two briefs.
 */

import { hash } from 'node:crypto';
import type { BriefInput } from '../api/types';
import { INPUT_FIELDS, type InputField } from './input-fields';
import { isLink, splitLinks } from './links';
import { anyOf, foldText } from './text';

/** Returns the content ID, which is the same for inputs with the same content. */
export function toContentId(input: BriefInput): string {
	const given = SORTED_FIELDS.filter((field) => input[field] !== undefined);
	const pairs = given.map((field) => [field, normalizeField(field, input[field])]);
	const content = JSON.stringify(pairs.filter(([, text]) => text !== ''));
	return hash('sha256', content, 'hex').slice(0, 32);
}

const SORTED_FIELDS = [...INPUT_FIELDS].sort();

/** Returns the form in which values of a field are compared. The sequence of links does not matter. */
export function normalizeField(field: InputField | null, value: unknown): string {
	const text = typeof value === 'string' ? value : [value ?? ''].flat().map(String).join('\n');
	if (field !== 'reference_urls') return normalizeText(text);
	return [...new Set(splitLinks(text).map(normalizeLink))].sort().join('\n');
}

/** Folds a text, or normalizes it as a link, because a product name can be a link. */
export function normalizeText(text: string): string {
	return isLink(text) && !/\s/.test(text.trim()) ? normalizeLink(text) : foldText(text);
}

/** Parameters that advertisements, newsletters and share buttons add to links. Any other parameter can choose a product. */
const TRACKING_PARAMETER = new RegExp(
	`^${anyOf(
		'utm_.*',
		'share_.*',
		'fbclid', // Facebook
		'gclid|_ga|_gl|si', // Google, YouTube
		'msclkid', // Microsoft
		'igshid|igsh', // Instagram
		'_hsenc|_hsmi', // HubSpot
		'ttclid|_r|_t|_d|_svg|is_from_webapp|sender_device', // TikTok
	)}$`,
	'i',
);

/** Removes what does not change the page: scheme, host case, trailing slash, tracking parameters, most fragments. */
function normalizeLink(link: string): string {
	const trimmed = link.trim();
	const url = /^www\./i.test(trimmed) ? `https://${trimmed}` : trimmed;
	if (!URL.canParse(url)) return foldText(link);
	const { host, pathname, searchParams, hash: fragment } = new URL(url);
	const page = `${host}${pathname.replace(/(?<!\/)\/+$/, '')}`;
	const parameters = [...searchParams].filter(([name]) => !TRACKING_PARAMETER.test(name));
	const query = new URLSearchParams(parameters).toString();
	return `${page}${query === '' ? '' : `?${query}`}${normalizeFragment(fragment)}`;
}

/** Removes a position on the page. Some shops choose the product or the variant in the fragment: #/mug, #!mug, #color=red. */
function normalizeFragment(text: string): string {
	// Browsers cut it at “:~:”, too: the rest says which text is highlighted.
	const [fragment = ''] = text.split(':~:');
	return /[/=!]/.test(fragment) ? fragment : '';
}
