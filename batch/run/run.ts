import { SLOTS } from '../../core/api/limits';
import type { BriefSummary } from '../../core/api/types';
import { getCreationTime } from '../../core/workspace/brief-time';
import { isAccepted } from '../orders/order';
import type { RunPlan } from '../plan/plan-run';
import type { ConnectedSession } from '../commands/session';
import { beginRows, type OrderTask, type RunTasks } from './begin-rows';
import { OrderSender } from './order-sender';
import { MAX_FAILURES_REACHED } from './run-end';
import { RunState, type RunOptions } from './run-state';

/** A brief that takes longer is left to later runs. */
const MAX_BRIEF_WAIT_MS = 30 * 60_000;

/**
 * Carries out a plan: two orders at a time, each from the create request to the saved file.
 *
 *     lane 1   send(row 2) ── fetchBrief ─────────── send(row 4) ── …
 *     lane 2          send(row 3) ── fetchBrief ───────────── send(row 5) ── …
 *
 * Briefs that earlier runs left come first. An order without a usable answer leaves its turn, and is sent once more when all
 * other orders have ended. An order whose key is nearly an hour old waits outside the lanes for the brief list.
 */
export class Run {
	readonly state: RunState;
	private readonly sender: OrderSender;
	private tasks: RunTasks = { toFetch: [], toSend: [] };

	constructor(
		private readonly session: ConnectedSession,
		private readonly plan: RunPlan,
		options: RunOptions,
	) {
		this.state = new RunState(session, plan, options);
		this.sender = new OrderSender(session, plan, this.state);
	}

	/** @throws if the run cannot begin. `state.stop` says why the run ended early otherwise */
	async carryOut(): Promise<void> {
		const { default: pLimit } = await import('p-limit');
		const lane = pLimit(SLOTS);
		const sendInLane = (task: OrderTask) =>
			this.whenListed(task, () => lane(() => this.sendAndFetch(task)));
		this.tasks = await beginRows(this.session, this.plan);
		const { toFetch, toSend } = this.tasks;
		this.trackOrders();
		// Shared by the lanes: after many files were deleted, a task per brief would need much memory.
		const briefs = toFetch.values();
		const fetched = Array.from({ length: SLOTS }, () => lane(() => this.fetchEach(briefs)));
		await this.sendProbe();
		await Promise.all([...fetched, ...toSend.map(sendInLane)]);
		await Promise.all([...this.sender.unanswered.values()].map(sendInLane));
	}

	/** Returns the numbers of the rows that the run would have ordered if it had not stopped. */
	findLeftRows(): ReadonlySet<number> {
		const { orders } = this.session.folder.store;
		const left = this.tasks.toSend.filter(({ orderId, order }) => {
			const state = orders.find(orderId)?.state;
			const isOpen = state === undefined || state.kind === 'dropped';
			return isOpen && orders.findReview(order.contentId).length === 0;
		});
		return new Set(left.map(({ rowNumber }) => rowNumber));
	}

	/** Briefs and unconfirmed orders of earlier runs might use a slot, although the list does not show them yet. */
	private trackOrders(): void {
		const { folder, workspace } = this.session;
		const { orders } = folder.store;
		const { slots } = workspace;
		for (const { key, state } of orders.live) {
			if (state.kind === 'unconfirmed') slots.trackUnconfirmed(key, state.lastSentAt);
			if (state.kind !== 'accepted') continue;
			const { id } = state.brief;
			// The list has shown the briefs of other processes, unless they were deleted.
			const sentAt = orders.findLastRequest(id);
			if (sentAt !== null) slots.trackBrief(id, sentAt);
		}
	}

	/** After too many failures in a row, in earlier runs, one order is sent alone. The run stops unless it succeeds. */
	private async sendProbe(): Promise<void> {
		const { failures } = this.state;
		const [probe] = this.tasks.toSend;
		if (probe === undefined || !failures.hasTooManyFailures()) return;
		await this.whenListed(probe, () => this.sendAndFetch(probe));
		if (failures.hasTooManyFailures()) this.state.stopFor(MAX_FAILURES_REACHED);
	}

	/** An order whose key is old waits outside the lanes, so that no other order waits with it. */
	private async whenListed(task: OrderTask, send: () => Promise<void>): Promise<void> {
		await this.state.stopOnError(async () => {
			await this.sender.waitForList(task);
			await send();
		});
	}

	private async fetchEach(orderIds: Iterable<number>): Promise<void> {
		for (const orderId of orderIds) await this.state.stopOnError(() => this.fetchBrief(orderId));
	}

	private async sendAndFetch(task: OrderTask): Promise<void> {
		await this.state.stopOnError(async () => {
			await this.sender.send(task);
			await this.fetchBrief(task.orderId);
		});
	}

	/** Waits for the brief of an order and saves it. Does nothing if the order has no brief. */
	private async fetchBrief(orderId: number): Promise<void> {
		const { folder, workspace, context } = this.session;
		const order = folder.store.orders.find(orderId);
		if (order === undefined || !isAccepted(order)) return;
		const { brief } = order.state;
		const deadline = context.clock.now() + MAX_BRIEF_WAIT_MS - this.getAge(brief);
		const result = await workspace.poller.waitUntilFinished(brief, deadline, context);
		if (result.kind !== 'finished') {
			await this.state.recordWait(orderId, result);
			return;
		}
		const isReady = result.brief.status !== 'failed';
		const file = isReady ? await folder.files.save(result.brief) : null;
		await this.state.recordWait(orderId, { ...result, file });
	}

	private getAge(brief: BriefSummary): number {
		return Math.max(0, this.session.context.client.now() - getCreationTime(brief));
	}
}
