import { READ_TRIES } from '../../service/assumptions';
import type { Listing } from '../../service/list/brief-list';
import {
	createdOf,
	ListedBriefs,
	type Knowledge,
	type WantedContent,
} from '../../service/order/listed-briefs';
import { mayBeNamedFor } from '../../service/order/find-brief';
import { isOfOtherProduct, isOlder, productGroup } from '../../service/order/likeness';
import type { Moment } from '../../service/order/times';
import type { Look } from '../../service/order/shell';
import { nullIfUnknown } from '../../service/api/outcome';
import type { Clock } from '../../service/api/ports';
import type { Brief, BriefInput, BriefSummary } from '../../service/api/resources';
import { withRetries } from '../../service/api/resend';
import type { BriefingService } from '../../service/api/service';
import { instantOf } from '../../service/api/timestamps';
import type { BriefOwners, OwnersOnRecord } from './brief-owners';
import type { OrderOf } from '../folder/events';
import { createdAt, type Records, statusOf } from '../folder/records';

/**
 * The briefs that the list shows or that lie in results/, and that belong to no row of the journal. A row that is new to
 * the journal may still have been ordered before: the journal may be lost, old, or another one. Or another run has just
 * ordered it.
 */
export class FreeBriefs {
	private readonly list: ListedBriefs;
	/** The number of them that were known when the plan compared the rows. */
	private readonly atStart: number;
	/** By the key of a try, what was known of them when none was its own. */
	private readonly ruledOut = new Map<string, Knowledge>();
	private readonly gets = new Map<string, Promise<Brief | null>>();

	constructor(
		private readonly listing: Listing,
		private readonly tools: {
			service: BriefingService;
			clock: Clock;
			signal: AbortSignal;
			records: Records;
			owners: BriefOwners;
			/** The keys of orders in doubt of which this run has no row. */
			keysWithoutRow: ReadonlySet<string>;
		},
	) {
		this.list = new ListedBriefs(() => listing.asOf);
		const { owners } = tools;
		this.see(listing.briefs.filter(({ id }) => !owners.isInResults(id)));
		this.see(owners.inResults);
		this.atStart = this.size;
	}

	see(briefs: readonly BriefSummary[]): void {
		this.list.see(briefs.filter(({ id }) => this.tools.owners.isFree(id)));
	}

	/** Learns how the service shows an input, from the answer to the create of this content. */
	learn(answer: Brief, input: BriefInput): void {
		this.list.learn(answer, input);
	}

	get size(): number {
		return this.list.size;
	}

	/** Says whether one of them may be of a try, as far as it was not compared yet. */
	mayHave(one: OrderOf, input: BriefInput): boolean {
		return this.list.mayHave(this.wantedContent(one, input), this.ruledOut.get(one.key));
	}

	/** Finds which of them was made from this content. Throws ServiceError: nothing is decided without an answer. */
	private async find(one: OrderOf, input: BriefInput): Promise<Look> {
		const { knowledge } = this.list;
		const look = await this.list.find(this.wantedContent(one, input), (id) => this.get(id));
		if (look.is === 'nothing') this.ruledOut.set(one.key, knowledge);
		return look;
	}

	/** Looks for a brief that was there before the try was ever sent, and takes it for that. Throws ServiceError. */
	async take(one: OrderOf, input: BriefInput): Promise<{ look: Look; asOf: number }> {
		const { owners } = this.tools;
		for (;;) {
			const look = this.ownIn(await this.find(one, input), one);
			// Another row of the same content may have taken it meanwhile.
			if (look.is !== 'found' || owners.take(look.brief.id, one.key))
				return { look, asOf: this.listing.asOf };
		}
	}

	/** Gives what a look showed, as far as the brief may be the order's own. */
	ownIn(look: Look, order: OrderOf): Look {
		return withoutThoseOfOthers(look, order, this.tools);
	}

	/**
	 * Gives the IDs of those that may be taken for what an order makes, if it is first sent now: none of them is. The list
	 * shows others so far back that they are surely older.
	 */
	listedBefore(input: BriefInput, now: Moment): string[] {
		const mayBeMistaken = (brief: BriefSummary) =>
			mayBeNamedFor(brief, input) && !isOlder(brief, now);
		return this.list
			.all()
			.filter(mayBeMistaken)
			.map(({ id }) => id);
	}

	/** Gives those of a product that no row has or takes, or only those that are too old to be taken over. */
	leftOver(input: BriefInput, how: { isOld: boolean }): readonly BriefSummary[] {
		const freeOnes = this.list.ofProduct(input).filter(({ id }) => this.tools.owners.isFree(id));
		return how.isOld
			? freeOnes.filter(
					(brief) => this.list.isOld(brief) && !this.tools.owners.isInResults(brief.id),
				)
			: freeOnes;
	}

	/** The journal says which briefs are free for a try, results/ which of them this list has paid for. */
	private wantedContent(one: OrderOf, input: BriefInput): WantedContent {
		const { owners } = this.tools;
		const after = this.newestAfter(one);
		const wasThere = (brief: BriefSummary) => this.list.wasSeen(brief, this.atStart);
		return {
			input,
			isFree: (brief) => createdOf(brief) > after && isFreeFor(one, brief, wasThere(brief), owners),
			isOurs: ({ id }) => owners.isInResults(id),
		};
	}

	/**
	 * Gives after when a brief was ordered that may be of this try. If the try before failed, after that; if a person has
	 * asked for a further brief beside one that may exist, no listed brief counts.
	 */
	private newestAfter(one: OrderOf): number {
		if (one.try === 1) return -Infinity;
		const earlierTry = this.tools.records.tryBefore(one);
		return earlierTry !== undefined && statusOf(earlierTry) === 'failed'
			? (instantOf(createdAt(earlierTry)) ?? Infinity)
			: Infinity;
	}

	/** Each is got once in a run, however many rows are of its product. */
	private get(id: string): Promise<Brief | null> {
		const answer = this.gets.get(id) ?? this.fetch(id);
		this.gets.set(id, answer);
		return answer;
	}

	private fetch(id: string): Promise<Brief | null> {
		const { service, clock, signal, owners } = this.tools;
		const get = () => service.brief(id, signal);
		const got = withRetries(get, { clock, limits: READ_TRIES, signal });
		return nullIfUnknown(owners.orKept(got, id));
	}
}

/**
 * Says whether a brief may be of a try that was never sent: no order has it, nor may it be what the service made of
 * another row's order, whose answer is not known.
 * @param wasThere whether it was known when the plan compared the rows
 */
export function isFreeFor(
	one: OrderOf,
	brief: BriefSummary,
	wasThere: boolean,
	owners: BriefOwners,
): boolean {
	if (!owners.isFree(brief.id, one.key)) return false;
	const mayHaveMade = (order: OrderOf) =>
		order.content_id !== one.content_id && !isOfOtherProduct(brief, order);
	return wasThere || !owners.records.inDoubt().some(mayHaveMade);
}

/**
 * Gives what a look showed. No brief is likely its own as long as another order of its product is in doubt and may be
 * sent again: only the answer to that shows whose the brief is.
 * @param facts `keysWithoutRow` are the keys of orders of which this run has no row: they are not sent
 */
export function withoutThoseOfOthers(
	look: Look,
	order: OrderOf,
	facts: { records: OwnersOnRecord; keysWithoutRow: ReadonlySet<string> },
): Look {
	if (look.is !== 'unclear') return look;
	const { records, keysWithoutRow } = facts;
	const mayBeSent = ({ key }: OrderOf) =>
		key !== order.key && !(keysWithoutRow.has(order.key) && keysWithoutRow.has(key));
	const group = productGroup(order);
	const isOthers = records
		.inDoubt()
		.some((other) => mayBeSent(other) && productGroup(other) === group);
	return isOthers ? { is: 'unclear', ids: look.ids } : look;
}
