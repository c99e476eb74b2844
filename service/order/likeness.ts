/*
 * Whether a brief may have been made from an input, and whether two names may be of one product. This comparison is the
 * tolerant one, of an order and what came of it: the service may show an input in a form of its own (docs/api.md
 * section 2.2). The exact one, of a content that is to be ordered, is in content-comparison.ts.
 *
 * An example. “Glow Serum” was ordered with the objective “Summer sale”. The brief shows:
 *   productName: Glow Serum, campaign: { objective: Summer sale }    same: all is there, under whatever name and depth
 *   product_name: Glow Serum                                         maybe: it may not show the objective at all
 *   product_name: Glow Serum, objective: Summer sale in June         maybe: the service may have added to it
 *   product_name: Glow Serum, objective: Winter launch               other: it shows fields, and this one clearly differs
 *   objective: Winter launch                                         maybe: nothing shows that it repeats what was sent
 */

import { anotherBrief } from '../api/errors';
import { INPUT_FIELDS } from '../input/input';
import { isLink } from '../input/links';
import { spelling } from '../input/spelling';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { instantOf } from '../api/timestamps';
import { isSurelyBefore, type Moment } from './times';

/**
 * The answer whether a brief was made from an input: `maybe` if nothing speaks against it, or if it does not show
 * enough.
 */
export type Likeness = 'same' | 'maybe' | 'other';

/**
 * Compares a brief's free-form `input` (docs/api.md section 2.2) with an order's. The service may show it in its own
 * way, so `other` needs a text that clearly is another one, in a brief that shows another field as it was sent.
 */
export function likenessOf(brief: Brief, input: BriefInput): Likeness {
	const matches = matchesOf(brief, input);
	const isAsSent = matches.includes('same');
	if (isAsSent && matches.includes('other')) return 'other';
	const isThere = (match: Match) => match === 'same' || match === 'renamed' || match === null;
	return matches.every(isThere) ? 'same' : 'maybe';
}

/** All that an order knows of the brief in the answer to its create. */
export interface AnswerFacts {
	firstTried: Moment | null;
	/** Set if this process knew the brief by then, from the list or another request. */
	wasKnown: boolean;
}

/**
 * Checks whether the brief in the answer to a create is the order's own, if no other order has it. A new brief is,
 * because the service may show it in its own way. An older one was ordered with this key by an earlier process, or is
 * somebody else's.
 */
export function isOwnBrief(
	brief: Brief,
	input: BriefInput,
	{ firstTried, wasKnown }: AnswerFacts,
): boolean {
	if (isOfOtherProduct(brief, input)) return false;
	const wasThere = wasKnown || isOlder(brief, firstTried);
	return !wasThere || mayBeReplay(brief, input);
}

/** Returns the brief, or throws an unreadable answer if it clearly is of another product. */
export function expectProduct(brief: Brief, input: Product): Brief {
	if (isOfOtherProduct(brief, input)) throw anotherBrief(brief);
	return brief;
}

/** Checks whether a brief surely was there before its order was first sent. */
export function isOlder({ created_at }: BriefSummary, firstTried: Moment | null): boolean {
	return firstTried !== null && isSurelyBefore(instantOf(created_at), firstTried);
}

export function showsOtherProduct({ input: shownInput }: Brief, input: BriefInput): boolean {
	const { product_name } = shownInput;
	return typeof product_name === 'string' && isOfOtherProduct({ product_name }, input);
}

/** Checks whether a brief that was there before may be what this key brought in an earlier process. */
function mayBeReplay(brief: Brief, input: BriefInput): boolean {
	const likeness = likenessOf(brief, input);
	if (likeness !== 'maybe') return likeness === 'same';
	return namesProduct(brief, input) || matchesOf(brief, input).includes('same');
}

/** The agreement of a shown field with the ordered one; null if neither has it. */
type Match = 'same' | 'renamed' | 'open' | 'other' | null;

function matchesOf(brief: Brief, input: BriefInput): Match[] {
	const shownValues = shownIn(brief.input);
	const texts = new Set([...shownValues.values()].flat().map(plainText));
	return INPUT_FIELDS.map((field) => {
		const match = bestMatch(input[field], shownValues.get(letters(field)), texts);
		if (field !== 'product_name') return match;
		// The brief's own name identifies the product; its input may show a changed one, or none.
		const isNamed = brief.product_name !== '';
		return isNamed && match === 'other' ? 'open' : match;
	});
}

/**
 * Gives the best match: a field may be shown in several places, such as defaults before the campaign, and under a name
 * that we do not know.
 * @param texts all that the brief shows, under whatever name
 */
function bestMatch(
	orderedValue: string | readonly string[] | undefined,
	places: unknown[] | undefined,
	texts: ReadonlySet<string | undefined>,
): Match {
	const text = plainText(orderedValue);
	if (text === undefined) return places === undefined || places.length === 0 ? null : 'open';
	if (places === undefined) return texts.has(text) ? 'renamed' : 'open';
	if (places.some((value) => plainText(value) === text)) return 'same';
	const isOther = (value: unknown) =>
		typeof value === 'string' && !isLink(text) && areDifferent(value, text);
	return places.length > 0 && places.every(isOther) ? 'other' : 'open';
}

/** Gives the values that can be compared by the letters of their names, at any depth; no name without any value. */
function shownIn(input: Record<string, unknown>): Map<string, unknown[]> {
	const valuesByName = new Map<string, unknown[]>();
	const stack: object[] = [input];
	for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
		for (const [name, inner] of Object.entries(value) as Array<[string, unknown]>) {
			if (inner === null || inner === '') continue;
			const places = valuesByName.get(letters(name)) ?? [];
			if (plainText(inner) !== undefined) places.push(inner);
			valuesByName.set(letters(name), places);
			if (typeof inner === 'object') stack.push(inner);
		}
	}
	return valuesByName;
}

/** Gives the name of a field in a way in which approved_facts and approvedFacts are the same. */
export function letters(name: string): string {
	return name.replace(/[^a-z]/gi, '').toLowerCase();
}

/** Gives numbers and lists as text, to compare them like the others. Empty texts say nothing. */
export function plainText(value: unknown): string | undefined {
	const texts: unknown[] = Array.isArray(value) ? value : [value];
	const isPlain = (text: unknown) => typeof text === 'string' || typeof text === 'number';
	if (!texts.every(isPlain)) return undefined;
	return spelling(texts.join('\n')) || undefined;
}

/*
 * The likeness of products. The service gives the name as submitted, but perhaps tidied up: without emoji, with
 * &amp; for &, in other letters, cut at some length.
 */

export interface Product {
	product_name: string;
}

/** If two names begin with this many equal letters, that is no coincidence: a name that ends there was cut. */
const SURELY_CUT = 20;

/** Checks whether a listed brief may have been ordered under this name. One name inside another is no sign of it. */
export function isOfProduct(brief: Product, input: Product): boolean {
	const [shownName, orderedName] = [lettersOf(brief.product_name), lettersOf(input.product_name)];
	return (
		shownName === orderedName ||
		(shownName.length >= SURELY_CUT && orderedName.startsWith(shownName))
	);
}

/** Checks whether a name has no letters, and so is no sign of any product. */
export function saysNothing({ product_name }: Product): boolean {
	return lettersOf(product_name) === '';
}

/**
 * Gives a group for a product: all names of one product are in the same one; other long names with the same beginning
 * may be too.
 */
export function productGroup({ product_name }: Product): string {
	return lettersOf(product_name).slice(0, SURELY_CUT);
}

/**
 * Checks whether a brief clearly is of another product. A name without letters says nothing, and neither does any name
 * if a link was ordered, because the service may have looked up the link.
 */
export function isOfOtherProduct(brief: Product, input: Product): boolean {
	return !isLink(input.product_name) && areDifferent(brief.product_name, input.product_name);
}

/** Checks whether a brief names this product, in the tolerant way of `isOfOtherProduct`. */
function namesProduct(brief: Product, input: Product): boolean {
	const [shownName, orderedName] = [lettersOf(brief.product_name), lettersOf(input.product_name)];
	if (shownName === '' || orderedName === '') return false;
	return isLink(input.product_name) ? shownName === orderedName : !isOfOtherProduct(brief, input);
}

/** Checks that neither text contains the letters of the other. */
function areDifferent(one: string, other: string): boolean {
	const [a, b] = [lettersOf(one), lettersOf(other)];
	if (a === '' || b === '' || a === b) return false;
	// A single letter is in nearly every text.
	const isWithin = (short: string, long: string) => short.length > 1 && long.includes(short);
	return !isWithin(a, b) && !isWithin(b, a);
}

/** Gives only letters and digits, without accents, case, and the signs that HTML writes as &amp; or &#39;. */
function lettersOf(text: string): string {
	return text
		.replace(/&(?:amp;)*#?\w{1,30};/g, '')
		.replace(/[^\p{L}\p{M}\p{N}]/gu, '')
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toUpperCase();
}
