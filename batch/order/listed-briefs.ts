import { LOOKED_BACK_MS, READ_TRIES } from '../../service/assumptions';
import type { Listing } from '../../service/list/brief-list';
import { pickBrief } from '../../service/order/find-brief';
import {
	likenessOf,
	isOfOtherProduct,
	isOfProduct,
	productGroup,
} from '../../service/order/likeness';
import type { Look } from '../../service/order/shell';
import { nullIfUnknown } from '../../service/api/outcome';
import type { Clock } from '../../service/api/ports';
import type { PollInterval } from '../../service/api/poll-interval';
import type { Brief, BriefInput, BriefSummary } from '../../service/api/resources';
import { withRetries } from '../../service/api/retry';
import type { BriefingService } from '../../service/api/service';
import { instantOf } from '../../service/api/timestamps';
import type { Try } from '../plan/try';
import { orKept, type Kept } from './kept-briefs';
import type { Claims } from './claims';
import { createdAt, type BriefRecord } from '../folder/journal/records';

export interface ListedTools {
	service: BriefingService;
	clock: Clock;
	interval: PollInterval;
	waiting: AbortSignal;
	claims: Claims;
	/** The briefs in results/ that no row of the journal has. */
	kept: Kept;
}

/**
 * The briefs that the list shows or that lie in results/, and that belong to no row of the journal. A row that is new to
 * the journal may still have been ordered before: the journal may be lost, old, or another one. Or another run has just
 * ordered it.
 */
export class ListedBriefs {
	/** The number of them that were known before, by the ID of each. */
	private readonly known = new Map<string, number>();
	/** The number of them that were known when the plan compared the rows. */
	readonly atStart: number;
	private readonly byGroup = new Map<string, BriefSummary[]>();
	private readonly gets = new Map<string, Promise<Brief | null>>();

	constructor(
		private readonly listing: Listing,
		private readonly tools: ListedTools,
	) {
		const { briefs: kept } = tools.kept;
		this.see(listing.briefs.filter(({ id }) => !kept.has(id)));
		this.see(kept.values());
		this.atStart = this.size;
	}

	see(briefs: Iterable<BriefSummary>): void {
		for (const brief of briefs) {
			const { id } = brief;
			if (this.known.has(id) || !this.tools.claims.isFree(id)) continue;
			this.known.set(id, this.known.size);
			const group = productGroup(brief);
			const alike = this.byGroup.get(group) ?? [];
			this.byGroup.set(group, alike);
			alike.push(brief);
		}
	}

	get size(): number {
		return this.known.size;
	}

	/**
	 * Says whether one of them may be of a try.
	 * @param compared how many were known when the try was last compared with them
	 */
	mayHave(one: Try, input: BriefInput, compared = 0): boolean {
		return this.of(one, input).some(({ id }) => (this.known.get(id) ?? 0) >= compared);
	}

	/** Finds which of them was made from this content. Throws ServiceError: nothing is decided without an answer. */
	async find(one: Try, input: BriefInput): Promise<Look> {
		const { rows, briefs: kept } = this.tools.kept;
		const isKept = ({ id, status }: Brief) => kept.has(id) && status !== 'failed';
		const likeness = (brief: Brief) => {
			const shown = likenessOf(brief, input);
			// What the brief leaves open, results.csv may say.
			const likely = shown === 'maybe' && rows.get(brief.id) === one.row ? 'same' : shown;
			if (brief.status === 'failed' && likely === 'maybe') return 'other';
			// What lies in results/ was paid for by this list, before its row was edited or by another one.
			return likely === 'other' && isKept(brief) ? 'maybe' : likely;
		};
		const candidates = this.of(one, input);
		const pick = (isFailed: boolean) => {
			const some = candidates.filter(({ status }) => (status === 'failed') === isFailed);
			return pickBrief(some, likeness, (id) => this.get(id));
		};
		const look = await pick(false);
		// A failed brief says only that its product has failed before, and only of the same content.
		return look.is === 'nothing' ? await pick(true) : look;
	}

	/** Looks for a brief that was there before the try was ever sent, and takes it for that. Throws ServiceError. */
	async take(one: Try, input: BriefInput): Promise<{ look: Look; asOf: number }> {
		const { claims } = this.tools;
		for (;;) {
			const look = claims.withoutThoseOfOthers(await this.find(one, input), one);
			// Another row of the same content may have taken it meanwhile.
			if (look.is !== 'found' || claims.take(look.brief.id, one.key))
				return { look, asOf: this.listing.asOf };
		}
	}

	/** Gives those of a product that no row has or takes, or only those that are too old to be taken over. */
	leftOver(input: BriefInput, how: { isOld: boolean }): readonly BriefSummary[] {
		const free = this.ofProduct(input).filter(({ id }) => this.tools.claims.isFree(id));
		return how.isOld ? free.filter((brief) => this.isOld(brief)) : free;
	}

	private of(one: Try, input: BriefInput): readonly BriefSummary[] {
		const alike = this.ofProduct(input);
		if (alike.length === 0) return alike;
		const after = this.newestAfter(one);
		return alike.filter(
			(brief) =>
				createdOf(brief) > after &&
				!this.isOld(brief) &&
				this.tools.claims.isFree(brief.id, one.key) &&
				!this.mayBeAnswer(brief, one),
		);
	}

	private ofProduct(input: BriefInput): readonly BriefSummary[] {
		const alike = this.byGroup.get(productGroup(input)) ?? [];
		return alike.filter((brief) => isOfProduct(brief, input));
	}

	/** Says whether a brief appeared that may be what the service made of another row's order, whose answer is not known. */
	private mayBeAnswer(brief: BriefSummary, { row, ordinal }: Try): boolean {
		if ((this.known.get(brief.id) ?? 0) < this.atStart) return false;
		const orders = this.tools.claims.records.inDoubt();
		const isOwn = (order: BriefRecord) => order.row === row && order.ordinal === ordinal;
		return orders.some((order) => !isOwn(order) && !isOfOtherProduct(brief, order));
	}

	/**
	 * Gives after when a brief was ordered that may be of this try. If the try before failed, after that; if a person has
	 * asked for a further brief beside one that may exist, no listed brief counts.
	 */
	private newestAfter(one: Try): number {
		if (one.generation === 1) return -Infinity;
		const before = this.tools.claims.records.before(one);
		return before?.status === 'failed' ? (instantOf(createdAt(before)) ?? Infinity) : Infinity;
	}

	/** Says whether a brief is too old to be taken over. One in results/ never is: this list ordered it. */
	private isOld(brief: BriefSummary): boolean {
		const oldest = this.listing.asOf - LOOKED_BACK_MS;
		return createdOf(brief) < oldest && !this.tools.kept.briefs.has(brief.id);
	}

	/** Each is got once in a run, however many rows are of its product. */
	private get(id: string): Promise<Brief | null> {
		const known = this.gets.get(id) ?? this.fetch(id);
		this.gets.set(id, known);
		return known;
	}

	private fetch(id: string): Promise<Brief | null> {
		const { service, clock, interval, waiting: signal, kept } = this.tools;
		const get = () => service.brief(id, signal);
		const got = withRetries(get, { clock, interval, limits: READ_TRIES, signal });
		return nullIfUnknown(orKept(got, kept.briefs.get(id)));
	}
}

/** A time that cannot be read excludes nothing. */
function createdOf({ created_at }: BriefSummary): number {
	return instantOf(created_at) ?? Infinity;
}
