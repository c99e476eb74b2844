import type { RowMatch } from '../orders/match-rows';
import { isLive } from '../orders/order';
import type { StoredOrders } from '../orders/orders';
import {
	leaveRow,
	NO_ACTION,
	type LeaveAction,
	type NoAction,
	type PlannedRow,
	type RowAction,
} from '../plan/planned-row';
import type { RunStop } from './run-stop';

/** What a run has done about a row: its order as the journal has it now, or why the run has left it. */
export interface RowOutcome extends Omit<PlannedRow, 'action'> {
	readonly action: LeaveAction | NoAction;
	readonly planned: PlannedRow;
}

interface RunOrders {
	readonly orders: StoredOrders;
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
	if (begun.kind !== 'new') return { row, duplicateOf, match: begun, action: NO_ACTION, planned };
	const match =
		planned.match.kind === 'new'
			? planned.match
			: getMatch(planned.match.kind, planned.match.order.id, orders);
	return { row, duplicateOf, match, action: getReason(action, stop), planned };
}

/** An order that was dropped counts as if it had never begun. */
function getMatch(
	kind: 'same' | 'edited',
	orderId: number | undefined,
	orders: StoredOrders,
): RowMatch {
	const order = orderId === undefined ? undefined : orders.find(orderId);
	return order !== undefined && isLive(order) ? { kind, order } : { kind: 'new' };
}

/** The run might not have reached the row yet. */
function getReason(action: RowAction, stop: RunStop | null): LeaveAction | NoAction {
	if (action.kind === 'leave') return action;
	if (action.kind === 'none' || stop === null) return NO_ACTION;
	return leaveRow(stop.kind === 'allowance_used_up' ? 'beyond_allowance' : 'stopped');
}
