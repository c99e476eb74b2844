import type { Brief, BriefInput, BriefSummary } from '../../../core/api/types';
import { MAX_FAILED_BRIEFS, REUSE_WINDOW_MS } from '../../../core/assumptions';
import { isKeyRemembered } from '../../../core/orders/create-brief';
import { findExistingBrief, type GetBrief } from '../../../core/orders/existing-briefs';
import type { BriefList } from '../../../core/workspace/brief-list';
import { getCreationTime, isYoungerThanRequest } from '../../../core/workspace/brief-time';
import type { RequestContext } from '../../../core/workspace/request-context';
import { makeItemOrder, type ItemOrder } from './item-order';
import type { Decision, OrderReason, Task } from './item-types';

/**
 * Decides what happens to an item, from the brief list and from the last order that was sent for the item. Sends only
 * GETs, and changes nothing.
 *
 *     whenBriefExists   the list shows                            decision
 *     use               a brief with this content                 that brief, even if it has failed
 *     useUnlessFailed   only failed briefs, fewer than three      order that supersedes the newest of them
 *     both              a brief that hides its input              undecided; while the key is remembered, it is sent
 *                                                                 again instead
 *     both              no brief with this content                order
 */

interface DecisionFacts {
	/** Briefs that are older than this are not used again. */
	readonly reuseWindowMs: number;
	readonly list: BriefList;
	readonly context: RequestContext;
	readonly getBrief: GetBrief;
	/** The last order that this process has sent for the item; null if there is none. */
	readonly lastOrder: ItemOrder | null;
}

/**
 * Decides what happens to an item.
 * @throws {ServiceError} if the list or a brief cannot be read
 */
export async function decideItem(task: Task, facts: DecisionFacts): Promise<Decision> {
	const { input } = task;
	const { reuseWindowMs, list, context, getBrief } = facts;
	const now = context.client.now();
	const briefs = await list.readSince(now - REUSE_WINDOW_MS, context);
	const isUsable = (brief: BriefSummary) => getCreationTime(brief) >= now - reuseWindowMs;
	const existing = await findExistingBrief(input, briefs.filter(isUsable), getBrief);
	const unconfirmed = getUnconfirmed(facts);
	if (existing.kind === 'found') return decideFound(existing, task, facts);
	if (existing.kind === 'undecided')
		return hasRememberedKey(unconfirmed, now) ? toResend(unconfirmed) : existing;
	if (unconfirmed !== null) return toResend(unconfirmed);
	const outdated = briefs.filter((brief) => !isUsable(brief));
	const older = await findExistingBrief(input, outdated, getBrief);
	if (older.kind === 'found') return toOrder(input, older.brief.id, 'outdated', facts);
	const isProductKnown = existing.sameProductIds.length > 0;
	return toOrder(input, '', isProductKnown ? 'other_values' : 'new', facts);
}

function decideFound(
	{ brief, failedIds }: { readonly brief: Brief; readonly failedIds: readonly string[] },
	{ input, whenBriefExists }: Task,
	facts: DecisionFacts,
): Decision {
	const unconfirmed = getUnconfirmed(facts);
	const isOwn = couldHaveCreated(unconfirmed, brief) && unconfirmed?.supersedes !== brief.id;
	if (whenBriefExists === 'use' || brief.status !== 'failed')
		return { kind: 'brief', brief, alreadyExisted: !isOwn };
	if (failedIds.length >= MAX_FAILED_BRIEFS)
		return { kind: 'failed_repeatedly', briefIds: failedIds };
	// The brief of the unconfirmed order might not be listed yet.
	if (unconfirmed !== null && !isOwn) return toResend(unconfirmed);
	return toOrder(input, brief.id, 'failed', facts);
}

function toOrder(
	input: BriefInput,
	supersedes: string,
	reason: OrderReason,
	facts: DecisionFacts,
): Decision {
	return { kind: 'order', order: makeOrder(input, supersedes, facts), reason };
}

/** Returns a new order. If the item's last order has the same key, the key keeps its age. */
function makeOrder(input: BriefInput, supersedes: string, { lastOrder }: DecisionFacts): ItemOrder {
	const order = makeItemOrder(input, supersedes);
	if (lastOrder === null || lastOrder.key !== order.key) return order;
	return { ...order, firstSentAt: lastOrder.firstSentAt };
}

function toResend(order: ItemOrder): Decision {
	return { kind: 'order', order, reason: 'resend' };
}

function getUnconfirmed({ lastOrder }: DecisionFacts): ItemOrder | null {
	return lastOrder !== null && isUnconfirmed(lastOrder) ? lastOrder : null;
}

/** True if the order was sent and got no answer, so that its brief might have been created. */
export function isUnconfirmed({ unansweredAt, briefId }: ItemOrder): boolean {
	return unansweredAt !== null && briefId === null;
}

/** True if a request of the order could have created the brief. If not, the brief existed before. */
export function couldHaveCreated(order: ItemOrder | null, brief: BriefSummary): boolean {
	return order?.firstSentAt != null && isYoungerThanRequest(brief, order.firstSentAt);
}

/** True if the service remembers the key, so that it returns the brief of the order if one was created. */
function hasRememberedKey(order: ItemOrder | null, now: number): order is ItemOrder {
	return order?.firstSentAt != null && isKeyRemembered(order.firstSentAt, now);
}
