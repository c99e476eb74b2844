import { LOOKED_BACK_MS } from '../assumptions';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { instantOf } from '../api/timestamps';
import { pickBrief, compareBriefs, type Comparison } from './find-brief';
import { ContentComparison } from './content-comparison';
import type { Likeness } from './likeness';
import type { Look } from './shell';
import { spelling } from '../input/spelling';

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

/** How much was known when a content was compared with the listed briefs. */
export interface Knowledge {
	readonly size: number;
	readonly lessons: number;
}

/**
 * The briefs that the list shows, by name. It says which of them was made from a content: in one workspace the same
 * content is one brief, whoever ordered it, for LOOKED_BACK_MS.
 */
export class ListedBriefs {
	private readonly byName = new Map<string, Map<string, BriefSummary>>();
	/** The number of briefs that were known before each, by its ID. */
	private readonly places = new Map<string, number>();
	private readonly comparison = new ContentComparison();

	/** The number of briefs that were ever seen. */
	size = 0;

	/** @param asOf says until when a brief's age counts, by the service's clock */
	constructor(private readonly asOf: () => number) {}

	see(briefs: Iterable<BriefSummary>): void {
		for (const brief of briefs) {
			const name = spelling(brief.product_name);
			const alike = this.byName.get(name) ?? new Map<string, BriefSummary>();
			this.byName.set(name, alike.set(brief.id, brief));
			if (!this.places.has(brief.id)) this.places.set(brief.id, this.size++);
		}
	}

	/** Learns how the service shows an input, from the answer to the create of this content. */
	learn(answer: Brief, input: BriefInput): void {
		this.comparison.learn(answer, input);
	}

	get knowledge(): Knowledge {
		return { size: this.size, lessons: this.comparison.lessons };
	}

	/** Checks whether a brief is among the first `count` that were seen. */
	wasSeen({ id }: BriefSummary, count: number): boolean {
		return (this.places.get(id) ?? Infinity) < count;
	}

	/**
	 * Checks whether one of them may be of this content.
	 * @param compared what was known when the content was last compared with them
	 */
	mayHave(content: WantedContent, compared: Knowledge = { size: 0, lessons: 0 }): boolean {
		const isAllNew = this.comparison.lessons > compared.lessons;
		return this.candidates(content).some(
			(brief) => isAllNew || !this.wasSeen(brief, compared.size),
		);
	}

	/**
	 * Finds the one that was made from this content: the newest, and a failed one only if there is no other. Throws what
	 * `get` throws: nothing is decided without an answer.
	 */
	async find(content: WantedContent, get: GetBrief): Promise<Look> {
		const candidates = this.candidates(content);
		const compare = (briefs: readonly BriefSummary[]) =>
			compareBriefs(briefs, (brief) => this.likenessTo(content, brief), get);
		const comparisons = await compare(candidates.filter((brief) => !isFailed(brief)));
		const look = newestOf(comparisons.filter(({ brief }) => !isFailed(brief)));
		if (look.is !== 'nothing') return look;
		// The list may be older than an end that a get shows.
		const all = [...comparisons, ...(await compare(candidates.filter(isFailed)))];
		// A failed brief says only that the same content has failed before.
		return newestOf(all.filter(({ likeness }) => likeness === 'same'));
	}

	/** Finds the newest one that was made from this content, or may be, and is too old to be used. */
	async findOld(content: WantedContent, get: GetBrief): Promise<BriefSummary | null> {
		const likenessTo = (brief: Brief) => this.likenessTo(content, brief);
		for (const brief of this.ofProduct(content.input)) {
			if (!this.isOld(brief)) continue;
			const [comparison] = await compareBriefs([brief], likenessTo, get);
			if (comparison?.likeness !== 'other') return brief;
		}
		return null;
	}

	all(): BriefSummary[] {
		return [...this.byName.values()].flatMap((alike) => [...alike.values()]);
	}

	ofProduct(input: BriefInput): readonly BriefSummary[] {
		const { comparison, byName } = this;
		const alike = comparison.areNamesAltered
			? [...byName.values()]
			: [byName.get(spelling(input.product_name)) ?? new Map<string, BriefSummary>()];
		return alike
			.flatMap((briefs) => [...briefs.values()])
			.filter((brief) => comparison.mayBeOf(input, brief))
			.sort((a, b) => createdOf(b) - createdOf(a) || 0);
	}

	/** Checks whether a brief is too old to be an order's. */
	isOld(brief: BriefSummary): boolean {
		return createdOf(brief) < this.asOf() - LOOKED_BACK_MS;
	}

	private likenessTo({ input, isOurs }: WantedContent, brief: Brief): Likeness {
		const likeness = this.comparison.likenessOf(brief, input);
		// It was paid for by this list, before its row was edited or by another row.
		return likeness === 'other' && isOurs?.(brief) === true ? 'maybe' : likeness;
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
export function newestOf(comparisons: readonly Comparison[]): Look {
	const candidates = comparisons.filter(({ likeness }) => likeness !== 'other');
	const same = candidates.find(({ likeness }) => likeness === 'same');
	return same === undefined ? pickBrief(candidates) : { is: 'found', brief: same.brief };
}

/** Gives when it was created. A time that cannot be read excludes nothing. */
export function createdOf({ created_at }: BriefSummary): number {
	return instantOf(created_at) ?? Infinity;
}
