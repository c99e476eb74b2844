import { toSummary } from '../../core/api/types';
import type { Policy } from '../../core/orders/decide-order';
import { makeDraft, NOTHING, type OrderToSend } from '../../core/orders/order';
import { isUsable } from '../csv/types';
import type { OrderStore, StoredChange } from '../folder/order-store';
import {
	isAccepted,
	makeFirstLine,
	toAcceptedState,
	toOrderToSend,
	type OrderRows,
} from '../orders/order';
import { sortForSending, type SentRow } from '../plan/plan-rows';
import type { RunPlan } from '../plan/plan-run';
import { reviewContent } from '../plan/settle-orders';

/** An order that a run sends. The first line of a new order is written just before it is sent. */
export interface OrderTask {
	readonly orderId: number;
	readonly order: OrderToSend;
	readonly policy: Policy;
	readonly rows: OrderRows;
}

interface RunTasks {
	/** IDs of orders whose briefs exist and are not saved yet. */
	readonly toFetch: readonly number[];
	/** Sorted as they are sent. */
	readonly toSend: readonly OrderTask[];
	/** The IDs of the orders that the run sends, or that reuse a brief, by row number. */
	readonly orderIds: ReadonlyMap<number, number>;
}

/** Writes all changes of the plan that need no create request, and returns the remaining tasks. */
export async function beginRows(store: OrderStore, plan: RunPlan): Promise<RunTasks> {
	const orderIds = new Map<number, number>();
	const reserveId = (rowNumber: number, id = store.reserveOrderId()) => {
		orderIds.set(rowNumber, id);
		return id;
	};
	await store.save(plan.changes);
	await store.save([...reuseBriefs(plan, reserveId), ...findReviews(plan, store)]);
	const toSend = sortForSending(plan.planned).map((planned) => toTask(planned, plan, reserveId));
	const toFetch = store.orders.live.filter(isAccepted).map(({ id }) => id);
	return { toFetch, toSend, orderIds };
}

/** Returns the ID of the order that a row gets: that of a known order, or the next ID. */
type ReserveId = (rowNumber: number, id?: number) => number;

/** Returns the orders of the rows that reuse a brief. */
function reuseBriefs({ planned, matches, run }: RunPlan, reserveId: ReserveId): StoredChange[] {
	return planned.flatMap(({ action, row }) => {
		if (action.kind !== 'reuse' || !isUsable(row)) return [];
		const state = toAcceptedState(toSummary(action.brief), 'reused');
		const draft = makeDraft(row, NOTHING, []);
		return [makeFirstLine(reserveId(row.number), draft, matches.getOrderRows(row, run), state)];
	});
}

/** Returns the reviews of the rows that the user has to decide about. */
function findReviews({ planned }: RunPlan, { orders }: OrderStore): StoredChange[] {
	return planned.flatMap(({ action, row }) =>
		isUsable(row) && action.kind === 'leave' && action.reason === 'hidden_input'
			? (reviewContent(row.contentId, action.briefIds, orders) ?? [])
			: [],
	);
}

function toTask(
	{ row, action }: SentRow,
	{ matches, run }: RunPlan,
	reserveId: ReserveId,
): OrderTask {
	const { policy } = action;
	const rows = matches.getOrderRows(row, run);
	if (action.kind === 'order')
		return { orderId: reserveId(row.number), order: action.order, policy, rows };
	const orderId = reserveId(row.number, action.order.id);
	return { orderId, order: toOrderToSend(action.order), policy, rows };
}
