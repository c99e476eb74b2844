import { toSummary } from '../../core/api/types';
import type { Policy } from '../../core/orders/decide-order';
import { makeDraft, NOTHING } from '../../core/orders/order';
import type { OrderToSend } from '../../core/orders/send-order';
import type { StoredChange } from '../folder/order-store';
import { isAccepted, makeFirstLine, toAcceptedState, type OrderRows } from '../orders/order';
import { sortForSending } from '../plan/plan-rows';
import type { RunPlan } from '../plan/plan-run';
import type { PlannedRow } from '../plan/planned-row';
import { reviewContent } from '../plan/settle-orders';
import type { ConnectedSession } from '../commands/session';

/** An order that a run sends. The first line of a new order is written just before it is sent. */
export interface OrderTask {
	readonly orderId: number;
	readonly rowNumber: number;
	readonly order: OrderToSend;
	readonly policy: Policy;
	readonly rows: OrderRows;
}

export interface RunTasks {
	/** IDs of orders whose briefs exist and are not saved yet. */
	readonly toFetch: readonly number[];
	/** Sorted as they are sent. */
	readonly toSend: readonly OrderTask[];
}

/** Writes all changes of the plan that need no create request, and returns the remaining tasks. */
export async function beginRows(session: ConnectedSession, plan: RunPlan): Promise<RunTasks> {
	const { store } = session.folder;
	await store.save(plan.changes);
	await store.save(plan.planned.flatMap((planned) => beginFreeOrder(session, plan, planned) ?? []));
	return {
		toFetch: store.orders.live.filter(isAccepted).map(({ id }) => id),
		toSend: sortForSending(plan.planned).flatMap((planned) => toTask(session, plan, planned) ?? []),
	};
}

/** Returns the change for a brief that is reused, or for a row that the user has to decide about; null for other rows. */
function beginFreeOrder(
	{ folder: { store } }: ConnectedSession,
	{ matches, run }: RunPlan,
	{ action, row }: PlannedRow,
): StoredChange | null {
	if (action.kind === 'reuse') {
		const state = toAcceptedState(toSummary(action.brief), 'reused');
		const draft = makeDraft(row, NOTHING, []);
		return makeFirstLine(store.reserveOrderId(), draft, matches.getOrderRows(row, run), state);
	}
	if (action.kind !== 'leave' || action.reason !== 'hidden_input') return null;
	return reviewContent(row.contentId, action.briefIds, store.orders);
}

function toTask(
	{ folder: { store } }: ConnectedSession,
	{ matches, run }: RunPlan,
	{ row, action }: PlannedRow,
): OrderTask | null {
	if (action.kind !== 'order' && action.kind !== 'resend') return null;
	const { order, policy } = action;
	const orderId = action.kind === 'resend' ? action.orderId : store.reserveOrderId();
	return { orderId, rowNumber: row.number, order, policy, rows: matches.getOrderRows(row, run) };
}
