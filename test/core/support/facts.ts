import type { Brief, BriefInput, BriefSummary } from '../../../core/api/types';
import { normalizeText, toContentId } from '../../../core/input/content';
import { Facts, type BriefOwners } from '../../../core/orders/facts';
import {
	getCurrentBrief,
	isOwn,
	changeState,
	makeDraft,
	NOTHING,
	type BriefSource,
	type HasBrief,
	type Order,
	type SentTimes,
	type SettledOrder,
	type Superseded,
	type UnconfirmedOrder,
} from '../../../core/orders/order';
import { BriefDetails } from '../../../core/workspace/brief-details';
import { ListSnapshot } from '../../../core/workspace/brief-list';
import { getCreationTime } from '../../../core/workspace/brief-time';
import { InputDisplay } from '../../../core/workspace/input-display';
import { DAY, MINUTE } from '../../support/time';

/** The facts of a decision as data, without a service. */

export const NOW = Date.UTC(2026, 10, 10, 12);

/** The input of briefs and orders, unless a test names another. */
export const BAKERS: BriefInput = { product_name: 'Mug', audience: 'Bakers' };

export interface BriefFacts extends Partial<BriefSummary> {
	readonly id: string;
	/** In milliseconds. Ten days, unless a test names another. */
	readonly age?: number;
	/** The input that a GET shows; null if the brief cannot be fetched. */
	readonly shows?: object | null;
}

export function makeBrief({ id, age = 10 * DAY, shows = BAKERS, ...facts }: BriefFacts): Brief {
	const created_at = new Date(NOW - age).toISOString();
	const texts = { title: null, url: '', updated_at: created_at, finished_at: null };
	const parts = { markdown: null, document: null, sources: [], warnings: [], error_code: null };
	const input = shows as Brief['input'];
	const base = { id, status: 'ready', product_name: 'Mug', created_at, input, revision: 1 };
	return { ...texts, ...parts, ...base, ...facts };
}

export interface Situation {
	/** The listed briefs. Those of a product were fetched. */
	readonly listed?: readonly BriefFacts[];
	/** The orders of the caller. */
	readonly orders?: readonly Order[];
	/** When the orders that have paid for briefs were last sent, by the ID of the brief. */
	readonly lastRequests?: Readonly<Record<string, number>>;
	/** Briefs that are late or missing, as the user was told. */
	readonly givenUp?: readonly string[];
	readonly display?: InputDisplay;
	/** When the newest page was requested. */
	readonly readAt?: number;
}

export function makeFacts({
	listed = [],
	orders = [],
	lastRequests = {},
	givenUp = [],
	display = new InputDisplay(),
	readAt = NOW,
}: Situation): Facts {
	const briefs = listed.map(makeBrief);
	const details = new FetchedDetails(briefs.filter(({ input }) => (input as unknown) !== null));
	for (const brief of details.fetched) display.addBrief(brief);
	const owners = makeOwners(orders, lastRequests, givenUp);
	return new Facts({ list: makeList(briefs, readAt), owners, details, display, now: NOW });
}

export class FetchedDetails extends BriefDetails {
	private readonly byId: ReadonlyMap<string, Brief>;

	constructor(readonly fetched: readonly Brief[]) {
		super(() => Promise.reject(new Error('a decision sends no request')));
		this.byId = new Map(fetched.map((brief) => [brief.id, brief]));
	}

	override get(id: string): Brief | null {
		return this.byId.get(id) ?? null;
	}
}

export function makeList(briefs: readonly BriefSummary[], readAt: number): ListSnapshot {
	const known = briefs.map((brief) => ({
		brief,
		createdAt: getCreationTime(brief),
		productName: normalizeText(brief.product_name),
	}));
	return new ListSnapshot(known, { briefs, nextCursor: null, readAt, requestedAt: readAt });
}

export function makeOwners(
	orders: readonly Order[],
	lastRequests: Readonly<Record<string, number>> = {},
	givenUp: readonly string[] = [],
): BriefOwners {
	const findOwn = () =>
		orders.filter(({ state }) => state.kind === 'has_brief' && isOwn(state.source));
	return {
		findOwner: (briefId) =>
			findOwn().find((order) => getCurrentBrief(order)?.id === briefId) ?? null,
		listOwnBriefs: (contentId) =>
			findOwn()
				.filter((order) => order.contentId === contentId)
				.flatMap((order) => getCurrentBrief(order) ?? []),
		findLastRequest: (briefId) => lastRequests[briefId] ?? null,
		isGivenUp: (briefId) => givenUp.includes(briefId),
	};
}

interface OrderFacts {
	readonly input?: BriefInput;
	readonly supersedes?: Superseded;
	/** The briefs that were listed when the order was decided. */
	readonly shown?: readonly string[];
}

export function makeOrder({ input = BAKERS, supersedes = NOTHING, shown = [] }: OrderFacts = {}) {
	return makeDraft({ input, contentId: toContentId(input) }, supersedes, shown);
}

/** Returns an order whose key was first and last sent this long ago, in minutes. */
export function makeUnconfirmed(
	first: number,
	last: number,
	{ isRefused = false, ...facts }: OrderFacts & { readonly isRefused?: boolean } = {},
): UnconfirmedOrder {
	const times: SentTimes = { firstSentAt: NOW - first * MINUTE, lastSentAt: NOW - last * MINUTE };
	return changeState(makeOrder(facts), { kind: 'unconfirmed', isRefused, ...times });
}

export function makeRejected(facts: OrderFacts = {}): SettledOrder {
	return changeState(makeOrder(facts), { kind: 'rejected' });
}

/** Returns an order that has this brief. */
export function makeSettled(
	brief: BriefFacts,
	{ source = 'own', ...facts }: OrderFacts & { readonly source?: BriefSource } = {},
): SettledOrder {
	const state: HasBrief = { kind: 'has_brief', brief: makeBrief(brief), source };
	return changeState(makeOrder(facts), state);
}
