import type { BriefSummary } from '../../core/api/types';
import type { Policy } from '../../core/orders/decide-order';
import type { OrderToSend } from '../../core/orders/send-order';
import type { Row } from '../csv/types';
import type { RowMatch } from '../orders/match-rows';
import { getRowStatus, type RowStatus } from './row-status';

/**
 * A row of the CSV, and the run's action for it. Every view of the CSV is made from planned rows:
 *
 *     row 2   new                       pending        order
 *     row 3   ready, then edited        changed        leave
 *     row 4   new, input not shown      needs_review   leave, because of hidden_input
 *     row 5   new, beyond --max         pending        leave, because of beyond_max
 */
export interface PlannedRow {
	readonly row: Row;
	readonly match: RowMatch;
	readonly status: RowStatus;
	/** The status after the run if every order succeeds. */
	readonly expectedStatus: RowStatus;
	readonly action: RowAction;
	/** Number of the first row with the same content: both rows share its brief. Null for that row. */
	readonly duplicateOf: number | null;
}

export type RowAction =
	| OrderAction
	| ResendAction
	/** The workspace has this brief with the same content. */
	| { readonly kind: 'reuse'; readonly brief: BriefSummary }
	| LeaveAction;

/** The same key and body are sent again, unless the brief list shows the order's brief. */
export interface ResendAction {
	readonly kind: 'resend';
	readonly orderId: number;
	readonly order: OrderToSend;
	readonly policy: Policy;
}

/** Costs one brief. */
export interface OrderAction {
	readonly kind: 'order';
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

/** The run does nothing for the row. Without a reason, the status says why. */
export type LeaveAction =
	| { readonly kind: 'leave'; readonly reason: LeaveReason | null }
	/** The workspace has these briefs for the product, and does not show their input. */
	| {
			readonly kind: 'leave';
			readonly reason: 'hidden_input';
			readonly briefIds: readonly string[];
	  };

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
export function wasPostponed(action: RowAction): boolean {
	if (action.kind !== 'leave') return false;
	return POSTPONE_REASONS.some((reason) => reason === action.reason);
}

/** Returns the planned row, with the statuses that follow from the action. */
export function makePlannedRow(
	row: Row,
	match: RowMatch,
	action: RowAction,
	duplicateOf: number | null = null,
): PlannedRow {
	const status = getPlannedStatus(row, match, action);
	const expectedStatus = getExpectedStatus(status, match, action);
	return { row, match, status, expectedStatus, action, duplicateOf };
}

/** Returns the status of the row before the run. The reason why a row is left can say more than its order. */
function getPlannedStatus(row: Row, match: RowMatch, action: RowAction): RowStatus {
	const status = getRowStatus(row, match);
	if (action.kind !== 'leave') return status;
	switch (action.reason) {
		case 'hidden_input':
			return 'needs_review';
		case 'damaged':
			return match.kind === 'new' ? 'needs_review' : status;
		case 'beyond_allowance':
			return match.kind === 'new' ? 'deferred' : status;
		case 'beyond_max':
		case 'stopped':
			return match.kind === 'new' ? 'pending' : status;
		default:
			return status;
	}
}

function getExpectedStatus(status: RowStatus, match: RowMatch, action: RowAction): RowStatus {
	switch (action.kind) {
		case 'order':
		case 'resend':
			return 'ready';
		case 'reuse':
			return action.brief.status === 'failed' ? 'failed' : 'ready';
		case 'leave': {
			// The run waits for briefs that are being written, with any action for their rows.
			const isBeingWritten = match.kind !== 'new' && match.order.state.kind === 'accepted';
			return isBeingWritten && status === 'pending' ? 'ready' : status;
		}
	}
}

/** Returns the row with another action, and with the statuses that follow from it. */
export function replaceAction(
	{ row, match, duplicateOf }: PlannedRow,
	action: RowAction,
): PlannedRow {
	return makePlannedRow(row, match, action, duplicateOf);
}
