import { describeAnswer, describeServiceError } from '../../core/api/error-messages';
import { toSummary, type Brief } from '../../core/api/types';
import { REVIEW_BRIEF_AFTER_MS } from '../../core/assumptions';
import type { CreateResult, SentTimes } from '../../core/orders/create-brief';
import type { WaitResult } from '../../core/workspace/brief-poller';
import { getCreationTime } from '../../core/workspace/brief-time';
import {
	beginSending,
	toOwnBriefState,
	type AcceptedState,
	type OrderState,
	type UnconfirmedReview,
	type UnconfirmedState,
} from './order';

/**
 * The transitions of an order that a run sends, waits for and saves. Pure: the caller writes the next state to the journal.
 *
 *     state           event                       next state
 *     none, dropped   sent                        unconfirmed, before the request
 *     unconfirmed     created                     accepted
 *     unconfirmed     rejected                    failed
 *     unconfirmed     slots_busy, stopped         dropped: nothing was created
 *     unconfirmed     unconfirmed                 unconfirmed, with the answer and perhaps a review
 *     accepted        finished                    ready or failed
 *     accepted        late, incomplete            accepted, with a review after a day
 *     accepted        not_found                   accepted, with a review
 *
 * An event that does not fit the state changes nothing: while a request was on its way, the brief list can have settled the
 * order.
 */
export type OrderEvent =
	| { readonly kind: 'sent'; readonly times: SentTimes }
	/** Both slots were in use, and no request might have created a brief. */
	| { readonly kind: 'slots_busy' }
	| Exclude<CreateResult, { kind: 'skipped' | 'unconfirmed' }>
	| NoAnswerEvent
	/** @param file base name of the saved files; null for a brief that failed */
	| { readonly kind: 'finished'; readonly brief: Brief; readonly file: string | null }
	| Exclude<WaitResult, { kind: 'finished' }>;

type NoAnswerEvent = Extract<CreateResult, { kind: 'unconfirmed' }> & {
	/** True if this run counts towards `runsWithoutAnswer`. */
	readonly countsAsRun: boolean;
};

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
			return event.kind === 'sent' ? beginSending(event.times) : state;
		case 'unconfirmed':
			return nextAfterRequest(state, event, now);
		case 'accepted':
			return nextAfterWait(state, event, now);
		default:
			return state;
	}
}

function nextAfterRequest(state: UnconfirmedState, event: OrderEvent, now: number): OrderState {
	switch (event.kind) {
		case 'sent':
			return { ...state, ...event.times };
		case 'created':
			return toOwnBriefState(event.brief, state);
		case 'rejected': {
			const { message: answer, nextSteps } = describeServiceError(event.error, now);
			const isAboutRow = event.error.kind === 'invalid_input';
			// The overview has the command for rows that have to be corrected.
			const steps = isAboutRow ? [] : nextSteps.map(({ text }) => text);
			const message = [answer, ...steps].join(' ');
			const reason = { code: 'rejected', message, isAboutRow } as const;
			return { kind: 'failed', brief: null, isPaid: false, reason };
		}
		case 'slots_busy':
		case 'stopped':
			return { kind: 'dropped' };
		case 'unconfirmed':
			return nextWithoutAnswer(state, event);
		default:
			return state;
	}
}

function nextWithoutAnswer(
	state: UnconfirmedState,
	{ cause, error, countsAsRun }: NoAnswerEvent,
): UnconfirmedState {
	const runsWithoutAnswer = state.runsWithoutAnswer + (countsAsRun ? 1 : 0);
	const review = ((): UnconfirmedReview | null => {
		if (cause === 'refused') return { code: 'refused' };
		if (cause === 'other_brief') return { code: 'other_brief', briefId: error.brief?.id ?? '' };
		const isUserNeeded = runsWithoutAnswer >= MAX_RUNS_WITHOUT_ANSWER;
		return isUserNeeded ? { code: 'no_answer' } : state.review;
	})();
	return { ...state, error: describeAnswer(error), runsWithoutAnswer, review };
}

function nextAfterWait(state: AcceptedState, event: OrderEvent, now: number): OrderState {
	const { isPaid } = state;
	switch (event.kind) {
		case 'finished': {
			const brief = toSummary(event.brief);
			if (event.file !== null) return { kind: 'ready', brief, isPaid, file: event.file };
			const errorCode = event.brief.error_code ?? '';
			return { kind: 'failed', brief, isPaid, reason: { code: 'generation_failed', errorCode } };
		}
		case 'not_found':
			return { ...state, review: 'not_found' };
		// The brief is paid for, so it is never ordered again automatically. Later runs wait for it.
		case 'late':
		case 'incomplete': {
			const { brief } = state;
			const status = event.kind === 'late' ? event.status : brief.status;
			const isOverdue = now - getCreationTime(brief) > REVIEW_BRIEF_AFTER_MS;
			return { ...state, brief: { ...brief, status }, review: isOverdue ? 'late' : null };
		}
		default:
			return state;
	}
}
