import type { Brief, BriefInput, BriefSummary } from '../../service/resources';
import { instantOf } from '../../service/timestamps';

/** The service's clock and ours may differ by this much where it names no time of its own. */
const CLOCK_MARGIN_MS = 120_000;

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
		const isOld = created !== null && created < firstTried - CLOCK_MARGIN_MS;
		return brief.product_name.trim() === input.product_name && !isOld && !isClaimed(brief.id);
	});
}

/**
 * Whether a brief was made from this input, as far as its free-form `input` (API.md section 2.2) tells: only texts
 * that are there are compared, for links may come back in another form.
 */
export function isMadeFrom(brief: Brief, input: BriefInput): boolean {
	return Object.entries(input).every(([field, ours]) => {
		const theirs = brief.input[field];
		return typeof theirs !== 'string' || typeof ours !== 'string' || theirs.trim() === ours;
	});
}
