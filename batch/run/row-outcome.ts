import type { RowMatch } from '../orders/match-rows';
import type { Orders } from '../orders/orders';
import { leaveRow, type LeaveAction, type PlannedRow } from '../plan/planned-row';
import type { RunStop } from './run-stop';

/** What a run has done about a row: its order as the journal has it now, or why the run has left it. */
export interface RowOutcome extends Omit<PlannedRow, 'action'> {
	/** Null if the order says everything, or the run has not reached the row yet. */
	readonly action: LeaveAction | null;
}

interface RunOrders {
	readonly orders: Orders;
	/** The order that the run has begun, or begins, for a row, by row number. */
	readonly ids: ReadonlyMap<number, number>;
	readonly stop: RunStop | null;
}

export function listOutcomes(planned: readonly PlannedRow[], run: RunOrders): RowOutcome[] {
	return planned.map((each) => toOutcome(each, run));
}

function toOutcome(planned: PlannedRow, { orders, ids, stop }: RunOrders): RowOutcome {
	const { row, duplicateOf, action } = planned;
	const begun = getMatch('same', ids.get(duplicateOf ?? row.number), orders);
	if (begun.kind !== 'new') return { row, duplicateOf, match: begun, action: null };
	const match =
		planned.match.kind === 'new'
			? planned.match
			: getMatch(planned.match.kind, planned.match.order.id, orders);
	return { row, duplicateOf, match, action: getReason(action, stop) };
}

/** An order that was dropped counts as if it had never begun. */
function getMatch(kind: 'same' | 'edited', orderId: number | undefined, orders: Orders): RowMatch {
	const order = orderId === undefined ? undefined : orders.find(orderId);
	return order === undefined || order.state.kind === 'dropped' ? { kind: 'new' } : { kind, order };
}

function getReason(action: PlannedRow['action'], stop: RunStop | null): LeaveAction | null {
	if (action.kind === 'leave') return action;
	if (stop === null) return null;
	return leaveRow(stop.kind === 'allowance_used_up' ? 'beyond_allowance' : 'stopped');
}
