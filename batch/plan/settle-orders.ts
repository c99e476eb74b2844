import { toSummary } from '../../core/api/types';
import { decideOrder, type Decision, type Policy } from '../../core/orders/decide-order';
import type { Facts } from '../../core/orders/facts';
import { correctFutureTimes } from '../../core/orders/order';
import { isUsable, type Row, type UsableRow } from '../csv/types';
import type { RowMatch, RowMatches } from '../orders/match-rows';
import {
	isUnconfirmedOrder,
	toAcceptedState,
	toCoreOrder,
	type StoredOrder,
	type OrderChange,
	type UnconfirmedStoredOrder,
} from '../orders/order';
import type { Orders, PlannedOrders, ReviewChange } from '../orders/orders';
import { isReordered, isSelected, type Selection } from './selection';

export type PlanChange = OrderChange | ReviewChange;

interface Settlement {
	readonly changes: readonly PlanChange[];
	/** What was decided about each order that was unconfirmed, by order ID. */
	readonly decisions: ReadonlyMap<number, Decision>;
}

/** What the CSV and the command say about the orders. */
export interface SettleRules {
	/** Returns the policy for an order. */
	readonly getPolicy: (order: StoredOrder) => Policy;
	/** The orders that rows of the CSV have for their content. */
	readonly ordersOfRows: ReadonlySet<number>;
}

/**
 * Settles the orders that earlier commands have left unconfirmed. All orders are settled by content first, so that two
 * variants of a product do not review each other.
 * @param orders changed, because they own the briefs that are found
 * @param facts about these orders
 */
export function settleOrders(
	orders: PlannedOrders,
	facts: Facts,
	{ getPolicy, ordersOfRows }: SettleRules,
): Settlement {
	const changes: PlanChange[] = [];
	const decisions = new Map<number, Decision>();
	for (const isByContent of [true, false]) {
		for (const order of orders.live.filter(isUnconfirmedOrder)) {
			const current = correctClock(order, facts.readAt);
			const { input, contentId } = order;
			const request = { input, contentId, order: toCoreOrder(current), policy: getPolicy(order) };
			const decision = decideOrder(request, facts);
			if (isByContent && decision.kind !== 'use') continue;
			decisions.set(order.id, decision);
			const change = toChange(current, decision, orders, ordersOfRows.has(order.id));
			const correction = current === order ? null : { order: order.id, state: current.state };
			const applied = change ?? correction;
			if (applied === null) continue;
			changes.push(applied);
			orders.apply(applied);
		}
	}
	return { changes, decisions };
}

/** A request in the future was sent when a clock was wrong. The list's lag counts from now. */
function correctClock(order: UnconfirmedStoredOrder, now: number): UnconfirmedStoredOrder {
	const state = correctFutureTimes(order.state, now);
	return state === order.state ? order : { ...order, state };
}

/** Returns the change that follows from a decision; null if the order stays as it is. */
function toChange(
	{ id, contentId, state }: UnconfirmedStoredOrder,
	decision: Decision,
	orders: Orders,
	hasRow: boolean,
): PlanChange | null {
	switch (decision.kind) {
		case 'use': {
			const { brief, source } = decision;
			return { order: id, state: toAcceptedState(toSummary(brief), source) };
		}
		case 'ask':
			return reviewContent(contentId, decision.briefIds, orders);
		case 'failed': {
			const rejected = { kind: 'rejected', message: state.error, isAboutRow: false } as const;
			return { order: id, state: rejected };
		}
		case 'drop':
			// In review, the user decides about the row.
			return hasRow && state.review !== null ? null : { order: id, state: { kind: 'dropped' } };
		default:
			return null;
	}
}

/** Returns the review of a content; null if the user has seen these briefs before. */
export function reviewContent(
	contentId: string,
	briefIds: readonly string[],
	orders: Orders,
): ReviewChange | null {
	const isKnown = orders.listNamedBriefs(contentId).join() === briefIds.join();
	return isKnown ? null : { review: contentId, briefIds };
}

/** Returns the contents of the rows whose unconfirmed orders the run sends again. */
export function findResentContents(
	rows: readonly Row[],
	matches: RowMatches,
	selection: Selection,
): ReadonlySet<string> {
	const usable = rows.filter(isUsable);
	const resent = usable.filter((row) => canResend(row, matches.get(row), selection));
	return new Set(resent.map(({ contentId }) => contentId));
}

/**
 * True if the command sends the row's unconfirmed order again, unless the list settles it. With --reorder also in review,
 * because the user has decided.
 */
export function canResend(row: UsableRow, match: RowMatch, selection: Selection): boolean {
	if (match.kind !== 'same' || !isUnconfirmedOrder(match.order)) return false;
	if (selection.mode === 'retry' || !isSelected(selection, row.number)) return false;
	return isReordered(selection, row.number) || match.order.state.review === null;
}
