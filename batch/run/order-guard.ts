import { toSummary, type BriefSummary } from '../../core/api/types';
import { fetchOnce, type GetBrief } from '../../core/orders/existing-briefs';
import { isUnconfirmed, makeFirstLine, makeSuccessor, toAcceptedState } from '../orders/order';
import type { RunPlan } from '../plan/plan-run';
import type { ConnectedSession } from '../session';
import { findReusableBrief, findUnclaimed } from '../workspace/find-reusable-brief';
import { settleOrder } from '../workspace/settle-order';
import type { OrderTask } from './begin-rows';
import type { RunState } from './run-state';

/**
 * The last checks before an order is sent, in its turn and with the newest brief list: other processes might have ordered
 * the same content or used the rest of the allowance since the plan was made.
 */
export class OrderGuard {
	private readonly getBrief: GetBrief;
	private readonly listedInPlan: ReadonlySet<string>;

	constructor(
		private readonly session: ConnectedSession,
		private readonly plan: RunPlan,
		private readonly run: RunState,
	) {
		const { workspace, context } = session;
		const { briefs } = plan.facts;
		this.getBrief = fetchOnce((id) => workspace.readBrief(id, context));
		this.listedInPlan = new Set(briefs.map(({ id }) => id));
	}

	/** Returns true if the brief list has settled the order, so that nothing must be sent. The state is saved. */
	async settleFromList(task: OrderTask): Promise<boolean> {
		const { store } = this.session.folder;
		const order = store.orders.find(task.orderId);
		if (order === undefined || order.state.kind === 'dropped')
			return await this.useExistingBrief(task);
		if (!isUnconfirmed(order)) return true;
		const candidates = findUnclaimed(store.orders, await this.readBriefs());
		const listed = { candidates, getBrief: this.getBrief };
		const options = { rowState: 'resend', now: this.session.context.client.now() } as const;
		const settled = await settleOrder(order, listed, options);
		if (settled === null) return false;
		const { state, reused } = settled;
		await this.run.saveState(task, state);
		if (reused !== null)
			await store.save([makeFirstLine(store.reserveOrderId(), makeSuccessor(order), reused)]);
		return state.kind !== 'unconfirmed' || state.review !== null;
	}

	/** Returns true if the brief list shows that another process has ordered the same content since the plan was made. */
	async useExistingBrief(task: OrderTask): Promise<boolean> {
		const { orders } = this.session.folder.store;
		const all = await this.readBriefs();
		const isUncompared = (id: string) =>
			!this.listedInPlan.has(id) || task.possiblyOwnIds.includes(id);
		const briefs = all.filter(({ id }) => isUncompared(id));
		const listed = { briefs, getBrief: this.getBrief };
		const found = await findReusableBrief(task.draft.input, orders, listed);
		if (found.kind === 'none') return false;
		const state =
			found.kind === 'found'
				? toAcceptedState(toSummary(found.brief), false)
				: ({ kind: 'undecided', briefIds: found.briefIds } as const);
		await this.run.saveState(task, state);
		return true;
	}

	/** Returns how many briefs of the month are left; Infinity if that is unknown. */
	async computeAllowanceLeft(): Promise<number> {
		const { workspace, context } = this.session;
		const allowance = await workspace.allowance.computeAllowance(context);
		return allowance?.remaining ?? Infinity;
	}

	/** Returns the listed briefs. Sends no request if the newest page contains a brief that is known. */
	private async readBriefs(): Promise<BriefSummary[]> {
		const { workspace, context } = this.session;
		return await workspace.briefs.readSince(this.plan.facts.listedSince, context);
	}
}
