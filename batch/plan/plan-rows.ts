import { isRunning, type BriefSummary } from '../../core/api/types';
import { DAY_MS } from '../../core/assumptions';
import { getCreationTime } from '../../core/workspace/brief-time';
import type { Row } from '../csv/types';
import type { RowMatch, RowMatches } from '../orders/match-rows';
import { getOrderBrief, hasPaid, isRejected, isUnconfirmed, type Order } from '../orders/order';
import type { Orders } from '../orders/orders';
import {
	hasDecidedOrder,
	makePlannedRow,
	replaceAction,
	type LeaveAction,
	type LeaveReason,
	type OrderAction,
	type PlannedRow,
	type RowAction,
} from './planned-row';
import type { RowSearch } from './search-rows';
import type { Selection } from './selection';

/**
 * Decides what a run does with each row. Pure: the input is the rows, their orders, and the briefs that the workspace has.
 *
 *     row  order                     workspace             status         action
 *     2    none                      nothing               pending        order
 *     3    none                      same content          pending        reuse (free)
 *     4    none                      input not shown       needs_review   leave, until --use-brief 4=… or --reorder 4
 *     5    ready, same content                             ready          leave, until --reorder 5
 *     6    ready, edited                                   changed        leave, until --reorder 6 or --accept-edits 6
 *     7    failed                                          failed         leave, until `retry`
 *     8    accepted                                        pending        leave: the run waits for its brief anyway
 *     9    unconfirmed                                     pending        resend (free)
 */

/** The number of briefs that a run can order; null without a limit. */
export interface OrderLimits {
	/** Left of this month's allowance: rows beyond it are deferred. */
	readonly allowance: number | null;
	/** --max: rows beyond it stay as they are. */
	readonly max: number | null;
}

export const NO_LIMITS: OrderLimits = { allowance: null, max: null };

/** Paid orders with the same content: the first order and two retries. */
export const MAX_ATTEMPTS = 3;

/** --reorder leaves a row alone whose brief is younger, so that an interrupted command can be repeated. */
const REORDER_PAUSE_MS = DAY_MS;

interface PlanInput {
	readonly rows: readonly Row[];
	readonly orders: Orders;
	readonly matches: RowMatches;
	readonly selection: Selection;
	/** The results of the search in the workspace, by content. Contents that were not searched are missing. */
	readonly searches: ReadonlyMap<string, RowSearch>;
	readonly limits: OrderLimits;
	/** The service's clock. */
	readonly now: number;
}

export function planRows(input: PlanInput): PlannedRow[] {
	const firstRows = new Map<string, Row>();
	const planned = input.rows.map((row): PlannedRow => {
		const match = input.matches.get(row);
		const isUsable = row.problems.length === 0 && !row.isSkipped;
		const first = isUsable ? firstRows.get(row.contentId) : undefined;
		if (!isUsable || first !== undefined)
			return makePlannedRow(row, match, leaveRow(), first?.number ?? null);
		firstRows.set(row.contentId, row);
		return makePlannedRow(row, match, chooseAction(row, match, input));
	});
	const limited = applyLimits(planned, input.limits);
	return shareActions(limited);
}

interface RowFacts {
	readonly row: Row;
	readonly match: RowMatch;
	readonly search: RowSearch | undefined;
	readonly orders: Orders;
	readonly now: number;
}

function chooseAction(row: Row, match: RowMatch, input: PlanInput): RowAction {
	const { selection, orders, now, searches } = input;
	if (selection.only?.has(row.number) === false) return leaveRow();
	if (willResend(row, match, selection)) return { kind: 'resend' };
	const facts = { row, match, orders, now, search: searches.get(row.contentId) };
	const action = chooseByIntent(facts, selection);
	const isDamaged = action.kind === 'order' && row.warnings.length > 0;
	if (!isDamaged || selection.damage === 'order') return action;
	// The user confirmed the damage when this content was ordered.
	const wasOrdered = match.kind === 'same' && hasDecidedOrder(match);
	return wasOrdered ? action : leaveRow('damaged');
}

/** True if the run sends the row's unconfirmed order again. With --reorder also in review, because the user has decided. */
export function willResend(
	row: Row,
	match: RowMatch,
	{ mode, only, decisions }: Selection,
): boolean {
	if (match.kind !== 'same' || !isUnconfirmed(match.order)) return false;
	if (row.isSkipped || mode === 'retry' || only?.has(row.number) === false) return false;
	const isReorder = decisions.get(row.number)?.kind === 'reorder';
	return isReorder || match.order.state.review === null;
}

function chooseByIntent(facts: RowFacts, { mode, decisions }: Selection): RowAction {
	if (mode === 'retry') return chooseRetryAction(facts);
	const isReorder = decisions.get(facts.row.number)?.kind === 'reorder';
	return isReorder ? chooseReorderAction(facts) : chooseRunAction(facts);
}

/** `run` orders new rows, and rows whose hidden briefs are no longer listed. */
function chooseRunAction(facts: RowFacts): RowAction {
	const { match, search } = facts;
	if (match.kind === 'new') return reuseOrOrder(facts);
	if (match.kind === 'edited') return leaveRow();
	const { state } = match.order;
	if (state.kind !== 'undecided') return leaveRow();
	// Without a new comparison, the review of the last run remains.
	return search === undefined ? leaveForReview(state.briefIds) : reuseOrOrder(facts);
}

/** `retry` orders failed rows again, at most three times per content. */
function chooseRetryAction(facts: RowFacts): RowAction {
	const { match, search } = facts;
	if (match.kind === 'new' || match.order.state.kind !== 'failed') return leaveRow();
	if (match.kind === 'edited') return reuseOrOrder(facts);
	const attempt = countAttempts(facts) + 1;
	if (attempt > MAX_ATTEMPTS) return leaveRow('attempts_used');
	const isFailed = search?.kind === 'found' && search.brief.status === 'failed';
	return isFailed ? orderBrief(facts, attempt) : reuseOrOrder(facts, attempt);
}

/** Returns the number of paid orders with the row's content since the last --reorder. */
function countAttempts(facts: RowFacts): number {
	const last = findOwnOrders(facts).findLast((order) => hasPaid(order) || isRejected(order));
	if (last === undefined) return 0;
	return hasPaid(last) ? last.attempt : last.attempt - 1;
}

/** Returns the orders of the row's content, oldest first; else the order that has accepted the content. */
function findOwnOrders({ row, match, orders }: RowFacts): Order[] {
	const sameContent = orders.findByContent(row.contentId);
	return match.kind === 'same' && sameContent.length === 0 ? [match.order] : sameContent;
}

/** --reorder orders a row again although its content has a brief. The count of attempts starts again. */
function chooseReorderAction(facts: RowFacts): RowAction {
	const { match } = facts;
	if (match.kind === 'new') return reorderListedBrief(facts);
	const { state } = match.order;
	const isOpen = state.kind === 'unconfirmed' || state.kind === 'accepted';
	if (isOpen && state.review === null) return leaveRow('not_finished');
	if (match.kind === 'edited') return reuseOrReorder(facts);
	switch (state.kind) {
		case 'accepted':
			return orderBrief(facts);
		case 'ready': {
			const isSameContent = match.order.contentId === facts.row.contentId;
			const isRecent = isSameContent && wasCreatedRecently(state.brief, facts.now);
			return isRecent ? leaveRow('ordered_recently') : orderBrief(facts);
		}
		case 'failed': {
			// The service might have remembered the refusal of this key.
			const isRefusedBody = isRejected(match.order) && isSameBody(match.order, facts.row);
			return isRefusedBody ? orderBrief(facts, 1, match.order.key) : orderBrief(facts);
		}
		// Undecided: unconfirmed orders are sent again, and dropped orders have no row.
		default:
			return reuseOrReorder(facts);
	}
}

/** If the workspace has a brief with the row's content, the row counts as ordered by this folder. */
function reorderListedBrief(facts: RowFacts): RowAction {
	const { search, now } = facts;
	if (search?.kind !== 'found') return reuseOrReorder(facts);
	const { brief } = search;
	const isRecent = brief.status === 'ready' && wasCreatedRecently(brief, now);
	return isRunning(brief) || isRecent ? { kind: 'reuse', brief } : orderBrief(facts);
}

/** A brief whose creation time cannot be read never counts as recent, because it could never be reordered. */
function wasCreatedRecently(brief: BriefSummary, now: number): boolean {
	const createdAt = getCreationTime(brief);
	return Number.isFinite(createdAt) && now - createdAt < REORDER_PAUSE_MS;
}

/** As for a new row, but a brief that cannot be compared does not stop the order: the user has decided. */
function reuseOrReorder(facts: RowFacts): RowAction {
	const isHidden = facts.search?.kind === 'undecided' || facts.search?.kind === 'possibly_own';
	return isHidden ? orderBrief(facts) : reuseOrOrder(facts);
}

function reuseOrOrder(facts: RowFacts, attempt = 1): RowAction {
	const { search } = facts;
	switch (search?.kind) {
		case 'found':
			return { kind: 'reuse', brief: search.brief };
		case 'undecided':
			return leaveForReview(search.briefIds);
		case 'possibly_own':
			return { ...orderBrief(facts, attempt), possiblyOwnIds: search.briefIds };
		case 'none':
		case undefined:
			return orderBrief(facts, attempt);
	}
}

function orderBrief(
	facts: RowFacts,
	attempt = 1,
	supersedes = findNewestBriefId(facts) ?? '',
): OrderAction {
	const otherBriefIds = getOtherBriefIds(facts.search);
	return { kind: 'order', supersedes, attempt, otherBriefIds, possiblyOwnIds: [] };
}

/** Returns the briefs of the same product that do not certainly have the row's content. */
function getOtherBriefIds(search: RowSearch | undefined): readonly string[] {
	if (search === undefined || search.kind === 'found') return [];
	return search.kind === 'none' ? search.sameProductIds : search.briefIds;
}

function leaveRow(reason: LeaveReason | null = null): LeaveAction {
	return { kind: 'leave', reason };
}

function leaveForReview(briefIds: readonly string[]): LeaveAction {
	return { kind: 'leave', reason: 'hidden_input', briefIds };
}

/**
 * Returns the newest brief with the row's content. A further order for this content supersedes it, so that the key differs from
 * the key that created the brief. A rejected order created nothing, so a retry sends its key again: another process that
 * orders the same content at the same time arrives at the same key.
 */
function findNewestBriefId(facts: RowFacts): string | undefined {
	const { search } = facts;
	const listed = search?.kind === 'found' ? [search.brief] : [];
	const own = findOwnOrders(facts).flatMap((each) => getOrderBrief(each) ?? []);
	const newestFirst = [...own, ...listed].sort((a, b) => getCreationTime(b) - getCreationTime(a));
	return newestFirst[0]?.id;
}

function isSameBody({ input }: Order, row: Row): boolean {
	const sorted = (body: object) => JSON.stringify(Object.entries(body).sort());
	return sorted(input) === sorted(row.input);
}

/** Returns the rows that need a create request, sorted as the run sends them. */
export function sortForSending(planned: readonly PlannedRow[]): PlannedRow[] {
	const rank = ({ action, match }: PlannedRow) => {
		if (action.kind === 'order') return action.possiblyOwnIds.length === 0 ? 1 : 3;
		// An order that got no answer in an earlier run must not delay other orders.
		const state = match.kind === 'new' ? null : match.order.state;
		return state?.kind === 'unconfirmed' && state.runsWithoutAnswer > 0 ? 2 : 0;
	};
	const sent = planned.filter(({ action }) => action.kind === 'order' || action.kind === 'resend');
	return sent.sort((a, b) => rank(a) - rank(b));
}

function applyLimits(
	planned: readonly PlannedRow[],
	{ allowance, max }: OrderLimits,
): PlannedRow[] {
	const left = allowance ?? Infinity;
	const reasons = new Map<number, LeaveReason>();
	for (const [index, { row, action }] of sortForSending(planned).entries()) {
		// An unconfirmed order might have used its brief already, so the allowance does not limit it.
		const isDeferred = action.kind === 'order' && index >= left;
		if (isDeferred) reasons.set(row.number, 'beyond_allowance');
		else if (max !== null && index >= max) reasons.set(row.number, 'beyond_max');
	}
	return planned.map((each) => {
		const reason = reasons.get(each.row.number);
		return reason === undefined ? each : replaceAction(each, leaveRow(reason));
	});
}

/** A duplicate has the statuses of the first row with its content, and is left for the same reason. */
function shareActions(planned: readonly PlannedRow[]): PlannedRow[] {
	const byNumber = new Map(planned.map((each) => [each.row.number, each]));
	return planned.map((each) => {
		const first = byNumber.get(each.duplicateOf ?? 0);
		if (first === undefined) return each;
		const { status, expectedStatus } = first;
		const action = first.action.kind === 'leave' ? first.action : each.action;
		return { ...each, action, status, expectedStatus };
	});
}
