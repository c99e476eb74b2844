import { countFailedBriefs } from '../../core/orders/find-brief';
import type { Facts } from '../../core/orders/facts';
import type { BriefSummary } from '../../core/api/types';
import { MAX_FAILED_BRIEFS } from '../../core/assumptions';
import type { Row, UsableRow } from '../csv/types';
import type { RowMatch } from '../orders/match-rows';
import {
	getOrderBrief,
	isNotSaved,
	isUnconfirmedOrder,
	type LiveOrder,
	type UnconfirmedStoredOrder,
} from '../orders/order';
import type { Orders } from '../orders/orders';
import {
	isPostponed,
	type LeaveAction,
	type LeaveReason,
	type NoAction,
	type RowAction,
} from '../plan/planned-row';
import type { GroupName } from './groups';

/** The status of a row of the CSV, as results.csv and the exit code know it. */
export const ROW_STATUSES = [
	'ready',
	'failed',
	'invalid',
	/** Not ordered, because the allowance of this month is used up. */
	'deferred',
	/** The program cannot decide. */
	'needs_review',
	/** Edited after it was ordered. */
	'changed',
	/** Not ordered yet, being written, or unconfirmed. */
	'pending',
	/** Filtered out by --where. */
	'skipped',
] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** The status of a line of results.csv. The brief of a replaced order must not be taken for the row's current brief. */
export type LineStatus = RowStatus | 'replaced';

/**
 * The state of a row, from which every view of the CSV is made: the plan, the question, the end of a run, `status`,
 * results.csv, the page, the notification and the exit code.
 *
 *     row 2   new, and the plan orders it          { kind: 'to_order', … }        pending
 *     row 3   its brief was edited afterwards      { kind: 'edited', … }          changed
 *     row 4   the run ended before it              { kind: 'stopped' }            pending
 *     row 5   its brief failed                     { kind: 'failed', … }          failed
 */
export type RowState = PlannedState | NewState | OrderedState | UnusableState;

/** In a plan: what the run does. */
type PlannedState =
	| {
			readonly kind: 'to_order';
			/** Briefs for the same product with other content. */
			readonly otherBriefIds: readonly string[];
			/** Briefs that might have the row's content, and that the user passes over. */
			readonly passedOverIds: readonly string[];
	  }
	| { readonly kind: 'to_resend'; readonly order: UnconfirmedStoredOrder }
	| { readonly kind: 'to_reuse' | 'to_reuse_failed'; readonly brief: BriefSummary };

/** The row has no order. */
type NewState =
	| { readonly kind: 'not_ordered' | 'beyond_max' | 'beyond_allowance' | 'stopped' }
	| { readonly kind: 'damaged'; readonly warnings: readonly string[] };

/** The row has an order. */
export interface OrderedState {
	readonly kind:
		| 'ready'
		/** Ready, and edited since. */
		| 'edited'
		| 'failed'
		/** The service refused the order. */
		| 'refused'
		/** Three briefs of the content have failed, so `retry` leaves the row. */
		| 'attempts_used'
		| 'being_written'
		/** Finished, and its files are missing. */
		| 'not_saved'
		/** Sent without an answer. */
		| 'unanswered'
		/** The user has to settle the order. */
		| 'in_review'
		/** Ready, and --reorder has not ordered it again. */
		| 'not_reordered'
		/** --reorder has to wait for the order. */
		| 'not_finished';
	readonly order: LiveOrder;
	/** True if the row was edited after it was ordered. */
	readonly isEdited: boolean;
	/** Why the command did not order the row again; null if it was not asked to. */
	readonly left: LeaveReason | null;
	/** A brief of the workspace with the new text of an edited row; null if none was found. */
	readonly listedBriefId: string | null;
}

type UnusableState =
	| { readonly kind: 'skipped' }
	| { readonly kind: 'invalid'; readonly problems: readonly string[] }
	| HiddenInput;

/** Briefs of the workspace that might be the row's: the user chooses. */
export interface HiddenInput {
	readonly kind: 'hidden_input';
	readonly briefIds: readonly string[];
	/** True if the row's order was sent, so that it might have created one of the briefs. */
	readonly isSent: boolean;
}

export type StateKind = RowState['kind'];

interface StateTraits {
	readonly status: RowStatus;
	readonly group: GroupName;
	/** True if the row stays as it is until the user does something. */
	readonly needsUser?: true;
	/** True if a later run continues the row. */
	readonly isLeft?: true;
}

export const ROW_STATES: Readonly<Record<StateKind, StateTraits>> = {
	to_order: { status: 'pending', group: 'to_order' },
	to_resend: { status: 'pending', group: 'to_resend' },
	to_reuse: { status: 'pending', group: 'to_reuse' },
	to_reuse_failed: { status: 'pending', group: 'to_reuse_failed', needsUser: true },
	not_ordered: { status: 'pending', group: 'not_ordered', isLeft: true },
	beyond_max: { status: 'pending', group: 'not_ordered', isLeft: true },
	beyond_allowance: { status: 'deferred', group: 'deferred', isLeft: true },
	stopped: { status: 'pending', group: 'not_ordered', isLeft: true },
	being_written: { status: 'pending', group: 'being_written', isLeft: true },
	not_saved: { status: 'pending', group: 'not_saved', isLeft: true },
	unanswered: { status: 'pending', group: 'unconfirmed', isLeft: true },
	ready: { status: 'ready', group: 'ready' },
	not_reordered: { status: 'ready', group: 'not_reordered' },
	not_finished: { status: 'pending', group: 'not_reordered', isLeft: true },
	edited: { status: 'changed', group: 'changed', needsUser: true },
	failed: { status: 'failed', group: 'failed', needsUser: true },
	refused: { status: 'failed', group: 'failed', needsUser: true },
	attempts_used: { status: 'failed', group: 'failed', needsUser: true },
	damaged: { status: 'needs_review', group: 'needs_review', needsUser: true },
	hidden_input: { status: 'needs_review', group: 'needs_review', needsUser: true },
	in_review: { status: 'needs_review', group: 'needs_review', needsUser: true },
	invalid: { status: 'invalid', group: 'invalid', needsUser: true },
	skipped: { status: 'skipped', group: 'skipped' },
};

/** True if a later run continues the row. */
export function isLeftForLater(state: RowState): boolean {
	return (
		ROW_STATES[state.kind].isLeft === true ||
		('left' in state && state.left !== null && isPostponed(state.left))
	);
}

/** What a folder knows about its orders without the service. */
export interface FolderFacts {
	readonly orders: Orders;
	/** The orders as core/orders sees them. */
	readonly facts: Facts;
}

/**
 * Returns the state of a row.
 * @param action of a plan, or why a run has left the row
 */
export function toRowState(
	row: Row,
	match: RowMatch,
	action: RowAction,
	folder: FolderFacts,
): RowState {
	if (row.kind === 'skipped') return { kind: 'skipped' };
	if (row.kind === 'invalid') return { kind: 'invalid', problems: row.problems };
	if (action.kind !== 'leave' && action.kind !== 'none') return toPlannedState(action);
	const briefIds = findReview(row, match, action, folder.orders);
	if (briefIds.length > 0) return { kind: 'hidden_input', briefIds, isSent: isSent(match) };
	const left = getLeaveReason(action);
	if (match.kind === 'new') return toNewState(row, left);
	const state = toOrderedState(match, left, folder);
	const isListed = action.kind === 'leave' && action.reason === 'text_listed';
	return isListed ? { ...state, listedBriefId: action.briefId } : state;
}

/** Returns null if the state itself says why nothing is ordered. */
function getLeaveReason(action: LeaveAction | NoAction): LeaveReason | null {
	if (action.kind === 'none') return null;
	return action.reason === 'hidden_input' || action.reason === 'text_listed' ? null : action.reason;
}

/** Returns the state of an order whose row is unknown, or no longer in the CSV. */
export function toOrderState(order: LiveOrder, folder: FolderFacts): RowState {
	const match = { kind: 'same', order } as const;
	// The review of the content is about the order that has replaced this order.
	const isSettled = getOrderBrief(order) !== null && folder.orders.isReplaced(order);
	const briefIds = isSettled ? [] : folder.orders.findReview(order.contentId);
	if (briefIds.length > 0) return { kind: 'hidden_input', briefIds, isSent: isSent(match) };
	return toOrderedState(match, null, folder);
}

function toPlannedState(action: Exclude<RowAction, LeaveAction | NoAction>): PlannedState {
	switch (action.kind) {
		case 'order': {
			const { otherBriefIds, passedOverIds } = action;
			return { kind: 'to_order', otherBriefIds, passedOverIds };
		}
		case 'resend':
			return { kind: 'to_resend', order: action.order };
		case 'reuse': {
			const { brief } = action;
			return { kind: brief.status === 'failed' ? 'to_reuse_failed' : 'to_reuse', brief };
		}
	}
}

/** Returns the briefs among which the user has to choose; empty if the row needs no decision. */
function findReview(
	row: UsableRow,
	match: RowMatch,
	action: LeaveAction | NoAction,
	orders: Orders,
): readonly string[] {
	if (action.kind === 'leave' && action.reason === 'hidden_input') return action.briefIds;
	if (match.kind === 'new') return orders.findReview(row.contentId);
	if (isSent(match)) return orders.findReview(match.order.contentId);
	return match.kind === 'edited' ? [] : orders.findReview(row.contentId);
}

function isSent(match: RowMatch): boolean {
	return match.kind !== 'new' && isUnconfirmedOrder(match.order);
}

/** A damaged row is ordered only if the user permits it, in every run. */
function toNewState({ warnings }: UsableRow, left: LeaveReason | null): NewState {
	if (warnings.length > 0) return { kind: 'damaged', warnings };
	return { kind: left !== null && isPostponed(left) ? left : 'not_ordered' };
}

function toOrderedState(
	match: Exclude<RowMatch, { kind: 'new' }>,
	left: LeaveReason | null,
	folder: FolderFacts,
): OrderedState {
	const { order } = match;
	const isEdited = match.kind === 'edited';
	const common = { order, isEdited, left, listedBriefId: null };
	const isNamed = left === 'ordered_recently' || left === 'not_finished';
	switch (order.state.kind) {
		case 'unconfirmed':
		case 'accepted': {
			if (order.state.review !== null) return { kind: 'in_review', ...common };
			if (isNotSaved(order)) return { kind: 'not_saved', ...common };
			if (isNamed) return { kind: 'not_finished', ...common };
			const kind = order.state.kind === 'accepted' ? 'being_written' : 'unanswered';
			return { kind, ...common };
		}
		case 'ready': {
			if (isEdited) return { kind: 'edited', ...common };
			const isKept = isNamed || (left !== null && isPostponed(left));
			return { kind: isKept ? 'not_reordered' : 'ready', ...common };
		}
		case 'failed':
		case 'rejected': {
			const failures = isEdited ? 0 : countFailedBriefs(order, folder.facts);
			if (left === 'attempts_used' || failures >= MAX_FAILED_BRIEFS)
				return { kind: 'attempts_used', ...common };
			return { kind: order.state.kind === 'failed' ? 'failed' : 'refused', ...common };
		}
	}
}
