import { IdMap } from '../../../service/brief-id';
import { READ_TRIES } from '../../../service/assumptions';
import type { Listing } from '../../../service/brief-list';
import { pickBrief } from '../../../service/order/find-brief';
import { likenessOf } from '../../../service/order/likeness';
import { isOfProduct, productGroup } from '../../../service/order/product';
import type { Look } from '../../../service/order/shell';
import { nullIfUnknown } from '../../../service/outcome';
import type { Clock } from '../../../service/ports';
import type { PollInterval } from '../../../service/poll-interval';
import type { Brief, BriefInput, BriefSummary } from '../../../service/resources';
import { withRetries } from '../../../service/retry';
import type { BriefingService } from '../../../service/service';
import { instantOf } from '../../../service/timestamps';
import { orKept } from '../../results/kept-briefs';
import type { Claims } from '../order/claims';

/**
 * An older brief is no accident: a product that gets a brief every month wants a new one each time.
 */
export const LOOKED_BACK_DAYS = 31;
export const LOOKED_BACK_MS = LOOKED_BACK_DAYS * 24 * 3_600_000;

export interface ListedTools {
	service: Pick<BriefingService, 'brief'>;
	clock: Clock;
	interval: PollInterval;
	waiting: AbortSignal;
	claims: Claims;
	/** The briefs in results/ that no row of the journal has. */
	kept: IdMap<Brief>;
}

/**
 * The briefs that the list showed when the run began or that lie in results/, and that belong to no row of the journal. A
 * row that is new to the journal may still have been ordered before: the journal may be lost, old, or another one.
 */
export class ListedBriefs {
	private readonly byGroup = new Map<string, BriefSummary[]>();
	private readonly gets = new IdMap<Promise<Brief | null>>();

	constructor(
		private readonly listing: Pick<Listing, 'briefs' | 'asOf'>,
		private readonly tools: ListedTools,
	) {
		const { kept } = tools;
		for (const brief of listing.briefs)
			if (brief.status !== 'failed' && !kept.has(brief.id)) this.add(brief);
		for (const brief of kept.values()) this.add(brief);
	}

	private add(brief: BriefSummary): void {
		if (!this.tools.claims.isFree(brief.id)) return;
		const group = productGroup(brief);
		const alike = this.byGroup.get(group) ?? [];
		this.byGroup.set(group, alike);
		alike.push(brief);
	}

	/** When the list was read, by the service's clock. */
	get asOf(): number {
		return this.listing.asOf;
	}

	get isEmpty(): boolean {
		return this.byGroup.size === 0;
	}

	/** Whether a row may have been ordered before. Once a person has asked for another try, that no longer matters. */
	mayHave({ generation }: { generation: number }, input: BriefInput): boolean {
		return generation === 1 && this.of(input).some(({ id }) => this.tools.claims.isFree(id));
	}

	/** Which of them was made from this input. Throws ServiceError: nothing may be decided without an answer. */
	find(input: BriefInput): Promise<Look> {
		const free = this.of(input).filter(({ id }) => this.tools.claims.isFree(id));
		const likeness = (brief: Brief) =>
			brief.status === 'failed' ? 'other' : likenessOf(brief, input);
		return pickBrief(free, likeness, (id) => this.get(id));
	}

	/** Those of its product that are not taken over, because they are too old. */
	olderOf(input: BriefInput): readonly BriefSummary[] {
		return this.ofProduct(input).filter((brief) => this.isOld(brief));
	}

	private of(input: BriefInput): readonly BriefSummary[] {
		return this.ofProduct(input).filter((brief) => !this.isOld(brief));
	}

	private ofProduct(input: BriefInput): readonly BriefSummary[] {
		const alike = this.byGroup.get(productGroup(input)) ?? [];
		return alike.filter((brief) => isOfProduct(brief, input));
	}

	/** What lies in results/ was ordered by this list, whenever that was. */
	private isOld({ id, created_at }: BriefSummary): boolean {
		const created = instantOf(created_at) ?? Infinity;
		return created < this.listing.asOf - LOOKED_BACK_MS && !this.tools.kept.has(id);
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
		return nullIfUnknown(orKept(got, kept.get(id)));
	}
}
