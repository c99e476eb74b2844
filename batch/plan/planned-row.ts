import type { BriefSummary } from '../../core/api/types';
import type { Policy } from '../../core/orders/decide-order';
import type { OrderToSend } from '../../core/orders/order';
import type { Row } from '../csv/types';
import type { RowMatch } from '../orders/match-rows';
import type { UnconfirmedStoredOrder } from '../orders/order';

/**
 * A row of the CSV, and the run's action for it:
 *
 *     row 2   new                       order
 *     row 3   ready, then edited        none
 *     row 4   new, input not shown      leave, because of hidden_input
 *     row 5   new, beyond --max         leave, because of beyond_max
 */
export interface PlannedRow {
	readonly row: Row;
	readonly match: RowMatch;
	readonly action: RowAction;
	/** Number of the first row with the same content: both rows share its brief. Null for that row. */
	readonly duplicateOf: number | null;
}

export type RowAction =
	| OrderAction
	| ResendAction
	/** The workspace has this brief with the same content. */
	| { readonly kind: 'reuse'; readonly brief: BriefSummary }
	| LeaveAction
	| NoAction;

/** The same key and body are sent again, unless the brief list shows the order's brief. */
export interface ResendAction {
	readonly kind: 'resend';
	readonly order: UnconfirmedStoredOrder;
	readonly policy: Policy;
}

/** Costs one brief. */
export interface OrderAction {
	readonly kind: 'order';
	/** A new order, or an order that was rejected and is sent with its old key. */
	readonly order: OrderToSend;
	/** The policy with which the order was decided, and is decided again in its turn. */
	readonly policy: Policy;
	/** Briefs for the same product with other content. */
	readonly otherBriefIds: readonly string[];
	/** Briefs that might have the row's content. The order passes over them, because the user decides so. */
	readonly passedOverIds: readonly string[];
	/** True if hidden briefs are compared again after orders that the run sends before, and might own them. */
	readonly isComparedLater: boolean;
}

/** The command was not asked to do anything for the row, or its order says everything. */
export interface NoAction {
	readonly kind: 'none';
}

export const NO_ACTION: NoAction = { kind: 'none' };

/** The run does not order the row, although it was asked to. */
export type LeaveAction =
	| { readonly kind: 'leave'; readonly reason: LeaveReason }
	/** The workspace has these briefs for the product, and does not show their input. */
	| {
			readonly kind: 'leave';
			readonly reason: 'hidden_input';
			readonly briefIds: readonly string[];
	  }
	/** The row was edited, and the workspace has a brief with the new text. */
	| { readonly kind: 'leave'; readonly reason: 'text_listed'; readonly briefId: string };

export type LeaveReason =
	/** The row looks damaged, and the user has not permitted `damaged-rows`. */
	| 'damaged'
	/** --reorder of a row whose brief is younger than 24 hours. */
	| 'ordered_recently'
	/** --reorder of a row whose brief is being written. */
	| 'not_finished'
	/** `retry` of a row for whose content three briefs have failed. */
	| 'attempts_used'
	| PostponeReason;

/** Why a row that the user wants is left for a later run. */
const POSTPONE_REASONS = [
	/** --max */
	'beyond_max',
	/** This month's allowance. */
	'beyond_allowance',
	/** The run ended before this row. */
	'stopped',
] as const;
type PostponeReason = (typeof POSTPONE_REASONS)[number];

/** True if the user wants the row to be ordered, and the run has left it for a later run. */
export function isPostponed(reason: string): reason is PostponeReason {
	return POSTPONE_REASONS.some((each) => each === reason);
}

export function leaveRow(reason: LeaveReason): LeaveAction {
	return { kind: 'leave', reason };
}
