import type { Row } from '../csv/types';
import { makePlannedRow, replaceAction, type LeaveReason, type PlannedRow } from './planned-row';
import { leaveRow, RowPlanner, type PlannerInput } from './row-planner';

/**
 * Plans the action of a run for each row. core/orders decides about the row's order. The rules for the selected rows, damaged
 * rows, duplicates and limits are added here. Pure.
 *
 *     row  order                     workspace             status         action
 *     2    none                      nothing               pending        order
 *     3    none                      same content          pending        reuse (free)
 *     4    none                      input not shown       needs_review   leave, until --use-brief 4=… or --reorder 4
 *     5    ready, same content                             ready          leave, until --reorder 5
 *     6    ready, edited                                   changed        leave, until --reorder 6 or --accept-edits 6
 *     7    failed                    nothing better        failed         leave, until `retry`
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

interface PlanInput extends PlannerInput {
	readonly limits: OrderLimits;
}

export function planRows(input: PlanInput): PlannedRow[] {
	const planner = new RowPlanner(input);
	const firstRows = new Map<string, Row>();
	const planned = input.rows.map((row): PlannedRow => {
		const match = input.matches.get(row);
		const isUsable = row.problems.length === 0 && !row.isSkipped;
		const first = isUsable ? firstRows.get(row.contentId) : undefined;
		if (!isUsable || first !== undefined)
			return makePlannedRow(row, match, leaveRow(), first?.number ?? null);
		firstRows.set(row.contentId, row);
		return makePlannedRow(row, match, planner.chooseAction(row, match));
	});
	return shareActions(applyLimits(removeReused(planned), input.limits));
}

/** A brief that one row reuses does not count as another brief for the product of another row. */
function removeReused(planned: readonly PlannedRow[]): PlannedRow[] {
	const reused = new Set(
		planned.flatMap(({ action }) => (action.kind === 'reuse' ? [action.brief.id] : [])),
	);
	return planned.map((each) => {
		const { action } = each;
		if (action.kind !== 'order' || action.otherBriefIds.length === 0) return each;
		const otherBriefIds = action.otherBriefIds.filter((id) => !reused.has(id));
		return { ...each, action: { ...action, otherBriefIds } };
	});
}

/** Returns the rows that need a create request, sorted as the run sends them. */
export function sortForSending(planned: readonly PlannedRow[]): PlannedRow[] {
	const rank = ({ action, match }: PlannedRow) => {
		if (action.kind === 'order') return action.isComparedLater ? 3 : 1;
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
