import type { INode, NodeApiError } from 'n8n-workflow';
import { concernsAll, type ServiceError } from '../../service/api/errors';
import { nextMonthStart } from '../../service/list/month';
import { clock } from '../shared/node-clock';
import { apiError, errorText, type FailureCode } from '../shared/node-errors';

/** Polls may fail for this long before n8n hears of it, if waiting may cure the failure. */
const REPORTED_AFTER_MS = 900_000;
/** A wait longer than this is named in the error. */
const A_WHILE_MS = 900_000;

export interface Trouble {
	/** The time at which the first of them failed, by this machine's clock. */
	since: number;
	/** The failures that n8n has heard of since then. */
	codes: readonly FailureCode[];
}

/**
 * Counts one more failed poll, and says whether n8n is to hear of it. n8n makes a failed execution and an alarm of each
 * one it hears of, so it hears of each kind once: at once if only a person can cure it, otherwise when it has lasted.
 * @param before null after a poll that succeeded
 * @param mayPass whether waiting may cure the failure
 */
export function withFailedPoll(
	before: Trouble | null,
	{ code, mayPass }: { code: FailureCode; mayPass: boolean },
	now: number,
): { trouble: Trouble; isReported: boolean } {
	const { since, codes } = before ?? { since: now, codes: [] };
	const isDue = !mayPass || now - since >= REPORTED_AFTER_MS;
	const isReported = isDue && !codes.includes(code);
	return { trouble: { since, codes: isReported ? [...codes, code] : codes }, isReported };
}

/** The reason of a failed poll, from which n8n decides when to poll again. Older versions do not read it. */
type PollFailure = NonNullable<NodeApiError['failure']>;

/** @param now the service's time */
export function pollError(node: INode, error: ServiceError, now: number): NodeApiError {
	const { message, description } = errorText(error, now);
	const wait = (error.retryAt ?? 0) - clock.now();
	const next =
		wait < A_WHILE_MS
			? 'A later poll tries again, and nothing is missed.'
			: `The trigger asks again after ${toTheMinute(now + wait)}, or at once when the workflow is published again.`;
	const nodeError = apiError(node, error, { message, description: `${description} ${next}` });
	nodeError.failure = pollFailure(error, now);
	return nodeError;
}

/** Writes a time, rounded up to the minute. */
function toTheMinute(time: number): string {
	const minute = new Date(Math.ceil(time / 60_000) * 60_000).toISOString();
	return `${minute.slice(0, 10)} ${minute.slice(11, 16)} UTC`;
}

function pollFailure({ kind, retryAt }: ServiceError, now: number): PollFailure {
	if (concernsAll(kind)) return { cause: 'credential-invalid' };
	if (kind === 'rate_limited') {
		const wait = retryAt === null ? {} : { retryAfterMs: Math.max(0, retryAt - clock.now()) };
		return { cause: 'rate-limited', ...wait };
	}
	if (kind === 'allowance_used_up') {
		return { cause: 'quota-exhausted', resetsAtEpochMs: nextMonthStart(now) };
	}
	const isRefused = kind === 'invalid_input' || kind === 'not_found';
	return { cause: isRefused ? 'configuration-invalid' : 'temporarily-unavailable' };
}
