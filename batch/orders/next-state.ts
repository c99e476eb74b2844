import { describeAnswer, describeServiceError } from '../../core/api/error-messages';
import { readDetails } from '../../core/api/error-details';
import type { ServiceError } from '../../core/api/errors';
import { toSummary, type Brief, type BriefSummary } from '../../core/api/types';
import { REVIEW_BRIEF_AFTER_MS } from '../../core/assumptions';
import type { BriefSource, SentTimes } from '../../core/orders/order';
import type { UnconfirmedCause } from '../../core/orders/send-order';
import type { WaitResult } from '../../core/workspace/brief-poller';
import { isOlderThan } from '../../core/workspace/brief-time';
import {
	toAcceptedState,
	type AcceptedState,
	type OrderState,
	type RejectedState,
	type UnconfirmedReview,
	type UnconfirmedState,
} from './order';

/**
 * The transitions of an order that a run sends, waits for and saves. Pure: the caller writes the next state to the journal.
 *
 *     state           event                       next state
 *     none, dropped   sent                        unconfirmed, before the request
 *     none, dropped   found                       accepted: the brief is reused
 *     unconfirmed     found                       accepted
 *     unconfirmed     rejected                    rejected
 *     unconfirmed     nothing_created             dropped
 *     unconfirmed     unanswered                  unconfirmed, with the answer and perhaps a review
 *     accepted        finished                    ready or failed
 *     accepted        late, incomplete            accepted, with a review after a day
 *     accepted        not_found                   accepted, with a review
 *
 * An event that does not fit the state changes nothing.
 */
export type OrderEvent =
	| { readonly kind: 'sent'; readonly times: SentTimes }
	| { readonly kind: 'nothing_created' }
	| { readonly kind: 'found'; readonly brief: BriefSummary; readonly source: BriefSource }
	| { readonly kind: 'rejected'; readonly error: ServiceError }
	| UnansweredEvent
	/** @param file base name of the saved files; null for a brief that failed */
	| { readonly kind: 'finished'; readonly brief: Brief; readonly file: string | null }
	| Exclude<WaitResult, { kind: 'finished' }>;

interface UnansweredEvent {
	readonly kind: 'unanswered';
	/** Null if the list might not show the brief yet. */
	readonly cause: UnconfirmedCause | null;
	/** True if this run counts towards `runsWithoutAnswer`. */
	readonly countsAsRun: boolean;
}

/** The journal keeps this many warnings of a brief. */
const MAX_WARNINGS = 20;

/** After this many runs without an answer the user decides: the order itself might be the cause. */
const MAX_RUNS_WITHOUT_ANSWER = 3;

/**
 * @param state null if the order has not begun
 * @param now the service's clock
 */
export function nextState(
	state: OrderState | null,
	event: OrderEvent,
	now: number,
): OrderState | null {
	switch (state?.kind) {
		case undefined:
		case 'dropped':
			return beginOrder(event) ?? state;
		case 'unconfirmed':
			return nextAfterRequest(state, event, now);
		case 'accepted':
			return nextAfterWait(state, event, now);
		default:
			return state;
	}
}

function beginOrder(event: OrderEvent): OrderState | null {
	if (event.kind === 'found') return toAcceptedState(toSummary(event.brief), event.source);
	if (event.kind !== 'sent') return null;
	return { kind: 'unconfirmed', ...event.times, runsWithoutAnswer: 0, error: '', review: null };
}

function nextAfterRequest(state: UnconfirmedState, event: OrderEvent, now: number): OrderState {
	switch (event.kind) {
		case 'sent':
			return { ...state, ...event.times };
		case 'found':
			return toAcceptedState(toSummary(event.brief), event.source);
		case 'rejected':
			return reject(event.error, now);
		case 'nothing_created':
			return { kind: 'dropped' };
		case 'unanswered':
			return nextWithoutAnswer(state, event);
		default:
			return state;
	}
}

function reject(error: ServiceError, now: number): RejectedState {
	const { message: answer, nextSteps } = describeServiceError(error, now);
	const isAboutRow = error.kind === 'invalid_input';
	// The report has the command for rows that have to be corrected.
	const steps = isAboutRow ? [] : nextSteps.map(({ text }) => text);
	return { kind: 'rejected', message: [answer, ...steps].join(' '), isAboutRow };
}

function nextWithoutAnswer(
	state: UnconfirmedState,
	{ cause, countsAsRun }: UnansweredEvent,
): UnconfirmedState {
	const runsWithoutAnswer = state.runsWithoutAnswer + (countsAsRun ? 1 : 0);
	const error = cause !== null && 'error' in cause ? describeAnswer(cause.error) : state.error;
	const review = findUnconfirmedReview(cause, runsWithoutAnswer) ?? state.review;
	return { ...state, error, runsWithoutAnswer, review };
}

function findUnconfirmedReview(
	cause: UnconfirmedCause | null,
	runsWithoutAnswer: number,
): UnconfirmedReview | null {
	if (cause?.kind === 'refused') return { code: 'refused' };
	if (cause?.kind === 'other_brief') return { code: 'other_brief', briefId: cause.brief.id };
	return runsWithoutAnswer >= MAX_RUNS_WITHOUT_ANSWER ? { code: 'no_answer' } : null;
}

function nextAfterWait(state: AcceptedState, event: OrderEvent, now: number): OrderState {
	const { source } = state;
	switch (event.kind) {
		case 'finished': {
			const brief = toSummary(event.brief);
			const { file } = event;
			const warnings = readDetails(event.brief.warnings).slice(0, MAX_WARNINGS);
			if (file !== null) return { kind: 'ready', brief, source, file, warnings };
			return { kind: 'failed', brief, source, errorCode: event.brief.error_code ?? '' };
		}
		case 'not_found':
			return { ...state, review: 'not_found' };
		// The brief is paid for, so it is never ordered again automatically. Later runs wait for it.
		case 'late':
		case 'incomplete': {
			const { brief } = state;
			const status = event.kind === 'late' ? event.status : brief.status;
			const isOverdue = isOlderThan(brief, REVIEW_BRIEF_AFTER_MS, now);
			return { ...state, brief: { ...brief, status }, review: isOverdue ? 'late' : null };
		}
		default:
			return state;
	}
}
