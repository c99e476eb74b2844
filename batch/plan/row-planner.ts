import { isRunning, type BriefInput, type BriefSummary } from '../../core/api/types';
import { MAX_FAILED_BRIEFS } from '../../core/assumptions';
import { normalizeText } from '../../core/input/content';
import {
	decideOrder,
	type Decision,
	type OrderRequest,
	type Policy,
} from '../../core/orders/decide-order';
import type { Facts } from '../../core/orders/facts';
import { countFailedBriefs } from '../../core/orders/find-brief';
import type { Order, OrderToSend } from '../../core/orders/order';
import { addTo } from '../collections';
import { isUsable, type Row, type UsableRow } from '../csv/types';
import { hasFailedOrder, isChanged, type RowMatch, type RowMatches } from '../orders/match-rows';
import {
	getOrderBrief,
	isUnconfirmedOrder,
	toCoreOrder,
	type LiveOrder,
	type StoredOrder,
} from '../orders/order';
import type { Orders } from '../orders/orders';
import { makeOfflineFacts } from './offline-facts';
import {
	leaveRow,
	NO_ACTION,
	type LeaveAction,
	type OrderAction,
	type RowAction,
} from './planned-row';
import { RUN_POLICY } from './policy';
import { isReordered, isSelected, type Selection } from './selection';
import { canResend } from './settle-orders';

/** What rows and orders are decided with. */
interface RowSources {
	readonly facts: Facts;
	/** What was decided about each order that was unconfirmed, by order ID; null if the service was not asked. */
	readonly decisions: ReadonlyMap<number, Decision> | null;
	/** The orders when the command began, with their reviews. */
	readonly stored: Orders;
}

/** Returns what the folder alone knows: rows to order might turn out to be reused. */
export function makeOfflineSources(orders: Orders, now: number): RowSources {
	return { facts: makeOfflineFacts(orders, now), decisions: null, stored: orders };
}

export interface PlannerInput {
	readonly rows: readonly Row[];
	readonly orders: Orders;
	readonly matches: RowMatches;
	readonly selection: Selection;
	readonly sources: RowSources;
}

/** Returns the inputs that are compared with the briefs of the workspace. Each comparison can cost requests. */
export function* listCompared(
	rows: readonly Row[],
	matches: RowMatches,
	selection: Selection,
): Iterable<{ readonly input: BriefInput; readonly shown: readonly string[] }> {
	for (const row of rows) {
		if (!isUsable(row) || !isSelected(selection, row.number)) continue;
		const match = matches.get(row);
		const request = toRequest(row, match, selection);
		if (request === null) {
			// Its own brief needs no comparison, so most edited rows cost no request.
			if (isChanged(match)) yield { input: row.input, shown: listBriefs(match.order) };
			continue;
		}
		// An order that failed does not go back to a brief that was listed before it was sent.
		const shown = request.wish === 'use' ? (request.order?.shown ?? []) : [];
		yield { input: row.input, shown };
	}
}

/** What the command wants for a row, and the order that it starts from. */
interface RowRequest {
	readonly order: Order | null;
	readonly wish: Policy['wish'];
	readonly isReorder: boolean;
}

/** Returns null if the command wants nothing for the row. */
function toRequest(row: UsableRow, match: RowMatch, selection: Selection): RowRequest | null {
	const { mode } = selection;
	const isReorder = isReordered(selection, row.number);
	const asNewRow = { order: null, wish: 'use', isReorder } as const;
	if (match.kind === 'new') return mode === 'retry' ? null : asNewRow;
	const { state, contentId } = match.order;
	const hasFailed = hasFailedOrder(match);
	if (match.kind === 'edited')
		return isReorder || (mode === 'retry' && hasFailed) ? asNewRow : null;
	if (state.kind === 'unconfirmed') return null;
	// An accepted edit is another content than that of the order.
	if (isReorder && contentId !== row.contentId) return asNewRow;
	const order = toCoreOrder(match.order);
	if (isReorder) return { order, wish: 'reorder', isReorder };
	return hasFailed ? { order, wish: mode === 'retry' ? 'retry_failed' : 'use', isReorder } : null;
}

/** Chooses the action for one row: the order that the command starts from, and what core/orders decides about it. */
export class RowPlanner {
	/** The unconfirmed orders that the run sends again, by product name. */
	private readonly resent = new Map<string, StoredOrder[]>();

	constructor(private readonly input: PlannerInput) {
		const { rows, matches, selection, sources } = input;
		for (const row of rows.filter(isUsable)) {
			const match = matches.get(row);
			if (match.kind === 'new' || !canResend(row, match, selection)) continue;
			if (sources.decisions?.get(match.order.id)?.kind === 'ask') continue;
			addTo(this.resent, normalizeText(match.order.input.product_name), match.order);
		}
	}

	chooseAction(row: UsableRow, match: RowMatch): RowAction {
		const { selection } = this.input;
		if (!isSelected(selection, row.number)) return NO_ACTION;
		if (isReordered(selection, row.number) && this.isUnfinished(match))
			return leaveRow('not_finished');
		const request = toRequest(row, match, selection);
		if (request === null) return this.continueOrder(row, match);
		const action = this.decideRow(row, request);
		const isDamaged = action.kind === 'order' && row.warnings.length > 0;
		if (!isDamaged || selection.damage === 'order') return action;
		// The user confirmed the damage when this content was ordered.
		return match.kind === 'same' ? action : leaveRow('damaged');
	}

	/** True if the run waits for the row's brief anyway, or has to find out first whether the edited row has one. */
	private isUnfinished(match: RowMatch): boolean {
		if (match.kind === 'new') return false;
		const { id, state, contentId } = match.order;
		// A saved brief whose files are missing can be replaced.
		const wasSaved = this.input.sources.stored.find(id)?.state.kind === 'ready';
		if (state.kind === 'accepted') return state.review === null && !wasSaved;
		const isOpen = state.kind === 'unconfirmed' && state.review === null;
		return (
			isOpen && match.kind === 'edited' && this.input.orders.findReview(contentId).length === 0
		);
	}

	/** The command wants nothing new for the row. */
	private continueOrder(row: UsableRow, match: RowMatch): RowAction {
		if (isChanged(match)) return this.findListedText(row);
		if (match.kind === 'new' || !isUnconfirmedOrder(match.order)) return NO_ACTION;
		const { sources, selection } = this.input;
		const { order } = match;
		const decision = sources.decisions?.get(order.id);
		if (decision?.kind === 'ask') return leaveForReview(decision.briefIds);
		const review = this.findStoredReview(order.contentId);
		if (review.length > 0) return leaveForReview(review);
		if (!canResend(row, match, selection)) return NO_ACTION;
		const isReorder = isReordered(selection, row.number);
		const policy = this.makePolicy(row, { wish: 'use', isReorder });
		return { kind: 'resend', order, policy };
	}

	/** The user can take a brief with the new text of an edited row, instead of ordering it. */
	private findListedText({ input, contentId }: UsableRow): RowAction {
		const wanted = { input, contentId, order: null, policy: RUN_POLICY };
		const decision = decideOrder(wanted, this.input.sources.facts);
		const isFound = decision.kind === 'use' && decision.brief.status !== 'failed';
		if (!isFound) return NO_ACTION;
		return { kind: 'leave', reason: 'text_listed', briefId: decision.brief.id };
	}

	private decideRow(row: UsableRow, request: RowRequest): RowAction {
		const { facts } = this.input.sources;
		const review = this.findStoredReview(row.contentId);
		if (review.length > 0) return leaveForReview(review);
		const { input, contentId } = row;
		const wanted = {
			input,
			contentId,
			order: request.order,
			policy: this.makePolicy(row, request),
		};
		const decision = decideOrder(wanted, facts);
		if (decision.kind !== 'ask') return this.toAction(decision, wanted);
		const { briefIds } = decision;
		if (this.arePossiblyOwn(row, briefIds)) {
			const later = { ...wanted, comparedLater: new Set(briefIds) };
			return this.toAction(decideOrder(later, facts), later);
		}
		if (!request.isReorder || !this.input.selection.canAsk) return leaveForReview(briefIds);
		// The question names these briefs, and the yes decides about them.
		const seen = new Set([...wanted.policy.seen, ...briefIds]);
		const asked = { ...wanted, policy: { ...wanted.policy, seen } };
		return this.toAction(decideOrder(asked, facts), asked);
	}

	/** Without the service, the review of the last run remains. */
	private findStoredReview(contentId: string): readonly string[] {
		const { sources, orders } = this.input;
		return sources.decisions === null ? orders.findReview(contentId) : [];
	}

	private makePolicy(
		{ contentId }: UsableRow,
		{ wish, isReorder }: Pick<RowRequest, 'wish' | 'isReorder'>,
	): Policy {
		// Nearly all rows of a large CSV share this policy.
		if (wish === 'use' && !isReorder) return RUN_POLICY;
		const seen = isReorder ? this.input.sources.stored.listNamedBriefs(contentId) : [];
		return { ...RUN_POLICY, wish, seen: new Set(seen) };
	}

	/** True if each brief could belong to an order that this run sends before. */
	private arePossiblyOwn({ input }: UsableRow, briefIds: readonly string[]): boolean {
		const orders = this.resent.get(normalizeText(input.product_name)) ?? [];
		return briefIds.every((id) => orders.some(({ shown }) => !shown.includes(id)));
	}

	private toAction(decision: Decision, wanted: OrderRequest): RowAction {
		const { facts } = this.input.sources;
		switch (decision.kind) {
			case 'use':
				return this.useBrief(decision.brief, wanted.order);
			case 'send':
				return toOrderAction(decision.order, wanted, this.input.orders);
			case 'ask':
				return leaveForReview(decision.briefIds);
			case 'failed': {
				const areAttemptsUsed = countFailedBriefs(wanted, facts) >= MAX_FAILED_BRIEFS;
				return areAttemptsUsed ? leaveRow('attempts_used') : NO_ACTION;
			}
			default:
				return NO_ACTION;
		}
	}

	/** --reorder of a row whose own brief is recent has no effect, and says so. */
	private useBrief(brief: BriefSummary, order: Order | null): RowAction {
		const isOwn = order?.state.kind === 'has_brief' && order.state.brief.id === brief.id;
		if (!isOwn) return { kind: 'reuse', brief };
		return leaveRow(isRunning(brief) ? 'not_finished' : 'ordered_recently');
	}
}

function toOrderAction(
	order: OrderToSend,
	{ policy, comparedLater }: OrderRequest,
	orders: Orders,
): OrderAction {
	const { supersedes } = order;
	const superseded = supersedes.kind === 'brief' ? supersedes.id : null;
	const others = order.shown.filter((id) => id !== superseded && orders.findOwner(id) === null);
	return {
		kind: 'order',
		order,
		policy,
		otherBriefIds: others.filter((id) => !policy.seen.has(id)),
		passedOverIds: others.filter((id) => policy.seen.has(id)),
		isComparedLater: comparedLater !== undefined,
	};
}

function leaveForReview(briefIds: readonly string[]): LeaveAction {
	return { kind: 'leave', reason: 'hidden_input', briefIds };
}

function listBriefs(order: LiveOrder): string[] {
	const brief = getOrderBrief(order);
	return brief === null ? [] : [brief.id];
}
