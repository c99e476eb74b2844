import { isRunning, type BriefSummary } from '../api/types';
import { DAY_MS, MAX_FAILED_BRIEFS } from '../assumptions';
import { compareNewest, getCreationTime, isOlderThan } from '../workspace/brief-time';
import type { Facts } from './facts';
import {
	countFailedBriefs,
	findContentBriefs,
	findOwnBrief,
	findProductBriefs,
	findUndecidedBriefs,
	isFoundByName,
} from './find-brief';
import {
	Draft,
	getCurrentBrief,
	getKeySafety,
	isDraft,
	isListBehind,
	isUnconfirmed,
	makeDraft,
	NOTHING,
	type Content,
	type Order,
	type Superseded,
	type UnconfirmedOrder,
	type OrderToSend,
} from './order';

/**
 * Decides what happens to an order. This is the only place that decides it, for both front ends: once in the plan, and
 * again in the order's turn just before each request. Pure: the input is data, and nothing is sent.
 *
 *     order          the list shows                          decision
 *     none           nothing of this content                 send, supersedes nothing
 *     none           a brief of this content                 use it, failed or not
 *     none           a brief that hides its input            ask
 *     has a brief    anything                                keep it, unless it failed or a reorder is wanted
 *     draft          a brief that appeared since             use it
 *     unconfirmed    its brief                               use it
 *     unconfirmed    nothing, and the key is young           send the same key
 *     unconfirmed    nothing for twelve minutes              send the same key, or drop the order
 *     unconfirmed    another new brief of the product        ask
 */
export type Decision =
	| UseDecision
	/** The order has its brief, and the command wants no other. */
	| { readonly kind: 'keep' }
	| { readonly kind: 'failed'; readonly reason: FailedReason }
	| { readonly kind: 'send'; readonly order: OrderToSend }
	/** The list might not show the brief of the last request yet. */
	| { readonly kind: 'wait' }
	/** One of these briefs might be the order's: the user decides. */
	| { readonly kind: 'ask'; readonly briefIds: readonly string[] }
	/** Nothing was created, and this command does not send the order. */
	| { readonly kind: 'drop' };

export interface UseDecision {
	readonly kind: 'use';
	readonly brief: BriefSummary;
	/** `reused`: the brief existed, and is used at no cost. Otherwise it is the unconfirmed order's own. */
	readonly source: 'own' | 'own_unproven' | 'reused';
}

type FailedReason = 'rejected' | 'brief_failed' | 'three_failed_briefs';

/** What the caller wants for a content. */
export interface Policy {
	/** `retry_failed`: `retry`, and *Use It Unless It Failed* of n8n. */
	readonly wish: 'use' | 'retry_failed' | 'reorder';
	/** Briefs that earlier reviews have named to the user. The command passes over them. */
	readonly seen: ReadonlySet<string>;
	/** Whether the command sends an order again that an earlier command has sent. */
	readonly canResend: boolean;
	/** Briefs that are older are superseded instead of used. */
	readonly reuseWithinMs: number;
	/** The briefs of orders that this execution of n8n has sent. */
	readonly resultsOfExecution: ReadonlySet<string>;
}

export interface OrderRequest extends Content {
	/** The newest order of the content, or the draft in its turn; null before anything is decided. */
	readonly order: Order | null;
	readonly policy: Policy;
	/** In a plan: hidden briefs that the turn compares again, because orders that are sent before might have created them. */
	readonly comparedLater?: ReadonlySet<string>;
}

export function decideOrder(request: OrderRequest, facts: Facts): Decision {
	const { order, policy } = request;
	if (order === null) return planOrder(request, facts);
	if (isDraft(order)) return checkDraft(order, request, facts);
	if (isUnconfirmed(order)) return settleOrder(order, request, facts);
	if (policy.wish === 'reorder') return planOrder(request, facts);
	if (order.state.kind === 'has_brief')
		return decideOrderWithBrief(order.state.brief, request, facts);
	if (policy.wish === 'use') return { kind: 'failed', reason: 'rejected' };
	return planOrder(request, facts);
}

/** An order whose brief failed takes a good brief that has appeared since. `retry` orders another if there is none. */
function decideOrderWithBrief(brief: BriefSummary, request: OrderRequest, facts: Facts): Decision {
	if (facts.findNewest(brief).status !== 'failed') return { kind: 'keep' };
	const decision = planOrder(request, facts);
	const isGood = decision.kind === 'use' && decision.brief.status !== 'failed';
	const canPay = request.policy.wish === 'retry_failed';
	return isGood || canPay ? decision : { kind: 'failed', reason: 'brief_failed' };
}

/** Decides an order that might have created a brief. */
function settleOrder(order: UnconfirmedOrder, request: OrderRequest, facts: Facts): Decision {
	const { state } = order;
	const canSend = request.policy.canResend && !state.isRefused;
	const isBehind = isListBehind(state.lastSentAt, facts.readAt);
	const own = findOwnBrief(order, facts);
	// A failed brief settles nothing while the list might not show a good brief yet.
	if (own !== null && (own.status !== 'failed' || !isBehind)) return useBrief(own, order, facts);
	if (canSend && getKeySafety(state, facts.readAt) === 'remembered') return { kind: 'send', order };
	if (isBehind) return { kind: 'wait' };
	const undecided = askAbout(order, request, facts);
	if (undecided !== null) return undecided;
	if (state.isRefused) return { kind: 'failed', reason: 'rejected' };
	return canSend ? { kind: 'send', order } : { kind: 'drop' };
}

/** A brief that another order of the content has paid for is reused. */
function useBrief(brief: BriefSummary, order: UnconfirmedOrder, facts: Facts): UseDecision {
	const owner = facts.owners.findOwner(brief.id);
	if (owner !== null) {
		const source = owner.key === order.key ? 'own' : 'reused';
		return { kind: 'use', brief, source };
	}
	return { kind: 'use', brief, source: isFoundByName(order, facts) ? 'own_unproven' : 'own' };
}

/** Other processes might have ordered the content since the draft was decided. */
function checkDraft(draft: Draft, request: OrderRequest, facts: Facts): Decision {
	const brief = findOwnBrief(draft, facts);
	if (brief !== null) return { kind: 'use', brief, source: 'reused' };
	const undecided = askAbout(draft, request, facts);
	if (undecided !== null) return undecided;
	// The briefs that were passed over cannot be the order's own, either.
	const shown = new Set([...draft.shown, ...findProductBriefs(draft, facts)]);
	return { kind: 'send', order: makeDraft(draft, draft.supersedes, [...shown]) };
}

/** Decides what is ordered, and what the order supersedes. */
function planOrder(request: OrderRequest, facts: Facts): Decision {
	const { policy } = request;
	const briefs = findKnownBriefs(request, facts);
	const usable = briefs.filter((brief) => !isReplaced(brief, request));
	const existing = findBriefToUse(usable, request, facts);
	if (existing !== null) return { kind: 'use', brief: existing, source: 'reused' };
	const { input, contentId } = request;
	const ofContent = briefs.map(({ id }) => id);
	const undecided = askAbout(new Draft(input, contentId, NOTHING, ofContent), request, facts);
	if (undecided !== null) return undecided;
	const hasTried = countFailedBriefs(request, facts) >= MAX_FAILED_BRIEFS;
	if (hasTried && policy.wish !== 'reorder')
		return { kind: 'failed', reason: 'three_failed_briefs' };
	return { kind: 'send', order: draftOrder(request, briefs, facts) };
}

/** Returns the briefs of a content, newest first. The brief of its order is included, whatever input that brief shows. */
function findKnownBriefs(request: OrderRequest, facts: Facts): BriefSummary[] {
	const ofContent = findContentBriefs(request, facts);
	const own = getCurrentBrief(request.order);
	if (own === null || ofContent.some(({ id }) => id === own.id)) return ofContent;
	return [...ofContent, facts.findNewest(own)].sort(compareNewest);
}

/** True if the order was sent to replace the brief: an order that failed does not go back to it. */
function isReplaced({ id }: BriefSummary, { order, policy }: OrderRequest): boolean {
	if (order?.state.kind !== 'has_brief' || policy.wish === 'reorder') return false;
	return order.shown.includes(id);
}

/** Returns the brief that makes an order unnecessary, or null. */
function findBriefToUse(
	briefs: readonly BriefSummary[],
	request: OrderRequest,
	facts: Facts,
): BriefSummary | null {
	const { wish, resultsOfExecution, reuseWithinMs } = request.policy;
	// An item of n8n never pays for a second brief in one execution.
	const result = briefs.find(({ id }) => resultsOfExecution.has(id));
	if (result !== undefined) return result;
	if (wish === 'reorder') return briefs.find((brief) => isRecentlyOrdered(brief, facts)) ?? null;
	const usable = briefs.filter((brief) => !isOlderThan(brief, reuseWithinMs, facts.now));
	const good = usable.find(({ status }) => status !== 'failed');
	return good ?? (wish === 'use' ? (usable[0] ?? null) : null);
}

/**
 * True if `--reorder` uses this brief, so that an interrupted command can be repeated: it is being written, or ready and
 * recent. The time of a brief can be unreadable, so the last request of the order that has paid for it counts, too.
 */
function isRecentlyOrdered(brief: BriefSummary, { now, owners }: Facts): boolean {
	if (brief.status === 'failed' || owners.isGivenUp(brief.id)) return false;
	if (isRunning(brief)) return true;
	const createdAt = getCreationTime(brief);
	const requestedAt = owners.findLastRequest(brief.id) ?? -Infinity;
	const orderedAt = Math.max(Number.isFinite(createdAt) ? createdAt : -Infinity, requestedAt);
	return now - orderedAt <= DAY_MS;
}

function draftOrder(request: OrderRequest, briefs: readonly BriefSummary[], facts: Facts): Draft {
	const { comparedLater } = request;
	const listed = findProductBriefs(request, facts).filter((id) => !comparedLater?.has(id));
	// The list might not show old briefs of the caller's orders.
	const shown = new Set([...listed, ...briefs.map(({ id }) => id)]);
	return makeDraft(request, chooseSuperseded(request, briefs), [...shown]);
}

/**
 * Returns what an order supersedes, so that its key differs from the key that created the existing brief. `retry` sends
 * the key of a rejected order again, because it created nothing. `--reorder` does not, because the service might have
 * remembered the refusal.
 */
function chooseSuperseded(
	{ order, input, policy }: OrderRequest,
	[newest]: readonly BriefSummary[],
): Superseded {
	if (order?.state.kind === 'rejected') {
		if (policy.wish === 'retry_failed') return order.supersedes;
		if (isSameBody(order, input)) return { kind: 'rejected_order', key: order.key };
	}
	return newest === undefined ? NOTHING : { kind: 'brief', id: newest.id };
}

function isSameBody(order: Order, input: Content['input']): boolean {
	const sort = (body: object) => JSON.stringify(Object.entries(body).sort());
	return sort(order.input) === sort(input);
}

/**
 * Decides about a brief that came back under the key and was listed when the order was decided: another process has sent
 * this key. If the order was to replace the brief, the next key supersedes it. Returns null if the order uses the brief.
 */
export function decideAnswer(
	request: OrderRequest & { readonly order: Order },
	brief: BriefSummary,
	facts: Facts,
): Superseded | null {
	if (!request.order.shown.includes(brief.id)) return null;
	const isUsed = findBriefToUse([brief], request, facts) !== null;
	return isUsed ? null : { kind: 'brief', id: brief.id };
}

/** An option of the command decides about the briefs that the user has seen, and about no other. */
function askAbout(
	order: OrderToSend,
	{ policy, comparedLater }: OrderRequest,
	facts: Facts,
): Decision | null {
	const briefIds = findUndecidedBriefs(order, facts)
		.map(({ id }) => id)
		.filter((id) => !comparedLater?.has(id));
	// All are named again, because the last review is the one that counts.
	return briefIds.every((id) => policy.seen.has(id)) ? null : { kind: 'ask', briefIds };
}
