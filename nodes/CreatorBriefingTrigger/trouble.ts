import type { INode, NodeApiError } from 'n8n-workflow';
import { concernsAll, type ServiceError } from '../../service/errors';
import { nextMonthStart } from '../../service/month';
import { clock } from '../shared/clock';
import { apiError, textOf, type FailureCode } from '../shared/errors';

/** So long polls may fail before somebody is told, where waiting may cure it. */
const TOLD_AFTER_MS = 900_000;
/** A wait that is longer than this is named. */
const A_WHILE_MS = 900_000;

/** Polls in a row that failed. */
export interface Trouble {
	/** When the first of them failed, by this machine's clock. */
	since: number;
	/** What was told as a failure since then. */
	told: readonly FailureCode[];
}

/**
 * Counts one more poll that failed, and says whether it is to be told. n8n makes each failure that it is told a failed
 * execution and an alarm, so each kind is told once: at once where only a person can cure it, else when it has lasted.
 * @param before null after a poll that went well
 * @param mayPass whether waiting may cure it
 */
export function withFailedPoll(
	before: Trouble | null,
	{ code, mayPass }: { code: FailureCode; mayPass: boolean },
	now: number,
): { trouble: Trouble; isTold: boolean } {
	const { since, told } = before ?? { since: now, told: [] };
	const isDue = !mayPass || now - since >= TOLD_AFTER_MS;
	const isTold = isDue && !told.includes(code);
	return { trouble: { since, told: isTold ? [...told, code] : told }, isTold };
}

/**
 * Why a poll failed, in the form from which n8n decides when to poll again. Older versions do not read it.
 */
type PollFailure = NonNullable<NodeApiError['failure']>;

/** @param now the service's time */
export function pollError(node: INode, error: ServiceError, now: number): NodeApiError {
	const { message, description } = textOf(error, now);
	const wait = (error.retryAt ?? 0) - clock.now();
	const next =
		wait < A_WHILE_MS
			? 'A later poll tries again, and nothing is missed.'
			: `The trigger asks again after ${inWords(now + wait)}, or at once when the workflow is published again.`;
	const shown = apiError(node, error, { message, description: `${description} ${next}` });
	shown.failure = pollFailure(error, now);
	return shown;
}

/** To the minute, rounded up. */
function inWords(time: number): string {
	const minute = new Date(Math.ceil(time / 60_000) * 60_000).toISOString();
	return `${minute.slice(0, 10)} ${minute.slice(11, 16)} UTC`;
}

function pollFailure({ kind, retryAt }: ServiceError, now: number): PollFailure {
	if (concernsAll(kind)) return { cause: 'credential-invalid' };
	switch (kind) {
		case 'rate_limited':
		case 'slots_busy':
			return {
				cause: 'rate-limited',
				...(retryAt === null ? {} : { retryAfterMs: Math.max(0, retryAt - clock.now()) }),
			};
		case 'allowance_used_up':
			return { cause: 'quota-exhausted', resetsAtEpochMs: nextMonthStart(now) };
		case 'service_unavailable':
		case 'unreadable_answer':
		case 'list_unreadable':
		case 'in_doubt':
			return { cause: 'temporarily-unavailable' };
		case 'invalid_input':
		case 'not_found':
		case 'conflict':
		case 'other_brief':
			return { cause: 'configuration-invalid' };
	}
}
