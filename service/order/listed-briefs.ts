import { LOOKED_BACK_MS } from '../assumptions';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { instantOf } from '../api/timestamps';
import { pickBrief } from './find-brief';
import { isOfProduct, likenessOf, productGroup, type Likeness } from './likeness';
import type { Look } from './shell';

/** A content that is to be ordered, with what its shell knows about listed briefs. */
export interface Wanted {
	input: BriefInput;
	/** Checks whether a brief may be this order's, so that no other order has it. */
	isFree: (brief: BriefSummary) => boolean;
	/** Checks whether a brief surely was ordered for this list and is paid for, whatever its age and content. */
	isKept?: (brief: BriefSummary) => boolean;
	/** Says more than a brief that leaves its content open. */
	witness?: (brief: Brief) => Likeness;
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
	wasSeen({ id }: BriefSummary, before: number): boolean {
		return (this.places.get(id) ?? Infinity) < before;
	}

	/**
	 * Checks whether one of them may be of this content.
	 * @param compared how many were known when the content was last compared with them
	 */
	mayHave(wanted: Wanted, compared = 0): boolean {
		return this.candidates(wanted).some((brief) => !this.wasSeen(brief, compared));
	}

	/** Finds the one that was made from this content. Throws what `get` throws: nothing is decided without an answer. */
	async find(wanted: Wanted, get: GetBrief): Promise<Look> {
		const candidates = this.candidates(wanted);
		const pick = (isFailed: boolean) => {
			const some = candidates.filter(({ status }) => (status === 'failed') === isFailed);
			return pickBrief(some, (brief) => likenessTo(wanted, brief), get);
		};
		const look = await pick(false);
		// A failed brief says only that its product has failed before, and only of the same content.
		return look.is === 'nothing' ? await pick(true) : look;
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

	private candidates({ input, isFree, isKept }: Wanted): readonly BriefSummary[] {
		return this.ofProduct(input).filter(
			(brief) => (!this.isOld(brief) || isKept?.(brief) === true) && isFree(brief),
		);
	}
}

function likenessTo({ input, isKept, witness }: Wanted, brief: Brief): Likeness {
	const shown = likenessOf(brief, input);
	const likely = shown === 'maybe' ? (witness?.(brief) ?? shown) : shown;
	if (brief.status === 'failed') return likely === 'maybe' ? 'other' : likely;
	// It was paid for by this list, before its row was edited or by another row.
	return likely === 'other' && isKept?.(brief) === true ? 'maybe' : likely;
}

/** Gives when it was created. A time that cannot be read excludes nothing. */
export function createdOf({ created_at }: BriefSummary): number {
	return instantOf(created_at) ?? Infinity;
}
