import { LIST_LAG_MS } from '../../core/assumptions';
import { getKeySafety, type CreateResult } from '../../core/orders/create-brief';
import type { OrderStore } from '../folder/order-store';
import { isUnconfirmed, type Order } from '../orders/order';
import type { RunPlan } from '../plan/plan-run';
import type { ConnectedSession } from '../session';
import type { OrderTask } from './begin-rows';
import { OrderGuard } from './order-guard';
import { ALLOWANCE_USED_UP, NO_ANSWERS } from './run-end';
import type { RunState } from './run-state';

const MAX_SLOT_WAIT_MS = 2 * 3_600_000;

/** A run that stops ordering does not wait longer for orders that it will not send. */
const STOP_CHECK_MS = 5_000;

/**
 * Sends orders, one at a time. An order is in the journal as unconfirmed before each request, so the process can be killed
 * between any two lines: the next run looks for its brief in the brief list, and sends the same key again if there is none.
 */
export class OrderSender {
	/** Orders without a usable answer. The run sends them once more at its end. */
	readonly unanswered = new Map<number, OrderTask>();
	/** The results of create requests that are on their way into the journal. */
	private saves: Promise<unknown> = Promise.resolve();
	private readonly store: OrderStore;
	private readonly guard: OrderGuard;

	constructor(
		private readonly session: ConnectedSession,
		plan: RunPlan,
		private readonly run: RunState,
	) {
		this.store = session.folder.store;
		this.guard = new OrderGuard(session, plan, run);
	}

	/** Sends an order when it is its turn, and saves the result. Does nothing if the run has stopped. */
	async send(task: OrderTask): Promise<void> {
		const { workspace, context } = this.session;
		const order = this.store.orders.find(task.orderId);
		if (this.run.stop !== null || !isToSend(order)) return;
		const result = await workspace.createBrief(
			{
				orderId: String(task.orderId),
				input: task.draft.input,
				key: task.draft.key,
				firstSentAt: this.store.orders.findFirstSentAt(task.draft.key),
				unansweredAt: order !== undefined && isUnconfirmed(order) ? order.state.lastSentAt : null,
			},
			{
				deadline: context.clock.now() + MAX_SLOT_WAIT_MS,
				beforeSend: () => this.checkBeforeSending(task),
				recordRequest: (times) => this.run.record(task, { kind: 'sent', times }),
				recordSlotRefusal: () => this.run.record(task, { kind: 'slots_busy' }),
				findOwnerContentId: (briefId) => this.store.orders.findByBrief(briefId)?.contentId ?? null,
			},
			context,
		);
		const save = this.saveResult(task, result);
		this.saves = Promise.allSettled([this.saves, save]);
		await save;
	}

	/**
	 * Waits until the brief list must show the brief of the last request, if the service might have forgotten the key. The
	 * caller must not hold a lane, because other orders are sent during the wait.
	 */
	async waitForList({ orderId }: OrderTask): Promise<void> {
		const { context, waits } = this.session;
		const { clock, client, signal } = context;
		const order = this.store.orders.find(orderId);
		if (order === undefined || !isUnconfirmed(order)) return;
		const { state } = order;
		const mustWait = () => getKeySafety(state, client.now()) === 'wait' && this.run.stop === null;
		if (!mustWait()) return;
		await waits.nameListWait(state.lastSentAt + LIST_LAG_MS - client.now(), async () => {
			while (mustWait()) await clock.sleep(STOP_CHECK_MS, signal);
		});
	}

	/** Called in the order's turn. */
	private async checkBeforeSending(task: OrderTask): Promise<'send' | 'skip'> {
		const { run, guard } = this;
		if (run.stop !== null) return 'skip';
		// The brief list might show the brief of an order whose answer is not in the journal yet.
		await this.saves;
		if (await guard.settleFromList(task)) return 'skip';
		// The brief of an earlier request might have been the last of the allowance.
		const state = this.store.orders.find(task.orderId)?.state;
		if (state?.kind === 'unconfirmed') return 'send';
		if ((await guard.computeAllowanceLeft()) > 0) return 'send';
		run.stopFor(ALLOWANCE_USED_UP);
		return 'skip';
	}

	private async saveResult(task: OrderTask, result: CreateResult): Promise<void> {
		const { run, guard } = this;
		if (result.kind === 'skipped') return;
		if (result.kind === 'unconfirmed') {
			await this.saveUnconfirmed(task, result);
			return;
		}
		this.unanswered.delete(task.orderId);
		run.failures.recordAnswer();
		// Another process might have ordered the same content.
		const isSettled = result.kind === 'rejected' && (await guard.useExistingBrief(task));
		if (!isSettled) await run.record(task, result);
		if (result.kind === 'stopped') run.stopForServiceError(result.error);
	}

	/** The order stays unconfirmed, and the next run sends the same key, unless that would end in the same way again. */
	private async saveUnconfirmed(task: OrderTask, result: UnconfirmedResult): Promise<void> {
		const { run } = this;
		const { cause, error } = result;
		const isOrderUnanswered = cause === 'no_answer' || cause === 'key_expired';
		if (isOrderUnanswered) this.unanswered.set(task.orderId, task);
		const countsAsRun = isOrderUnanswered && run.failures.recordNoAnswer(task.orderId, cause);
		await run.record(task, { ...result, countsAsRun });
		if (run.failures.hasTooManyNoAnswers()) run.stopFor(NO_ANSWERS);
		if (cause === 'outage') run.stopForServiceError(error);
	}
}

type UnconfirmedResult = Extract<CreateResult, { kind: 'unconfirmed' }>;

/** Nothing must be sent for an order that the brief list has settled in the meantime. */
function isToSend(order: Order | undefined): boolean {
	return order === undefined || order.state.kind === 'dropped' || isUnconfirmed(order);
}
