import { CLOCK_DIFFERENCE_MS } from '../assumptions';
import { anotherBrief } from '../errors';
import { INPUT_FIELDS } from '../input';
import type { Brief, BriefInput, BriefSummary } from '../resources';
import { instantOf } from '../timestamps';

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
	return briefs.filter((brief) => {
		const created = instantOf(brief.created_at);
		const isOld = created !== null && created < firstTried - CLOCK_DIFFERENCE_MS;
		return isOfProduct(brief, input) && !isOld && !isClaimed(brief.id);
	});
}

/** Whether a brief names this product. */
export function isOfProduct(
	{ product_name }: Pick<BriefSummary, 'product_name'>,
	input: Pick<BriefInput, 'product_name'>,
): boolean {
	return textOf(product_name) === textOf(input.product_name);
}

/** Whether a brief was made from an input: `maybe` where what it shows agrees, but is not all. */
export type Likeness = 'same' | 'maybe' | 'other';

/**
 * Compares what a brief says it was made from, its free-form `input` (docs/service.md section 2.2), with an order's
 * input. It may be wrapped in another object, or lack fields; links may come back in another form.
 */
export function likenessOf(brief: Brief, input: BriefInput): Likeness {
	const texts = textsIn(brief.input);
	let likeness: Likeness = 'same';
	for (const field of INPUT_FIELDS) {
		const ordered = textOf(input[field]);
		const shown = texts.get(field);
		if (shown === ordered) continue;
		const isText = ordered !== undefined && shown !== undefined && field !== 'reference_urls';
		if (isText) return 'other';
		// The brief may lack what the service does not show, and have what the service filled in.
		likeness = 'maybe';
	}
	return likeness;
}

/**
 * Whether a brief can be the answer to an order: it is of the order's product, and where it shows what it was made from,
 * that is what was ordered. An answer of another brief is believed for no order, whatever key or ID was asked for.
 */
export function fits(brief: BriefSummary | Brief, input: BriefInput): boolean {
	// A name that is missing says nothing.
	if (brief.product_name !== '' && !isOfProduct(brief, input)) return false;
	return !('input' in brief) || likenessOf(brief, input) !== 'other';
}

/** The brief, where it fits. Throws an unreadable answer where it is another's. */
export function fitting(brief: Brief, input: BriefInput): Brief {
	if (fits(brief, input)) return brief;
	throw anotherBrief(brief);
}

function textsIn(
	value: unknown,
	texts = new Map<string, string>(),
	depth = 0,
): Map<string, string> {
	if (typeof value !== 'object' || value === null || depth > 2) return texts;
	for (const [name, inner] of Object.entries(value)) {
		const text = textOf(inner);
		if (text !== undefined && !texts.has(name)) texts.set(name, text);
		if (!Array.isArray(inner)) textsIn(inner, texts, depth + 1);
	}
	return texts;
}

/**
 * A text without what a service may tidy up: blanks, line ends, the form of its letters. Links as one text, so that they
 * can be compared like the others; empty texts say nothing.
 */
export function textOf(value: unknown): string | undefined {
	const texts = Array.isArray(value) ? value : [value];
	if (!texts.every((text) => typeof text === 'string')) return undefined;
	return texts.join('\n').normalize('NFC').replace(/\s+/g, ' ').trim() || undefined;
}
