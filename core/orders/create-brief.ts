import { makeOtherBriefError, ServiceError } from '../api/errors';
import {
	countFailure,
	decideRetry,
	NO_FAILURES,
	toResult,
	type Failures,
	type Result,
} from '../api/retry';
import type { Brief, BriefInput } from '../api/types';
import { sleepUntil } from '../api/sleep';
import { KEY_RESEND_WINDOW_MS, LIST_LAG_MS, NO_ANSWER_LIMIT } from '../assumptions';
import { toContentId } from '../input/content';
import type { RequestContext } from '../workspace/request-context';
import type { SlotGate } from '../workspace/slot-gate';
import { getCreateErrorMeaning } from './create-errors';
import { compareInput } from './existing-briefs';

/**
 * Creates one brief: waits for its turn and a slot, asks the caller whether to send, and sends the same key and body
 * until the service answers. The service returns the original brief for a key that it knows, so no request pays twice:
 *
 *     turn, slot, beforeSend    the caller checks the brief list once more
 *     recordRequest             the caller writes its journal
 *     POST  key 34b5…           connection reset: the brief might have been created
 *     recordRequest
 *     POST  key 34b5…           202, brief d031…: created by the first or by the second request, once
 *
 * If both slots are in use after all, the order waits for a slot again. If three requests over at least a minute get no
 * usable answer, a GET shows the cause: if the brief list can be read, it is this order; if not, it is the service. An
 * outage is waited out for `createLimits.outage`, but nothing is sent after the service might have forgotten the key.
 */

/** How a create request ended. */
export type CreateResult =
	/** The service returned the order's brief. An earlier request with the same key might have created it. */
	| { kind: 'created'; brief: Brief }
	/** Nothing was created: the service does not accept this order. */
	| { kind: 'rejected'; error: ServiceError }
	/** Nothing was created. The cause is the service (see `ErrorScope`), or both slots were in use until the deadline. */
	| { kind: 'stopped'; error: ServiceError }
	| UnconfirmedResult
	/** `beforeSend` decided not to send. */
	| { kind: 'skipped' };

/** The brief might have been created. */
interface UnconfirmedResult {
	readonly kind: 'unconfirmed';
	readonly cause: UnconfirmedCause;
	readonly error: ServiceError;
}

export type UnconfirmedCause =
	/** No usable answer, although the list can be read. Other orders can be sent. */
	| 'no_answer'
	/** The service might have forgotten the key, and the list might not show the brief yet. Other orders can be sent. */
	| 'key_expired'
	/** The cause is the service (see `ErrorScope`), or both slots were in use until the deadline. */
	| 'outage'
	/** The service refuses the order now. An earlier request might have created the brief. */
	| 'refused'
	/** The service answered with the brief of another order, which is `error.brief`. */
	| 'other_brief';

/** An order to send. Times are by the service's clock. */
export interface CreateRequest {
	readonly orderId: string;
	/** The exact body, without the key. */
	readonly input: BriefInput;
	readonly key: string;
	/**
	 * When the key was first sent, whichever order sent it, whatever its result; null if it was never sent. The service
	 * might count the age of a key from its first request, so an old key never becomes young.
	 */
	readonly firstSentAt: number | null;
	/** When the last request without an answer was sent; null if no request can have created the brief. */
	readonly unansweredAt: number | null;
}

/** When a key was first and last sent, by the service's clock. */
export interface SentTimes {
	readonly firstSentAt: number;
	readonly lastSentAt: number;
}

export interface CreateOptions {
	/** When to stop waiting for the turn and for a slot, by this machine's clock. */
	readonly deadline: number;
	/**
	 * Called in the turn when a slot is free. Must return 'skip' if the key is old and the list shows a brief for the
	 * order.
	 */
	beforeSend(): Promise<'send' | 'skip'>;
	/** Called just before each request. From here on, the brief might exist. */
	recordRequest(sent: SentTimes): Promise<void>;
	/** Called when both slots are in use after all, so that nothing was created. The order waits for a slot again. */
	recordSlotRefusal(): Promise<void>;
	/** Returns the content ID of the order that has the brief, or null. */
	findOwnerContentId(briefId: string): string | null;
}

export class BriefCreation {
	private firstSentAt: number | null;
	private unansweredAt: number | null;

	constructor(
		private readonly request: CreateRequest,
		private readonly options: CreateOptions,
		private readonly gate: SlotGate,
		private readonly context: RequestContext,
	) {
		this.firstSentAt = request.firstSentAt;
		this.unansweredAt = request.unansweredAt;
	}

	async run(): Promise<CreateResult> {
		const { gate, options, context } = this;
		const result = await toResult(
			gate.runInTurn(() => this.sendInTurn(), options.deadline, context),
		);
		if ('value' in result) return result.value;
		// The list could not be read, or no slot became free.
		const { error } = result;
		return this.unansweredAt === null ? { kind: 'stopped', error } : toUnconfirmed('outage', error);
	}

	private async sendInTurn(): Promise<CreateResult> {
		const { gate, request, options, context } = this;
		for (;;) {
			await gate.waitForSlot(request.orderId, options.deadline, context);
			const safety = this.checkKey();
			if (safety === 'wait') return toUnconfirmed('key_expired', NO_ANSWER);
			if ((await options.beforeSend()) === 'skip') return { kind: 'skipped' };
			// `beforeSend` found no brief in a list that must show it by now, so no earlier request created it.
			if (safety === 'search_list') this.unansweredAt = null;
			const result = await this.sendUntilAnswered();
			if (result !== 'slots_busy') return result;
			if (this.unansweredAt !== null) continue;
			gate.recordAnswer(request.orderId, null, context);
			await options.recordSlotRefusal();
		}
	}

	private async sendUntilAnswered(): Promise<CreateResult | 'slots_busy'> {
		const { client, clock, signal, createLimits } = this.context;
		let error = NO_ANSWER;
		for (let failed = NO_FAILURES; ;) {
			// Wait out a declared rate limit first, so that the age of the key is checked just before the request.
			await client.waitForRateLimit(signal);
			if (this.checkKey() !== 'safe')
				return toUnconfirmed((await canReadList(this.context)) ? 'key_expired' : 'outage', error);
			const answer = await this.sendOnce();
			if ('value' in answer) return this.judgeAnswer(answer.value);
			error = answer.error;
			if (await this.isSlotRefusal(error)) {
				this.gate.recordRefusal(error.retryAt, clock);
				return 'slots_busy';
			}
			failed = countFailure(failed, error.kind, clock.now());
			const retryAt = decideRetry(error, failed, createLimits, clock.now());
			if (retryAt === null) return this.judgeFailure(error);
			if (await this.isOnlyThisOrderFailing(failed))
				return toUnconfirmed(error.kind === 'conflict' ? 'refused' : 'no_answer', error);
			await sleepUntil(clock, retryAt, signal);
		}
	}

	private async sendOnce(): Promise<Result<Brief>> {
		const { gate, request, options, context } = this;
		const { client, signal } = context;
		const lastSentAt = client.now();
		this.firstSentAt ??= lastSentAt;
		await options.recordRequest({ firstSentAt: this.firstSentAt, lastSentAt });
		gate.trackUnconfirmed(request.orderId, lastSentAt);
		const answer = await toResult(client.createBrief(request.input, request.key, signal));
		if ('error' in answer && getCreateErrorMeaning(answer.error).created === 'maybe')
			this.unansweredAt = lastSentAt;
		return answer;
	}

	/** The brief that comes back under the order's key is the order's, whatever its age, unless another order has it. */
	private judgeAnswer(brief: Brief): CreateResult {
		const { gate, request, options, context } = this;
		const owner = options.findOwnerContentId(brief.id);
		const isOwnedByOther = owner !== null && owner !== toContentId(request.input);
		if (isOwnedByOther && compareInput(brief, request.input) !== 'same') {
			// The service confused two keys. This order's brief might still exist.
			return toUnconfirmed('other_brief', makeOtherBriefError(brief));
		}
		gate.recordAnswer(request.orderId, brief, context);
		return { kind: 'created', brief };
	}

	private judgeFailure(error: ServiceError): CreateResult {
		const isForOrder = getCreateErrorMeaning(error).scope === 'order';
		if (this.unansweredAt !== null) return toUnconfirmed(isForOrder ? 'refused' : 'outage', error);
		this.gate.recordAnswer(this.request.orderId, null, this.context);
		return { kind: isForOrder ? 'rejected' : 'stopped', error };
	}

	/** The API does not say how a third brief is refused. If both slots are in use, this was the reason. */
	private async isSlotRefusal(error: ServiceError): Promise<boolean> {
		const { scope } = getCreateErrorMeaning(error);
		if (scope === 'slots_busy') return true;
		if (scope !== 'order' && scope !== 'permission') return false;
		return await this.gate.areSlotsBusy(this.request.orderId, this.context);
	}

	/** Several requests got no usable answer. If the list can still be read, other orders can be sent. */
	private async isOnlyThisOrderFailing({ failures: { count, since } }: Failures): Promise<boolean> {
		const { requests, ms } = NO_ANSWER_LIMIT;
		const elapsed = this.context.clock.now() - since;
		return count >= requests && elapsed >= ms && (await canReadList(this.context));
	}

	private checkKey(): KeySafety {
		const { firstSentAt, unansweredAt } = this;
		if (firstSentAt === null || unansweredAt === null) return 'safe';
		const sent = { firstSentAt, lastSentAt: unansweredAt };
		return getKeySafety(sent, this.context.client.now());
	}
}

const NO_ANSWER = new ServiceError({ kind: 'unconfirmed', operation: 'create_brief' });

function toUnconfirmed(cause: UnconfirmedCause, error: ServiceError): UnconfirmedResult {
	return { kind: 'unconfirmed', cause, error };
}

/** Sends a single GET, without retries. */
async function canReadList({ client, signal }: RequestContext): Promise<boolean> {
	return 'value' in (await toResult(client.listBriefs({ limit: 1 }, signal)));
}

/** Whether a key can be sent without paying twice. */
type KeySafety =
	/** No request can have created a brief, or the service remembers the key and returns that brief. */
	| 'safe'
	/** The service might have forgotten the key. The key can be sent if the list shows no brief for the order. */
	| 'search_list'
	/** The service might have forgotten the key, and the list might not show the brief yet. Nothing can be sent. */
	| 'wait';

/** Returns whether a key can be sent again after a request without an answer. */
export function getKeySafety(sent: SentTimes, now: number): KeySafety {
	if (isKeyRemembered(sent.firstSentAt, now)) return 'safe';
	return now - sent.lastSentAt > LIST_LAG_MS ? 'search_list' : 'wait';
}

/** True if the service is sure to remember a key that was first sent at this time. */
export function isKeyRemembered(firstSentAt: number, now: number): boolean {
	const age = now - firstSentAt;
	// A negative age means that a clock was wrong when the order was sent, or is wrong now.
	return age > -LIST_LAG_MS && age < KEY_RESEND_WINDOW_MS;
}
