import { CLOCK_DIFFERENCE_MS } from '../assumptions';
import { anotherBrief } from '../api/errors';
import { INPUT_FIELDS } from '../input/input';
import { isLink } from '../input/links';
import { spelling } from '../input/spelling';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { instantOf } from '../api/timestamps';
import { areDifferent, isOfOtherProduct, isOfProduct, namesProduct } from './product';

/**
 * The briefs that a create without an answer may have made: of the same product, not older than the first try, and not
 * known to be another order's. A time that cannot be read excludes nothing.
 * @param firstTried the first try, in milliseconds of the service's clock
 */
export function candidatesFor(
	input: Pick<BriefInput, 'product_name'>,
	firstTried: number,
	briefs: readonly BriefSummary[],
	isClaimed: (id: string) => boolean,
): BriefSummary[] {
	return briefs.filter(
		(brief) => isOfProduct(brief, input) && !isOlder(brief, firstTried) && !isClaimed(brief.id),
	);
}

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

/** What an order knows of the brief in the answer to its create. Times are of the service's clock. */
export interface Answered {
	/** When the order was first sent. */
	firstTried: number | null;
	/** Since when this process knows the brief, from the list or another request. */
	knownSince: number | undefined;
}

/**
 * Whether the brief in the answer to a create is the order's own, if no other order has it. A new brief is, because the
 * service may show it in its own way. An older one was ordered with this key by an earlier process, or is somebody
 * else's.
 */
export function isOwnBrief(
	brief: BriefSummary | Brief,
	input: BriefInput,
	{ firstTried, knownSince }: Answered,
): boolean {
	if (isOfOtherProduct(brief, input)) return false;
	const sentAt = firstTried ?? -Infinity;
	const wasThere = isOlder(brief, sentAt) || (knownSince ?? Infinity) <= sentAt;
	return !wasThere || mayBeReplay(brief, input);
}

/** Returns the brief, or throws an unreadable answer if it clearly is of another product. */
export function fitting(brief: Brief, input: Pick<BriefInput, 'product_name'>): Brief {
	if (isOfOtherProduct(brief, input)) throw anotherBrief(brief);
	return brief;
}

/** Whether a brief was there before its order was first sent, at this time of the service's clock. */
export function isOlder({ created_at }: BriefSummary, firstTried: number): boolean {
	const created = instantOf(created_at);
	return created !== null && created < firstTried - CLOCK_DIFFERENCE_MS;
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
			if (comparable(inner) !== undefined) shown.set(name, [...(shown.get(name) ?? []), inner]);
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
