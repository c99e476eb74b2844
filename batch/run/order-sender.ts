import { isCredentialError } from '../../core/api/errors';
import type { BriefDetails } from '../../core/workspace/brief-details';
import type { RequestContext } from '../../core/workspace/request-context';
import type { Workspace } from '../../core/workspace/workspace';
import { LIST_LAG_MS } from '../../core/assumptions';
import type { Decision } from '../../core/orders/decide-order';
import { getKeySafety, hasPaid, type OrderToSend } from '../../core/orders/order';
import { sendOrder, type SendResult, type StopCause } from '../../core/orders/send-order';
import {
	isAccepted,
	isUnconfirmedOrder,
	toOrderToSend,
	type AcceptedState,
	type StoredOrder,
} from '../orders/order';
import type { StoredOrders } from '../orders/orders';
import { reviewContent } from '../plan/settle-orders';
import type { OrderTask } from './begin-rows';
import { JournalLog } from './journal-log';
import type { RunState } from './run-state';
import type { WaitWatch } from './wait-watch';

interface SenderInput {
	readonly orders: StoredOrders;
	readonly workspace: Workspace;
	readonly requests: RequestContext;
	/** The inputs that the plan has fetched. */
	readonly details: BriefDetails;
	readonly waits: WaitWatch;
}

/** A run that stops ordering does not wait longer for orders that it will not send. */
const STOP_CHECK_MS = 5_000;

/**
 * Sends orders, one at a time, and saves how each ended. An order is in the journal as unconfirmed before each request, so
 * the process can be killed at any line: the next run looks for its brief in the brief list, and sends the same key again
 * if there is none.
 */
export class OrderSender {
	/** Orders without a usable answer. The run sends them once more at its end. */
	readonly unanswered = new Map<number, OrderTask>();

	constructor(
		private readonly input: SenderInput,
		private readonly run: RunState,
	) {}

	/** Sends an order when it is its turn, and saves the result. Does nothing if the run has stopped. */
	async send(task: OrderTask): Promise<void> {
		const { orders, workspace, requests, details } = this.input;
		const stored = orders.find(task.orderId);
		if (this.run.stop !== null || !isToSend(stored)) return;
		await sendOrder(
			{
				order: getOrderToSend(task, stored),
				policy: task.policy,
				log: new JournalLog(task, orders, this.run, (result) => this.saveResult(task, result)),
				owners: orders,
				deadline: Infinity,
				isStopped: () => this.isStopped(),
			},
			{ workspace, details, requests },
		);
	}

	/**
	 * Waits until the brief list must show the brief of the last request, if the service might have forgotten the key. The
	 * caller must not hold a lane, because other orders are sent during the wait.
	 */
	async waitForList({ orderId }: OrderTask): Promise<void> {
		const { orders, requests, waits } = this.input;
		const { clock, client, signal } = requests;
		const order = orders.find(orderId);
		if (order === undefined || !isUnconfirmedOrder(order)) return;
		const { state } = order;
		const mustWait = () => getKeySafety(state, client.now()) === 'wait' && this.run.stop === null;
		if (!mustWait()) return;
		await waits.nameListWait(state.lastSentAt + LIST_LAG_MS - client.now(), async () => {
			while (mustWait()) await clock.sleep(STOP_CHECK_MS, signal);
		});
	}

	/** The page that shows a free slot can show a failed brief that the other lane is about to save. */
	private isStopped(): boolean {
		const { orders, workspace } = this.input;
		const { run } = this;
		const isFailed = ({ state }: StoredOrder & { readonly state: AcceptedState }) =>
			hasPaid(state.source) && workspace.briefs.get(state.brief.id)?.status === 'failed';
		const unsaved = orders.live.filter(isAccepted).filter(isFailed).length;
		return run.stop !== null || (unsaved > 0 && run.failures.hasTooManyFailures(unsaved));
	}

	/** Called in the order's turn. */
	private async saveResult(task: OrderTask, result: SendResult): Promise<void> {
		const { run } = this;
		switch (result.kind) {
			case 'decided':
				await this.saveDecision(task, result.decision);
				break;
			case 'created':
				run.failures.recordAnswer();
				await run.record(task, { kind: 'found', brief: result.brief, source: result.source });
				break;
			case 'rejected':
				run.failures.recordAnswer();
				await run.record(task, result);
				break;
			case 'stopped':
				this.stopFor(result.cause);
				break;
			case 'unconfirmed':
				await this.saveUnconfirmed(task, result);
		}
	}

	private async saveDecision(task: OrderTask, decision: SettledDecision): Promise<void> {
		const { run } = this;
		switch (decision.kind) {
			case 'use':
				await run.record(task, { kind: 'found', brief: decision.brief, source: decision.source });
				break;
			case 'ask':
				await run.saveReview(
					reviewContent(task.order.contentId, decision.briefIds, this.input.orders),
				);
				break;
			case 'wait':
				await this.saveUnanswered(task, null);
				break;
			// The command sends its orders, so none of these is decided in an order's turn.
			case 'keep':
			case 'failed':
			case 'drop':
				break;
		}
	}

	/** The order stays unconfirmed, and the next run sends the same key, unless that would end in the same way again. */
	private async saveUnconfirmed(task: OrderTask, { cause }: UnconfirmedResult): Promise<void> {
		if (cause.kind === 'no_answer') {
			await this.saveUnanswered(task, cause);
			return;
		}
		// A refused API key says nothing about the order.
		const isAboutCredential = cause.kind === 'error' && isCredentialError(cause.error.kind);
		if (!isAboutCredential)
			await this.run.record(task, { kind: 'unanswered', cause, countsAsRun: false });
		if (cause.kind !== 'refused' && cause.kind !== 'other_brief') this.stopFor(cause);
	}

	/** @param cause null if the list might not show the brief of an old key yet */
	private async saveUnanswered(
		task: OrderTask,
		cause: Extract<UnconfirmedResult['cause'], { kind: 'no_answer' }> | null,
	): Promise<void> {
		const { run, unanswered } = this;
		unanswered.set(task.orderId, task);
		const countsAsRun = run.failures.recordNoAnswer(task.orderId, cause !== null);
		await run.record(task, { kind: 'unanswered', cause, countsAsRun });
		if (run.failures.hasTooManyNoAnswers()) run.stopFor({ kind: 'no_answers' });
	}

	private stopFor(cause: StopCause): void {
		const { run } = this;
		switch (cause.kind) {
			case 'allowance_used_up':
				run.stopFor({ kind: 'allowance_used_up' });
				break;
			case 'error':
				run.stopForError(cause.error);
				break;
			case 'deadline':
				run.stopFor({ kind: 'slots_busy', runningIds: cause.runningIds });
				break;
			case 'stopped_by_caller':
				break;
		}
	}
}

type SettledDecision = Exclude<Decision, { kind: 'send' }>;
type UnconfirmedResult = Extract<SendResult, { kind: 'unconfirmed' }>;

/** Nothing must be sent for an order that the brief list has settled in the meantime. */
function isToSend(order: StoredOrder | undefined): boolean {
	return order === undefined || order.state.kind === 'dropped' || isUnconfirmedOrder(order);
}

/** A task that is sent once more starts from what the journal has of its order. */
function getOrderToSend({ order }: OrderTask, stored: StoredOrder | undefined): OrderToSend {
	return stored !== undefined && isUnconfirmedOrder(stored) ? toOrderToSend(stored) : order;
}
