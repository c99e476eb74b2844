import type { Row } from '../csv/types';
import { matchRows } from '../orders/match-rows';
import type { Orders } from '../orders/orders';
import { planRows } from '../plan/plan-rows';
import { makeOfflineSources } from '../plan/row-planner';
import { replaceAction, type LeaveAction, type PlannedRow } from '../plan/planned-row';
import { ALL_ROWS } from '../plan/selection';

interface CurrentStateInput {
	readonly rows: readonly Row[];
	readonly orders: Orders;
	/** Left of this month's allowance; null if unknown. */
	readonly allowance: number | null;
	/** The service's clock. */
	readonly now: number;
	/** Why the run did not order rows, by content. */
	readonly leftRows?: ReadonlyMap<string, LeaveAction>;
}

/** Returns the rows as the last run left them. */
export function describeCurrentState(input: CurrentStateInput): PlannedRow[] {
	const { rows, orders, allowance, now, leftRows } = input;
	const current = planRows({
		rows,
		orders,
		matches: matchRows(rows, orders, now),
		selection: ALL_ROWS,
		sources: makeOfflineSources(orders, now),
		limits: { allowance, max: null },
	});
	return current.map((each) => {
		const left = leftRows?.get(each.row.contentId);
		return left === undefined || hasReason(each) ? each : replaceAction(each, left);
	});
}

/** True if the row itself says why nothing is ordered for it. A review of hidden input ends if the briefs are gone. */
function hasReason({ action }: PlannedRow): boolean {
	return action.kind === 'leave' && action.reason !== null && action.reason !== 'hidden_input';
}
