import type { ServiceError } from '../api/errors';
import {
	addOne,
	countFailure,
	decideRetry,
	NO_FAILURES,
	NONE_FAILED,
	toResult,
} from '../api/retry';
import { sleepUntil } from '../api/sleep';
import type { Brief } from '../api/types';
import {
	DAY_MS,
	MAX_PAGE_AGE_MS,
	MAX_SLOT_WAIT_MS,
	NO_ANSWER_LIMIT,
	REUSE_WINDOW_MS,
} from '../assumptions';
import { readShownInput } from '../input/shown-input';
import type { BriefDetails } from '../workspace/brief-details';
import { ListSnapshot } from '../workspace/brief-list';
import type { RequestContext } from '../workspace/request-context';
import type { SlotDeadline } from '../workspace/slot-gate';
import type { Workspace } from '../workspace/workspace';
import { getCreateErrorMeaning } from './create-errors';
import { decideAnswer, decideOrder, type Decision, type Policy } from './decide-order';
import { readFacts, type BriefOwners, type Facts } from './facts';
import { compareInput } from './find-brief';
import {
	findSource,
	getKeySafety,
	isUnconfirmed,
	makeDraft,
	type BriefSource,
	type UnconfirmedOrder,
	type OrderToSend,
} from './order';

/**
 * Sends one order, until the service answers. Before each request, everything is checked again in the order's turn:
 *
 *     turn        one order of the process at a time
 *     slot        the newest page shows a free slot, and the previous order
 *     stop        Ctrl-C, or five failures in a row
 *     decision    no brief of the content has appeared
 *     allowance   a brief of the month is left
 *     log         recordSent: from here on, the brief might exist
 *     request     the same key and body each time, if the page was requested less than a minute ago
 *     log         recordResult
 *
 * A process can be killed between any two of these lines. The next process finds the order in the log. If no slot was
 * free, or after a rate limit or an outage, the order goes back to “slot”, because other processes might have ordered
 * meanwhile. The order keeps its deadlines and counts of failures, so that no order holds the turn forever.
 */

/** The record of orders: the journal of a folder, or the context of n8n's node. */
export interface OrderLog {
	/** Returns the order with what other executions of this process have recorded of its key. */
	findLatest(order: OrderToSend): OrderToSend;
	/** Records a request that is about to be sent, and returns the order as unconfirmed. */
	recordSent(order: OrderToSend, sentAt: number): Promise<UnconfirmedOrder>;
	/** Records that nothing was created: the order counts as never begun, and its key keeps its times. */
	recordNotCreated(order: UnconfirmedOrder): Promise<void>;
	/** Records how the order ended, in its turn: the next order is compared with briefs whose owners are known. */
	recordResult(result: SendResult): Promise<void>;
}

export interface SendTask {
	readonly order: OrderToSend;
	readonly policy: Policy;
	readonly log: OrderLog;
	readonly owners: BriefOwners;
	/** When to stop waiting for the turn and for a slot, by this machine's clock. */
	readonly deadline: number;
	/** True if the caller orders nothing more. */
	isStopped(): boolean;
}

/** What the orders of a run, or of an execution of n8n, share. */
export interface SendContext {
	readonly workspace: Workspace;
	readonly details: BriefDetails;
	readonly requests: RequestContext;
}

export type SendResult =
	/** The list has settled the order: nothing was sent since. */
	| {
			readonly kind: 'decided';
			readonly order: OrderToSend;
			readonly decision: Exclude<Decision, { kind: 'send' }>;
	  }
	| {
			readonly kind: 'created';
			readonly order: UnconfirmedOrder;
			readonly brief: Brief;
			readonly source: BriefSource;
	  }
	/** Nothing was created: the service does not accept this order. */
	| {
			readonly kind: 'rejected';
			readonly order: UnconfirmedOrder;
			readonly error: ServiceError;
	  }
	/** Nothing was created, and nothing more was sent. */
	| { readonly kind: 'stopped'; readonly cause: StopCause }
	/** The brief might have been created. */
	| {
			readonly kind: 'unconfirmed';
			readonly order: UnconfirmedOrder;
			readonly cause: UnconfirmedCause;
	  };

/** Why other orders cannot be sent now, either. */
export type StopCause =
	| { readonly kind: 'stopped_by_caller' }
	| SlotDeadline
	/** By the licence and the list. The service's own refusal is an error. */
	| { readonly kind: 'allowance_used_up' }
	/** The list cannot be read, or the service would refuse every order. */
	| { readonly kind: 'error'; readonly error: ServiceError };

export type UnconfirmedCause =
	| StopCause
	/** Several requests got no usable answer, although the list can be read. Other orders can be sent. */
	| { readonly kind: 'no_answer'; readonly error: ServiceError }
	/** The service refuses the order now. An earlier request might have created the brief. */
	| { readonly kind: 'refused'; readonly error: ServiceError }
	/** The service answered with the brief of another order. */
	| { readonly kind: 'other_brief'; readonly brief: Brief };

/**
 * Sends an order in its turn, unless the list or the caller decides otherwise.
 * @throws the signal's reason. The brief might have been created if the log has the order
 */
export async function sendOrder(task: SendTask, context: SendContext): Promise<SendResult> {
	return await new OrderTurn(task, context).run();
}

class OrderTurn {
	private order: OrderToSend;
	/** True if this command has sent the order. It can then repeat its own request. */
	private isOwnRequest = false;
	private failed = NO_FAILURES;
	private unanswered = NONE_FAILED;
	private slotDeadline = -Infinity;

	constructor(
		private readonly task: SendTask,
		private readonly context: SendContext,
	) {
		this.order = task.order;
	}

	async run(): Promise<SendResult> {
		const { workspace, requests } = this.context;
		const { deadline } = this.task;
		const result = await workspace.slots.runInTurn(() => this.sendInTurn(), deadline, requests);
		return result.kind === 'deadline' ? await this.end(this.stop(result)) : result;
	}

	private async sendInTurn(): Promise<SendResult> {
		this.slotDeadline = this.context.requests.clock.now() + MAX_SLOT_WAIT_MS;
		// An error of a GET: the list or a brief cannot be read.
		const result = await toResult(this.checkAndSendUntilAnswered());
		if ('error' in result) return await this.end(this.stop({ kind: 'error', error: result.error }));
		return await this.end(result.value);
	}

	private async end(result: SendResult): Promise<SendResult> {
		await this.task.log.recordResult(result);
		return result;
	}

	private async checkAndSendUntilAnswered(): Promise<SendResult> {
		for (;;) {
			const result = await this.checkAndSend();
			if (result !== 'check_again') return result;
		}
	}

	private async checkAndSend(): Promise<SendResult | 'check_again'> {
		const { workspace, requests } = this.context;
		const deadline = this.getDeadline();
		const list = await workspace.slots.waitForSlot(
			{ key: this.order.key, since: this.getListStart(), deadline },
			requests,
		);
		if (!(list instanceof ListSnapshot)) return this.stop(list);
		// The page can show a failed brief, so the caller is asked after the wait for a slot.
		if (this.task.isStopped()) return this.stop({ kind: 'stopped_by_caller' });
		this.order = this.task.log.findLatest(this.order);
		const facts = await this.readFacts(list);
		const decision = decideOrder(this.toRequest(), facts);
		if (decision.kind === 'use') workspace.allowance.settleRequest(this.order.key);
		if (decision.kind !== 'send') return { kind: 'decided', order: this.order, decision };
		const { order } = decision;
		const mightExist =
			isUnconfirmed(order) && getKeySafety(order.state, list.readAt) === 'remembered';
		if (!mightExist && !(await this.isAllowanceLeft())) {
			// The list has proved that an order which was sent has created nothing.
			if (isUnconfirmed(order)) await this.recordNotCreated(order);
			return this.stop({ kind: 'allowance_used_up' });
		}
		await requests.client.waitForRateLimit(requests.signal);
		// Inputs and licence can take minutes to read, and a computer can have slept.
		const age = Math.abs(requests.clock.now() - list.newestPage.requestedAt);
		if (age <= MAX_PAGE_AGE_MS) return await this.send(order, mightExist, facts);
		if (requests.clock.now() < deadline) return 'check_again';
		return this.stop({ kind: 'deadline', runningIds: [] });
	}

	/** @param mightExist whether an earlier request might have created the brief */
	private async send(
		order: OrderToSend,
		mightExist: boolean,
		facts: Facts,
	): Promise<SendResult | 'check_again'> {
		const { workspace, requests } = this.context;
		const { client, signal } = requests;
		const sentAt = client.now();
		const sent = await this.task.log.recordSent(order, sentAt);
		this.order = sent;
		this.isOwnRequest = true;
		workspace.recordRequest(sent.key, sentAt);
		const answer = await toResult(client.createBrief(sent.input, sent.key, signal));
		workspace.slots.recordRequestEnd(requests.clock);
		return 'value' in answer
			? await this.acceptBrief(answer.value, sent, facts)
			: await this.handleFailure(answer.error, sent, mightExist);
	}

	/** The brief in the answer is the order's, whatever its age, unless another order owns it. */
	private async acceptBrief(
		brief: Brief,
		sent: UnconfirmedOrder,
		facts: Facts,
	): Promise<SendResult | 'check_again'> {
		const { workspace, requests } = this.context;
		if (this.isOfOtherOrder(brief, sent))
			// The service confused two keys. This order's brief might still exist.
			return toUnconfirmed(sent, { kind: 'other_brief', brief });
		workspace.recordBrief(sent, brief, requests.client.now());
		const next = decideAnswer({ ...this.toRequest(), order: sent }, brief, facts);
		if (next === null)
			return { kind: 'created', order: sent, brief, source: findSource(sent, brief.id) };
		await this.task.log.recordNotCreated(sent);
		this.order = makeDraft(sent, next, sent.shown);
		return 'check_again';
	}

	private isOfOtherOrder(
		brief: Brief,
		{ supersedes, contentId, input }: UnconfirmedOrder,
	): boolean {
		// The key was made from this brief. The key of a next order would be the same, without end.
		if (supersedes.kind === 'brief' && supersedes.id === brief.id) return true;
		const { display } = this.context.workspace;
		const owner = this.task.owners.findOwner(brief.id);
		const isOfOther = owner !== null && owner.contentId !== contentId;
		return isOfOther && compareInput(readShownInput(brief.input), input, display) !== 'same';
	}

	private async handleFailure(
		error: ServiceError,
		sent: UnconfirmedOrder,
		mightHaveExisted: boolean,
	): Promise<SendResult | 'check_again'> {
		const { workspace, requests } = this.context;
		const { clock, signal, createLimits } = requests;
		const isSlotRefusal = await this.isSlotRefusal(error);
		const { created, scope } = getCreateErrorMeaning(error);
		if (!mightHaveExisted && created === 'no') {
			workspace.recordNothingCreated(sent.key);
			if (scope === 'order' && !isSlotRefusal) return { kind: 'rejected', order: sent, error };
			// Before any wait, because the process can be killed while it waits.
			await this.recordNotCreated(sent);
		}
		if (isSlotRefusal) {
			workspace.slots.recordRefusal(error.retryAt, clock);
			return 'check_again';
		}
		const now = clock.now();
		this.failed = countFailure(this.failed, error.kind, now);
		if (created === 'maybe') this.unanswered = addOne(this.unanswered, now);
		const retryAt = decideRetry(error, this.failed, createLimits, now);
		const hasNoAnswer = created === 'maybe' && this.isOnlyThisOrderFailing(now);
		if (retryAt === null || hasNoAnswer) {
			// Nothing is known about an earlier request, so the order is not rejected.
			if (scope === 'order') return toUnconfirmed(sent, { kind: 'refused', error });
			if (hasNoAnswer) return toUnconfirmed(sent, { kind: 'no_answer', error });
			return this.stop({ kind: 'error', error });
		}
		await sleepUntil(clock, retryAt, signal);
		return 'check_again';
	}

	private async recordNotCreated(sent: UnconfirmedOrder): Promise<void> {
		await this.task.log.recordNotCreated(sent);
		this.order = makeDraft(sent, sent.supersedes, sent.shown);
	}

	/** The list was read before each of several requests that got no usable answer, so this order is the cause. */
	private isOnlyThisOrderFailing(now: number): boolean {
		const { count, since } = this.unanswered;
		return count >= NO_ANSWER_LIMIT.requests && now - since >= NO_ANSWER_LIMIT.ms;
	}

	/** The API does not say how a third brief is refused. If both slots are in use, this was the reason. */
	private async isSlotRefusal(error: ServiceError): Promise<boolean> {
		const { workspace, requests } = this.context;
		const { scope } = getCreateErrorMeaning(error);
		if (scope === 'slots_busy') return true;
		if (scope !== 'order' && scope !== 'permission') return false;
		return await workspace.slots.wereSlotsBusy(this.order.key, requests);
	}

	private stop(cause: StopCause): SendResult {
		const { order } = this;
		return isUnconfirmed(order) ? toUnconfirmed(order, cause) : { kind: 'stopped', cause };
	}

	private toRequest() {
		const { order, task, isOwnRequest } = this;
		const { policy } = task;
		const { input, contentId } = order;
		const canResend = policy.canResend || isOwnRequest;
		return { input, contentId, order, policy: { ...policy, canResend } };
	}

	private async readFacts(list: ListSnapshot): Promise<Facts> {
		const { workspace, details, requests } = this.context;
		const { owners } = this.task;
		const { display } = workspace;
		const now = requests.client.now();
		return await readFacts([this.order], { list, owners, details, display, now });
	}

	private async isAllowanceLeft(): Promise<boolean> {
		const { workspace, requests } = this.context;
		const allowance = await workspace.allowance.computeAllowance(requests);
		return allowance === null || allowance.remaining > 0;
	}

	/** The list has to go back to the first request of the order, and to all briefs that it can reuse. */
	private getListStart(): number {
		const now = this.context.requests.client.now();
		const { state } = this.order;
		const firstSentAt = state.kind === 'unconfirmed' ? state.firstSentAt : now;
		return Math.min(now - REUSE_WINDOW_MS, firstSentAt - DAY_MS);
	}

	/** An order that was sent just before the deadline is sent again for a minute. */
	private getDeadline(): number {
		const { deadline } = this.task;
		const latest =
			isUnconfirmed(this.order) && this.isOwnRequest ? deadline + NO_ANSWER_LIMIT.ms : deadline;
		return Math.min(latest, this.slotDeadline);
	}
}

function toUnconfirmed(order: UnconfirmedOrder, cause: UnconfirmedCause): SendResult {
	return { kind: 'unconfirmed', order, cause };
}
