import { CLOCK_DIFFERENCE_MS } from '../assumptions';
import { INPUT_FIELDS } from '../input';
import type { Brief, BriefInput, BriefSummary } from '../resources';
import { instantOf } from '../timestamps';

/**
 * The briefs that a create without an answer may have made: the same product, not older than the first attempt, and
 * not known to belong to another row. A time that cannot be read rules nothing out.
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
		return brief.product_name.trim() === input.product_name && !isOld && !isClaimed(brief.id);
	});
}

/** Whether a brief was made from an input: `maybe` where what is there agrees but does not tell. */
export type Likeness = 'same' | 'maybe' | 'other';

/**
 * Holds a brief's free-form `input` (docs/service.md section 2.2) against ours. It may be wrapped in another object, or lack
 * fields; links may come back in another form.
 */
export function likenessOf(brief: Brief, input: BriefInput): Likeness {
	const theirs = textsIn(brief.input);
	let likeness: Likeness = 'same';
	for (const field of INPUT_FIELDS) {
		const ours = textOf(input[field]);
		const given = theirs.get(field);
		if (given === ours) continue;
		const isText = ours !== undefined && given !== undefined && field !== 'reference_urls';
		if (isText) return 'other';
		// Theirs may lack what the service does not show, and have what it filled in.
		likeness = 'maybe';
	}
	return likeness;
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

/** Links as one text, so that they can be compared like the others; empty texts say nothing. */
function textOf(value: unknown): string | undefined {
	const texts = Array.isArray(value) ? value : [value];
	if (!texts.every((text) => typeof text === 'string')) return undefined;
	return texts.join('\n').replace(/\r\n?/g, '\n').trim() || undefined;
}
