import { ServiceError, type ErrorKind } from '../../../service/api/errors';
import type { OperationId } from '../../../service/api/operations';
import type { NamedBrief } from '../../../service/api/resources';
import type { InputField } from '../../../service/input/input';

/** An error of the service as the journal keeps it: enough to explain it later. */
export interface ServiceAnswer {
	kind: ErrorKind;
	operation: OperationId;
	/** Null if there was no answer. */
	status: number | null;
	code?: string;
	message?: string;
	details?: string[];
	request_id?: string | undefined;
	retry_after_ms?: number;
	/** Set if something else answered in the service's place. */
	page?: 'first' | 'later';
	/** The variable that names the proxy through which its answer came. */
	proxy?: string;
	/** The brief that came instead of the order's own. */
	brief?: NamedBrief;
	/** This or an earlier try of the same create had no answer. */
	in_doubt?: true;
}

export function answerOf(error: ServiceError): ServiceAnswer {
	const { kind, operation, status, code, message, details, requestId, retryAfter } = error;
	const { page, proxy, brief } = error;
	return {
		kind,
		operation,
		status,
		...(code !== '' && { code }),
		...(message !== '' && { message }),
		...(details.length > 0 && { details }),
		...(requestId !== '' && { request_id: requestId }),
		...(typeof retryAfter === 'number' && { retry_after_ms: retryAfter }),
		...(page !== undefined && { page }),
		...(proxy !== undefined && { proxy }),
		...(brief !== undefined && { brief: { id: brief.id, product_name: brief.product_name } }),
		...(error.inDoubt === true && { in_doubt: true as const }),
	};
}

export function errorOf(answer: ServiceAnswer): ServiceError {
	const { request_id = '', retry_after_ms: retryAfter, in_doubt, ...facts } = answer;
	const more = {
		...(retryAfter !== undefined && { retryAfter }),
		...(in_doubt && { inDoubt: true }),
	};
	return new ServiceError({ ...facts, requestId: request_id, ...more });
}

/** What was sent may have made a brief, which nothing shows for certain. */
interface InDoubt {
	/** Listed briefs that may be its own. */
	ids: readonly string[];
	/** The one that a person may give it. */
	candidate?: string;
	/** The time of its first try. */
	tried: string;
}

/** Why an order is put aside. Some another run may cure, as long as the brief is young (`isForLater`); the rest needs a person. */
export type ParkCause =
	/** No answer to its order is on record. */
	| ({ reason: 'unclear' } & InDoubt)
	/** Its create was answered with another order's brief. */
	| ({ reason: 'other_brief'; answer?: ServiceAnswer } & InDoubt)
	/**
	 * Never sent: the workspace has briefs of its product, and nothing shows for certain that one of them was made from its
	 * content.
	 */
	| {
			reason: 'listed';
			ids: readonly string[];
			candidate?: string;
			/** If there is only one: when it was created, ISO 8601, and the fields that it shows otherwise. */
			created_at?: string;
			/** Null if it shows nothing of what it was made from. */
			fields?: readonly InputField[] | null;
	  }
	/** The service accepted its brief and does not know it any more. */
	| { reason: 'unknown_brief' }
	/** Its brief has not ended in time, or could not be looked at for so long. */
	| { reason: 'late'; status: string; waited_ms: number; unseen_ms: number }
	/** Its brief has ended, and has no text. */
	| { reason: 'without_text'; status: string }
	/** Under the ID of its brief the service gives another one. */
	| { reason: 'wrong_brief'; answer: ServiceAnswer };

/** Why an order failed. */
export type FailureCause =
	/** The service refused it. */
	| { reason: 'refused'; answer: ServiceAnswer }
	/** No create of it was answered, in so many runs, and the list was certain each time that it had no brief. */
	| { reason: 'unanswered'; runs: number }
	/** The service took it, and could not write its brief. */
	| { reason: 'not_written'; error_code: string | null };

/** Why a row has no finished brief. */
export type OrderCause = ParkCause | FailureCause;

export type CauseOf<Reason extends OrderCause['reason']> = Extract<OrderCause, { reason: Reason }>;

/** Gives what several orders may have failed for: the ID of a request is of one alone. */
export function commonCause(cause: OrderCause | null): OrderCause | null {
	if (cause?.reason !== 'refused') return cause;
	return { ...cause, answer: { ...cause.answer, request_id: undefined } };
}

/** Says whether it is why an order failed, and not why it is put aside. */
export function isFailure(cause: OrderCause): cause is FailureCause {
	const { reason } = cause;
	return reason === 'refused' || reason === 'unanswered' || reason === 'not_written';
}

/** Why an order is put off until a later run: its brief is waited for. */
export type LaterCause = CauseOf<'late' | 'without_text' | 'wrong_brief'>;

/** Says whether another run may cure it. */
export function isForLater(cause: OrderCause): cause is LaterCause {
	const { reason } = cause;
	return reason === 'late' || reason === 'without_text' || reason === 'wrong_brief';
}

/** The reason code of a row whose creates were never answered. */
export const NO_ANSWER = 'no_answer';

/** Gives the reason code of an order that failed; empty if it has none. */
export function errorCodeOf(cause: OrderCause | null): string {
	if (cause?.reason === 'refused') return cause.answer.code ?? cause.answer.kind;
	if (cause?.reason === 'unanswered') return NO_ANSWER;
	return cause?.reason === 'not_written' ? (cause.error_code ?? '') : '';
}

/** Gives the brief that a create was answered with, if that is not believed to be its own. */
export function answeredWith(cause: OrderCause | null): string | undefined {
	return cause?.reason === 'other_brief' ? cause.answer?.brief?.id : undefined;
}
