import { LOOKED_BACK_MS } from '../assumptions';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { instantOf } from '../api/timestamps';
import { pickBrief, compareBriefs, type Comparison } from './find-brief';
import { isOfProduct, likenessOf, productGroup, showsLess, type Likeness } from './likeness';
import type { Look } from './shell';

/** A content that is to be ordered, with what its shell knows about listed briefs. */
export interface WantedContent {
	input: BriefInput;
	/** Checks whether a brief may be this order's, so that no other order has it. */
	isFree: (brief: BriefSummary) => boolean;
	/** Checks whether a brief surely was ordered for this list and is paid for, whatever its age and content. */
	isOurs?: (brief: BriefSummary) => boolean;
}

/** Gets a whole brief; null if the service does not know it. */
export type GetBrief = (id: string) => Promise<Brief | null>;

/**
 * The briefs that the list shows, by product. It says which of them was made from a content: in one workspace the same
 * content is one brief, whoever ordered it, for LOOKED_BACK_MS.
 */
export class ListedBriefs {
	private readonly byGroup = new Map<string, Map<string, BriefSummary>>();
	/** The number of briefs that were known before each, by its ID. */
	private readonly places = new Map<string, number>();

	/** The number of briefs that were ever seen. */
	size = 0;

	/** @param asOf says until when a brief's age counts, by the service's clock */
	constructor(private readonly asOf: () => number) {}

	see(briefs: Iterable<BriefSummary>): void {
		for (const brief of briefs) {
			const group = productGroup(brief);
			const alike = this.byGroup.get(group) ?? new Map<string, BriefSummary>();
			this.byGroup.set(group, alike.set(brief.id, brief));
			if (!this.places.has(brief.id)) this.places.set(brief.id, this.size++);
		}
	}

	/** Checks whether a brief was among the first that were seen. */
	wasSeen({ id }: BriefSummary, count: number): boolean {
		return (this.places.get(id) ?? Infinity) < count;
	}

	/**
	 * Checks whether one of them may be of this content.
	 * @param briefsCompared how many were known when the content was last compared with them
	 */
	mayHave(content: WantedContent, briefsCompared = 0): boolean {
		return this.candidates(content).some((brief) => !this.wasSeen(brief, briefsCompared));
	}

	/**
	 * Finds the one that was made from this content: the newest, and a failed one only if there is no other. Throws what
	 * `get` throws: nothing is decided without an answer.
	 */
	async find(content: WantedContent, get: GetBrief): Promise<Look> {
		const candidates = this.candidates(content);
		const compare = (briefs: readonly BriefSummary[]) =>
			compareBriefs(briefs, (brief) => likenessTo(content, brief), get);
		const comparisons = await compare(candidates.filter((brief) => !isFailed(brief)));
		const look = newestOf(comparisons.filter(({ brief }) => !isFailed(brief)));
		if (look.is !== 'nothing') return look;
		// The list may be older than an end that a get shows.
		const failedSince = comparisons.filter(({ brief }) => isFailed(brief));
		return newestOf([...failedSince, ...(await compare(candidates.filter(isFailed)))]);
	}

	/** Forgets those that are too old to be anybody's. */
	forgetOld(): void {
		for (const alike of this.byGroup.values()) {
			for (const brief of alike.values()) {
				if (!this.isOld(brief)) continue;
				alike.delete(brief.id);
				this.places.delete(brief.id);
			}
		}
	}

	/** Gives those of a product, the newest first. */
	ofProduct(input: BriefInput): readonly BriefSummary[] {
		const alike = [...(this.byGroup.get(productGroup(input))?.values() ?? [])];
		return alike
			.filter((brief) => isOfProduct(brief, input))
			.sort((a, b) => createdOf(b) - createdOf(a) || 0);
	}

	/** Checks whether a brief is too old to be an order's. */
	isOld(brief: BriefSummary): boolean {
		return createdOf(brief) < this.asOf() - LOOKED_BACK_MS;
	}

	private candidates({ input, isFree, isOurs }: WantedContent): readonly BriefSummary[] {
		return this.ofProduct(input).filter(
			(brief) => (!this.isOld(brief) || isOurs?.(brief) === true) && isFree(brief),
		);
	}
}

function isFailed({ status }: BriefSummary): boolean {
	return status === 'failed';
}

/** Picks the newest that was made from the content: of several, that one was asked for last. */
function newestOf(comparisons: readonly Comparison[]): Look {
	const candidates = comparisons.filter(({ likeness }) => likeness !== 'other');
	const same = candidates.find(({ likeness }) => likeness === 'same');
	return same === undefined ? pickBrief(candidates) : { is: 'found', brief: same.brief };
}

function likenessTo({ input, isOurs }: WantedContent, brief: Brief): Likeness {
	const likeness = showsLess(brief, input) ? 'other' : likenessOf(brief, input);
	// A failed brief says only that its product has failed before, and only of the same content.
	if (isFailed(brief)) return likeness === 'maybe' ? 'other' : likeness;
	// It was paid for by this list, before its row was edited or by another row.
	return likeness === 'other' && isOurs?.(brief) === true ? 'maybe' : likeness;
}

/** Gives when it was created. A time that cannot be read excludes nothing. */
export function createdOf({ created_at }: BriefSummary): number {
	return instantOf(created_at) ?? Infinity;
}
