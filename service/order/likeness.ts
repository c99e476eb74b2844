import { anotherBrief } from '../api/errors';
import { INPUT_FIELDS } from '../input/input';
import { isLink } from '../input/links';
import { spelling } from '../input/spelling';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { instantOf } from '../api/timestamps';
import { isSurelyBefore } from './ages';
import type { Moment } from './moment';
import { areDifferent, isOfOtherProduct, namesProduct } from './product';

/** Whether a brief was made from an input: `maybe` if nothing speaks against it, or if it does not show enough. */
export type Likeness = 'same' | 'maybe' | 'other';

/**
 * Compares a brief's free-form `input` (docs/api.md section 2.2) with an order's. The service may show it in its own
 * way, so `other` needs a text that clearly is another one, in a brief that shows another field as it was sent.
 */
export function likenessOf(brief: Brief, input: BriefInput): Likeness {
	const matches = matchesOf(brief, input);
	const isAsSent = matches.includes('same');
	if (isAsSent && matches.includes('other')) return 'other';
	return matches.every((match) => match === 'same' || match === null) ? 'same' : 'maybe';
}

/** What an order knows of the brief in the answer to its create. */
export interface Answered {
	/** When the order was first sent. */
	firstTried: Moment | null;
	/** Whether this process knew the brief by then, from the list or another request. */
	wasKnown: boolean;
}

/**
 * Whether the brief in the answer to a create is the order's own, if no other order has it. A new brief is, because the
 * service may show it in its own way. An older one was ordered with this key by an earlier process, or is somebody
 * else's.
 */
export function isOwnBrief(
	brief: BriefSummary | Brief,
	input: BriefInput,
	{ firstTried, wasKnown }: Answered,
): boolean {
	if (isOfOtherProduct(brief, input)) return false;
	const wasThere = wasKnown || isOlder(brief, firstTried);
	return !wasThere || mayBeReplay(brief, input);
}

/** Returns the brief, or throws an unreadable answer if it clearly is of another product. */
export function fitting(brief: Brief, input: Pick<BriefInput, 'product_name'>): Brief {
	if (isOfOtherProduct(brief, input)) throw anotherBrief(brief);
	return brief;
}

/** Whether a brief surely was there before its order was first sent. */
export function isOlder({ created_at }: BriefSummary, firstTried: Moment | null): boolean {
	return firstTried !== null && isSurelyBefore(instantOf(created_at), firstTried);
}

/** Whether the input of a brief names another product. */
export function showsOtherProduct({ input: shown }: Brief, input: BriefInput): boolean {
	const { product_name } = shown;
	return typeof product_name === 'string' && isOfOtherProduct({ product_name }, input);
}

/** Something must speak for a brief that was there before. */
function mayBeReplay(brief: BriefSummary | Brief, input: BriefInput): boolean {
	if (!('input' in brief)) return namesProduct(brief, input);
	const likeness = likenessOf(brief, input);
	if (likeness !== 'maybe') return likeness === 'same';
	return namesProduct(brief, input) || matchesOf(brief, input).includes('same');
}

/** How a shown field agrees with the ordered one; null if neither has it. */
type Match = 'same' | 'open' | 'other' | null;

function matchesOf(brief: Brief, input: BriefInput): Match[] {
	const shown = shownIn(brief.input);
	return INPUT_FIELDS.map((field) => {
		const match = bestMatch(input[field], shown.get(field) ?? []);
		// The brief's own name identifies the product; its input may show a changed one.
		const isNamed = field === 'product_name' && brief.product_name !== '';
		return isNamed && match === 'other' ? 'open' : match;
	});
}

/** A field may be shown in several places, such as defaults before the campaign. The best match counts. */
function bestMatch(ordered: string | readonly string[] | undefined, places: unknown[]): Match {
	const text = comparable(ordered);
	if (text === undefined) return places.length === 0 ? null : 'open';
	if (places.some((shown) => comparable(shown) === text)) return 'same';
	const isOther = (shown: unknown) =>
		typeof ordered === 'string' &&
		typeof shown === 'string' &&
		!isLink(ordered) &&
		areDifferent(shown, ordered);
	return places.length > 0 && places.every(isOther) ? 'other' : 'open';
}

/** Every non-empty value by its name, at any depth. */
function shownIn(input: Record<string, unknown>): Map<string, unknown[]> {
	const shown = new Map<string, unknown[]>();
	const open: object[] = [input];
	for (let value = open.pop(); value !== undefined; value = open.pop()) {
		for (const [name, inner] of Object.entries(value) as Array<[string, unknown]>) {
			const places = shown.get(name) ?? [];
			if (comparable(inner) !== undefined) places.push(inner);
			if (places.length > 0) shown.set(name, places);
			if (typeof inner === 'object' && inner !== null) open.push(inner);
		}
	}
	return shown;
}

/** Numbers and lists as text, to compare them like the others. Empty texts say nothing. */
function comparable(value: unknown): string | undefined {
	const texts: unknown[] = Array.isArray(value) ? value : [value];
	const isPlain = (text: unknown) => typeof text === 'string' || typeof text === 'number';
	if (!texts.every(isPlain)) return undefined;
	return spelling(texts.join('\n')) || undefined;
}
