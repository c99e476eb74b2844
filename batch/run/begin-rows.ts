import { toSummary } from '../../core/api/types';
import {
	toAcceptedState,
	isAccepted,
	makeDraft,
	makeFirstLine,
	type OrderChange,
	type OrderDraft,
} from '../orders/order';
import { sortForSending } from '../plan/plan-rows';
import type { RunPlan } from '../plan/plan-run';
import type { PlannedRow } from '../plan/planned-row';
import type { ConnectedSession } from '../session';

/** An order that a run sends or finishes. The first line of a new order is written just before it is sent. */
export interface OrderTask {
	readonly orderId: number;
	readonly draft: OrderDraft;
	/** Null if the order need not be sent. */
	readonly rowNumber: number | null;
	/** Briefs that are compared once more before the order is sent, because they could belong to an order sent before. */
	readonly possiblyOwnIds: readonly string[];
}

export interface RunTasks {
	/** Orders whose briefs exist and are not saved yet. */
	readonly toFetch: readonly OrderTask[];
	/** Sorted as they are sent. */
	readonly toSend: readonly OrderTask[];
}

/** Writes all changes of the plan that need no create request, and returns the remaining tasks. */
export async function beginRows(session: ConnectedSession, plan: RunPlan): Promise<RunTasks> {
	const { store } = session.folder;
	await store.save(plan.changes);
	const begun = plan.planned.flatMap((planned) => {
		const change = beginFreeOrder(planned, plan, () => store.reserveOrderId());
		return change === null ? [] : [change];
	});
	await store.save(begun);
	const toFetch = store.orders.live
		.filter(isAccepted)
		.map((order) => ({ rowNumber: null, orderId: order.id, draft: order, possiblyOwnIds: [] }));
	const toSend = sortForSending(plan.planned).map((planned): OrderTask => {
		const { row, match, action } = planned;
		const rowNumber = row.number;
		if (action.kind === 'resend' && match.kind !== 'new')
			return { rowNumber, orderId: match.order.id, draft: match.order, possiblyOwnIds: [] };
		const possiblyOwnIds = action.kind === 'order' ? action.possiblyOwnIds : [];
		const orderId = store.reserveOrderId();
		return { rowNumber, orderId, draft: makeRowDraft(planned, plan), possiblyOwnIds };
	});
	return { toFetch, toSend };
}

/** Returns the change for a brief that is reused, or for a row that the user has to decide about; null for other rows. */
function beginFreeOrder(
	planned: PlannedRow,
	plan: RunPlan,
	reserveId: () => number,
): OrderChange | null {
	const { action, match } = planned;
	if (action.kind === 'reuse') {
		const state = toAcceptedState(toSummary(action.brief), false);
		return makeFirstLine(reserveId(), makeRowDraft(planned, plan), state);
	}
	if (action.kind !== 'leave' || action.reason !== 'hidden_input') return null;
	const { briefIds } = action;
	const state = { kind: 'undecided', briefIds } as const;
	const current = match.kind === 'same' ? match.order.state : null;
	if (match.kind === 'new' || current?.kind !== 'undecided')
		return makeFirstLine(reserveId(), makeRowDraft(planned, plan), state);
	// The user has seen these briefs before.
	const isKnown = current.briefIds.join() === briefIds.join();
	return isKnown ? null : { order: match.order.id, state };
}

function makeRowDraft({ row, action }: PlannedRow, { matches, run }: RunPlan): OrderDraft {
	const rows = matches.getOrderRows(row, run);
	if (action.kind !== 'order') return makeDraft({ row, rows });
	const { supersedes, attempt } = action;
	return makeDraft({ row, rows, supersedes, attempt });
}
