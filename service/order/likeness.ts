import { CLOCK_DIFFERENCE_MS } from '../assumptions';
import { anotherBrief } from '../errors';
import { INPUT_FIELDS } from '../input';
import { isLink } from '../links';
import { spelling } from '../spelling';
import type { Brief, BriefInput, BriefSummary } from '../resources';
import { instantOf } from '../timestamps';
import { areDifferent, isOfOtherProduct, isOfProduct, namesProduct } from './product';

/**
 * The briefs that a create without an answer may have made: of the same product, not older than the first attempt, and
 * not known to belong to another order. A time that cannot be read rules nothing out.
 * @param firstTried the first attempt, in milliseconds of the service's clock
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

/** Whether a brief was made from an input: `maybe` if nothing speaks against it, or it does not show enough. */
export type Likeness = 'same' | 'maybe' | 'other';

/**
 * Compares what a brief says it was made from, its free-form `input` (docs/api.md section 2.2), with an order's
 * input. The service may show it in its own way, so only a text that clearly is another one says that the brief is
 * another order's, and only if the brief shows another field as it was sent.
 */
export function likenessOf(brief: Brief, input: BriefInput): Likeness {
	const matches = matchesOf(brief, input);
	const isAsSent = matches.includes('same');
	if (isAsSent && matches.includes('other')) return 'other';
	return matches.every((match) => match === 'same' || match === null) ? 'same' : 'maybe';
}

/** What an order knows of the brief that its create was answered with. Times are of the service's clock. */
export interface Answered {
	/** When the order was first sent. */
	firstTried: number | null;
	/** Since when this process knows of the brief, from a list or from another request. */
	knownSince: number | undefined;
}

/**
 * Whether the brief that answers a create is the order's own, if no other order has it. What is new is: the service
 * shows it in its own way. One that was there before was ordered with this key by an earlier process, or it is
 * somebody else's.
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

/** The brief, unless it clearly is of another product. Throws an unreadable answer then. */
export function fitting(brief: Brief, input: Pick<BriefInput, 'product_name'>): Brief {
	if (isOfOtherProduct(brief, input)) throw anotherBrief(brief);
	return brief;
}

function isOlder({ created_at }: BriefSummary, firstTried: number): boolean {
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

/** How what is shown of a field agrees with what was ordered; null where neither has it. */
type Match = 'same' | 'open' | 'other' | null;

function matchesOf(brief: Brief, input: BriefInput): Match[] {
	const shown = shownIn(brief.input);
	return INPUT_FIELDS.map((field) => {
		const match = bestMatch(input[field], shown.get(field) ?? []);
		// The product is known by the name that the brief itself has; its input may show what became of it.
		const isNamed = field === 'product_name' && brief.product_name !== '';
		return isNamed && match === 'other' ? 'open' : match;
	});
}

/** A field may be shown in several places, such as defaults before the campaign. The best one counts. */
function bestMatch(ordered: string | readonly string[] | undefined, places: unknown[]): Match {
	const text = textOf(ordered);
	if (text === undefined) return places.length === 0 ? null : 'open';
	if (places.some((shown) => textOf(shown) === text)) return 'same';
	const isOther = (shown: unknown) =>
		typeof ordered === 'string' &&
		typeof shown === 'string' &&
		!isLink(ordered) &&
		areDifferent(shown, ordered);
	return places.length > 0 && places.every(isOther) ? 'other' : 'open';
}

/** Every value that says something, by its name, however deep it is. */
function shownIn(input: Record<string, unknown>): Map<string, unknown[]> {
	const shown = new Map<string, unknown[]>();
	const open: object[] = [input];
	for (let value = open.pop(); value !== undefined; value = open.pop()) {
		for (const [name, inner] of Object.entries(value) as Array<[string, unknown]>) {
			if (textOf(inner) !== undefined) shown.set(name, [...(shown.get(name) ?? []), inner]);
			if (typeof inner === 'object' && inner !== null) open.push(inner);
		}
	}
	return shown;
}

/** Numbers and lists as a text, so that they can be compared like the others; empty texts say nothing. */
function textOf(value: unknown): string | undefined {
	const texts: unknown[] = Array.isArray(value) ? value : [value];
	const isPlain = (text: unknown) => typeof text === 'string' || typeof text === 'number';
	if (!texts.every(isPlain)) return undefined;
	return spelling(texts.join('\n')) || undefined;
}
