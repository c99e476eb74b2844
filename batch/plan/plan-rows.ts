import { isUsable, type UsableRow } from '../csv/types';
import { isSentLast } from '../orders/order';
import { findFirstRows } from '../orders/same-content';
import {
	leaveRow,
	NO_ACTION,
	type LeaveReason,
	type OrderAction,
	type PlannedRow,
	type ResendAction,
} from './planned-row';
import { RowPlanner, type PlannerInput } from './row-planner';

/**
 * Plans the action of a run for each row. core/orders decides about the row's order. The rules for the selected rows, damaged
 * rows, duplicates and limits are added here. Pure.
 *
 *     row  order                     workspace             action
 *     2    none                      nothing               order
 *     3    none                      same content          reuse
 *     4    none                      input not shown       leave, until --use-brief 4=… or --reorder 4
 *     5    ready, same content                             leave, until --reorder 5
 *     6    ready, edited                                   leave, until --reorder 6 or --accept-edits 6
 *     7    failed                    nothing better        leave, until `retry`
 *     8    accepted                                        leave: the run waits for its brief anyway
 *     9    unconfirmed                                     resend
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
	const firstRows = findFirstRows(input.rows);
	const left = input.limits.allowance ?? Infinity;
	let orderCount = 0;
	const planned = input.rows.map((row): PlannedRow => {
		const match = input.matches.get(row);
		const duplicateOf = firstRows.get(row.number) ?? null;
		const action =
			isUsable(row) && duplicateOf === null ? planner.chooseAction(row, match) : NO_ACTION;
		if (action.kind === 'order' && !action.isComparedLater) orderCount += 1;
		// An order is beyond the allowance if the orders before it use up what is left. It is left here, because a large CSV has
		// many such rows, and each order needs memory.
		const isBeyond = action.kind === 'order' && orderCount > left;
		return { row, match, action: isBeyond ? leaveRow('beyond_allowance') : action, duplicateOf };
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
export function sortForSending(planned: readonly PlannedRow[]): SentRow[] {
	const rank = ({ action }: SentRow) => {
		if (action.kind === 'order') return action.isComparedLater ? 3 : 1;
		return isSentLast(action.order) ? 2 : 0;
	};
	return planned.filter(isSent).sort((a, b) => rank(a) - rank(b));
}

/** A row that needs a create request. */
export type SentRow = PlannedRow & {
	readonly row: UsableRow;
	readonly action: OrderAction | ResendAction;
};

function isSent(planned: PlannedRow): planned is SentRow {
	const { row, action } = planned;
	return isUsable(row) && (action.kind === 'order' || action.kind === 'resend');
}

function applyLimits(
	planned: readonly PlannedRow[],
	{ allowance, max }: OrderLimits,
): PlannedRow[] {
	const left = allowance ?? Infinity;
	const reasons = new Map<number, LeaveReason>();
	let ordered = 0;
	for (const [index, { row, action }] of sortForSending(planned).entries()) {
		// An unconfirmed order might have used its brief already, and was agreed to when it was first sent.
		if (action.kind === 'resend') continue;
		if (index >= left) reasons.set(row.number, 'beyond_allowance');
		else if (max !== null && ordered >= max) reasons.set(row.number, 'beyond_max');
		ordered += 1;
	}
	return planned.map((each) => {
		const reason = reasons.get(each.row.number);
		return reason === undefined ? each : { ...each, action: leaveRow(reason) };
	});
}

/** A duplicate is left for the same reason as the first row with its content. */
function shareActions(planned: readonly PlannedRow[]): PlannedRow[] {
	const firstNumbers = new Set(planned.map(({ duplicateOf }) => duplicateOf));
	const first = planned.filter(({ row }) => firstNumbers.has(row.number));
	const actions = new Map(first.map(({ row, action }) => [row.number, action]));
	return planned.map((each) => {
		const action = actions.get(each.duplicateOf ?? 0);
		return action?.kind === 'leave' ? { ...each, action } : each;
	});
}
