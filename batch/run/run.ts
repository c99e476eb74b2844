import { SLOTS } from '../../core/api/limits';
import type { BriefSummary } from '../../core/api/types';
import { PARALLEL_READS, runInParallel } from '../../core/parallel';
import { isComplete, type WaitResult } from '../../core/workspace/brief-poller';
import { getCreationTime } from '../../core/workspace/brief-time';
import type { RequestContext } from '../../core/workspace/request-context';
import type { Workspace } from '../../core/workspace/workspace';
import type { FolderStore } from '../folder/folder-store';
import { matchRows } from '../orders/match-rows';
import { isAccepted } from '../orders/order';
import type { NewRun } from '../orders/runs';
import type { RunPlan } from '../plan/plan-run';
import { beginRows, type OrderTask } from './begin-rows';
import { OrderSender } from './order-sender';
import { listOutcomes, type RowOutcome } from './row-outcome';
import { RunState } from './run-state';
import type { RunStop } from './run-stop';
import type { WaitWatch } from './wait-watch';

/** A brief that takes longer is left to later runs. */
const MAX_BRIEF_WAIT_MS = 30 * 60_000;

/** What a run works with. */
interface RunContext {
	readonly folder: Pick<FolderStore, 'store' | 'files'>;
	readonly workspace: Workspace;
	readonly requests: RequestContext;
	readonly waits: WaitWatch;
}

interface RunOptions {
	/** The entry of the run in the journal. */
	readonly entry: NewRun;
	/** Called when a brief is saved or has failed. */
	readonly onResult: () => void;
}

/** Numbers of briefs. */
export interface RemainingAllowance {
	/** Per month. */
	readonly limit: number;
	readonly left: number;
}

/**
 * Carries out a plan: two orders at a time, each from the create request until the list shows that its brief has ended.
 * Then the next order uses the lane, while the brief is fetched and saved.
 *
 *     lane 1   send(row 2) ── wait ─────────── send(row 4) ── …
 *     lane 2          send(row 3) ── wait ───────────── send(row 5) ── …
 *
 * Briefs that earlier runs left come first. An order without a usable answer leaves its turn, and is sent once more when all
 * other orders have ended. An order whose key is nearly an hour old waits outside the lanes for the brief list.
 */
export class Run {
	readonly state: RunState;
	private readonly sender: OrderSender;
	/** The IDs of the orders that the run has begun, or begins, by row number. */
	private orderIds: ReadonlyMap<number, number> = new Map();

	constructor(
		private readonly plan: RunPlan,
		private readonly context: RunContext,
		private readonly options: RunOptions,
	) {
		const { folder, workspace, requests, waits } = context;
		const { onResult } = options;
		const { store } = folder;
		const reusedIds = plan.planned.flatMap(({ action }) =>
			action.kind === 'reuse' ? action.brief.id : [],
		);
		const wasSentBefore = (orderId: number) => plan.facts.orders.find(orderId) !== undefined;
		const input = { store, requests, wasSentBefore, reusedIds, onResult };
		this.state = new RunState(input);
		const { details } = plan.facts;
		this.sender = new OrderSender(
			{ orders: store.orders, workspace, requests, details, waits },
			this.state,
		);
	}

	/**
	 * Does not throw: a full disk or a lost lock is why the run ended early, and the user still learns what was ordered. The
	 * caller writes the end of the run to the journal.
	 */
	async carryOut(): Promise<void> {
		const { plan, state, options } = this;
		const { store } = this.context.folder;
		await state.stopOnError(async () => {
			await store.startRun(options.entry);
			await this.sendOrders();
		});
		await state.stopOnError(async () => {
			const rows = plan.planned.map(({ row }) => row);
			const matches = matchRows(rows, store.orders, this.context.requests.client.now());
			await store.save(matches.findChanges(plan.run));
		});
	}

	/** Why the run ended early; null if it did not. */
	get stop(): RunStop | null {
		return this.state.stop;
	}

	/** Returns what the run has done about each row, while it is in progress and at its end. */
	listOutcomes(): RowOutcome[] {
		const { orders } = this.context.folder.store;
		return listOutcomes(this.plan.planned, { orders, ids: this.orderIds, stop: this.stop });
	}

	/** Returns what is left of the allowance, from what is known, because the service might be away. */
	getRemainingAllowance(): RemainingAllowance {
		const { workspace, requests } = this.context;
		const current = workspace.allowance.getAllowance(requests.client.now());
		const { limit, remaining } = current ?? this.plan.facts.allowance;
		// The service can have counted briefs that neither list nor licence shows.
		return { limit, left: this.state.stop?.kind === 'allowance_used_up' ? 0 : remaining };
	}

	/** @throws if the run cannot begin */
	private async sendOrders(): Promise<void> {
		const { default: pLimit } = await import('p-limit');
		const runInLane = pLimit(SLOTS);
		const sendInLane = (task: OrderTask) =>
			this.whenListed(task, () => this.sendAndFetchInLane(task, runInLane));
		const { toFetch, toSend, orderIds } = await beginRows(this.context.folder.store, this.plan);
		this.orderIds = orderIds;
		this.trackOrders();
		const fetched = splitByLane(toFetch).map((orderIds) =>
			runInLane(() => this.fetchEach(orderIds)),
		);
		await this.sendProbe(toSend);
		await Promise.all([...fetched, ...toSend.map(sendInLane)]);
		await Promise.all([...this.sender.unanswered.values()].map(sendInLane));
		if (!toSend.some((task) => this.isLeft(task))) this.state.ignoreFailures();
	}

	/** True if the run would have ordered the row if it had not stopped. */
	private isLeft({ orderId, order }: OrderTask): boolean {
		const { orders } = this.context.folder.store;
		const state = orders.find(orderId)?.state;
		const isOpen = state === undefined || state.kind === 'dropped';
		return isOpen && orders.findReview(order.contentId).length === 0;
	}

	/** Briefs and unconfirmed orders of earlier runs might use a slot, although the list does not show them yet. */
	private trackOrders(): void {
		const { folder, workspace } = this.context;
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

	/**
	 * After too many failures in a row, in earlier runs, one order is sent alone: the run stops unless it succeeds. If orders got
	 * no answers, it is one of them, else one new order.
	 */
	private async sendProbe(toSend: readonly OrderTask[]): Promise<void> {
		const { failures } = this.state;
		const isResend = ({ order }: OrderTask) => order.state.kind === 'unconfirmed';
		const needsAnswer = failures.hasTooManyNoAnswers();
		const probe = (needsAnswer ? toSend.find(isResend) : undefined) ?? toSend[0];
		if (probe === undefined || !(needsAnswer || failures.hasTooManyFailures())) return;
		await this.whenListed(probe, () => this.sendAndFetch(probe));
		if (failures.hasTooManyFailures()) this.state.stopFor({ kind: 'failures_in_row' });
		if (failures.hasTooManyNoAnswers()) this.state.stopFor({ kind: 'no_answers' });
	}

	/** An order whose key is old waits outside the lanes, so that no other order waits with it. */
	private async whenListed(task: OrderTask, send: () => Promise<void>): Promise<void> {
		await this.state.stopOnError(async () => {
			await this.sender.waitForList(task);
			await send();
		});
	}

	/** Fetches the briefs of a lane. A new folder can find a thousand of them, nearly all of which are finished. */
	private async fetchEach(orderIds: readonly number[]): Promise<void> {
		await runInParallel(orderIds, PARALLEL_READS / SLOTS, (orderId) =>
			this.state.stopOnError(() => this.fetchBrief(orderId)),
		);
	}

	/** Sends an order and saves its brief. The lane is free once the list shows that the brief has ended. */
	private async sendAndFetchInLane(task: OrderTask, runInLane: RunInLane): Promise<void> {
		let end: Promise<void> | undefined;
		await runInLane(
			() =>
				new Promise<void>((leave) => {
					end = this.sendAndFetch(task, leave).finally(leave);
				}),
		);
		await end;
	}

	/** @param onEnded called when the brief has left its slot */
	private async sendAndFetch(task: OrderTask, onEnded?: () => void): Promise<void> {
		await this.state.stopOnError(async () => {
			await this.sender.send(task);
			await this.fetchBrief(task.orderId, onEnded);
		});
	}

	/** Waits for the brief of an order and saves it. Does nothing if the order has no brief. */
	private async fetchBrief(orderId: number, onEnded?: () => void): Promise<void> {
		const { folder, workspace, requests } = this.context;
		const order = folder.store.orders.find(orderId);
		if (order === undefined || !isAccepted(order)) return;
		requests.signal?.throwIfAborted();
		const { brief } = order.state;
		const deadline = requests.clock.now() + MAX_BRIEF_WAIT_MS - this.getAge(brief);
		// The plan might have fetched the brief already. A finished brief does not change.
		const planned = this.plan.facts.details.get(brief.id);
		const result: WaitResult =
			planned !== null && isComplete(planned)
				? { kind: 'finished', brief: planned }
				: await workspace.poller.waitUntilFinished(brief, deadline, requests, onEnded);
		if (result.kind !== 'finished') {
			await this.state.recordWait(orderId, result);
			return;
		}
		const isReady = result.brief.status !== 'failed';
		const file = isReady ? await folder.files.save(result.brief) : null;
		await this.state.recordWait(orderId, { ...result, file });
	}

	private getAge(brief: BriefSummary): number {
		return Math.max(0, this.context.requests.client.now() - getCreationTime(brief));
	}
}

/** Runs a task when a lane is free. */
type RunInLane = <T>(task: () => Promise<T>) => Promise<T>;

/** Returns the items of each lane, in turn, because the newest two might still be running and each needs a lane. */
function splitByLane<T>(items: readonly T[]): T[][] {
	return Array.from({ length: SLOTS }, (_, lane) =>
		items.filter((_item, index) => index % SLOTS === lane),
	);
}
