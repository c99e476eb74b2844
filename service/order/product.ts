import { isLink } from '../input/links';
import type { BriefInput, BriefSummary } from '../api/resources';

/*
 * Whether a brief is of a product. The service gives the name as submitted, but perhaps tidied up: without emoji, with
 * &amp; for &, in other letters, cut at some length.
 */

type Product = Pick<BriefSummary | BriefInput, 'product_name'>;

/** This many equal letters from the first are no coincidence: a name that ends there was cut. */
const SURELY_CUT = 20;

/** Whether a listed brief may have been ordered under this name. One name inside another is no sign of it. */
export function isOfProduct(brief: Product, input: Product): boolean {
	const [shown, ordered] = [lettersOf(brief.product_name), lettersOf(input.product_name)];
	return shown === ordered || (shown.length >= SURELY_CUT && ordered.startsWith(shown));
}

/** Whether a name has no letters, and so is no sign of any product. */
export function saysNothing({ product_name }: Product): boolean {
	return lettersOf(product_name) === '';
}

/** All names of one product are in the same group; other long names with the same beginning may be too. */
export function productGroup({ product_name }: Product): string {
	return lettersOf(product_name).slice(0, SURELY_CUT);
}

/**
 * Whether a brief clearly is of another product. A name without letters says nothing, and neither does any name if a
 * link was ordered, because the service may have looked up the link.
 */
export function isOfOtherProduct(brief: Product, input: Product): boolean {
	return !isLink(input.product_name) && areDifferent(brief.product_name, input.product_name);
}

/** Whether a brief names this product, compared in the same tolerant way. */
export function namesProduct(brief: Product, input: Product): boolean {
	const [shown, ordered] = [lettersOf(brief.product_name), lettersOf(input.product_name)];
	if (shown === '' || ordered === '') return false;
	return isLink(input.product_name) ? shown === ordered : !isOfOtherProduct(brief, input);
}

/** Whether neither text contains the letters of the other. */
export function areDifferent(one: string, other: string): boolean {
	const [a, b] = [lettersOf(one), lettersOf(other)];
	if (a === '' || b === '' || a === b) return false;
	// A single letter is in nearly every text.
	const isWithin = (short: string, long: string) => short.length > 1 && long.includes(short);
	return !isWithin(a, b) && !isWithin(b, a);
}

/** Only letters and digits, without accents, case and HTML entities. */
function lettersOf(text: string): string {
	return withoutEntities(text)
		.replace(/[^\p{L}\p{M}\p{N}]/gu, '')
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toUpperCase();
}

function withoutEntities(text: string): string {
	return (
		text
			.replace(
				/&(?:amp;)*#(?:x([\da-f]{1,6})|(\d{1,7}));/gi,
				(_, hex?: string, digits?: string) => {
					const code = hex === undefined ? Number(digits) : parseInt(hex, 16);
					return code <= 0x10ffff ? String.fromCodePoint(code) : '';
				},
			)
			.replace(/&(?:amp;)*([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi, '$1')
			.replace(/&(?:amp;)*[a-z]\w{1,30};/gi, '')
			// The name was cut inside an entity.
			.replace(/&(?:am?p?|#\w*)$/i, '')
	);
}
