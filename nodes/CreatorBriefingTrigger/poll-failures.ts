import type { INode, NodeApiError } from 'n8n-workflow';
import { formatDay, nextMonthStart } from '../../core/dates';
import { describeDetails } from '../../core/api/error-messages';
import { isCredentialError, isTransient, ServiceError } from '../../core/api/errors';
import { clock } from '../shared/node-clock';
import {
	makeApiError,
	makeNodeError,
	toErrorText,
	type FailureCode,
	type NodeFailure,
} from '../shared/node-errors';

const MINUTE_MS = 60_000;
/** Failures that can pass are reported when they have lasted for this long. */
const REPORT_AFTER_MS = 15 * MINUTE_MS;
/** A longer wait is named in the error. */
const LONG_WAIT_MS = 15 * MINUTE_MS;

/** Polls that failed in a row. */
export interface PollFailures {
	/** When the first of them failed, by this machine's clock. */
	readonly since: number;
	readonly reportedCodes: readonly FailureCode[];
}

/**
 * Counts a failed poll. n8n makes a failed execution of each reported failure and starts the error workflow, 60 times an
 * hour. So each kind is reported once: at once if only the user can solve it, otherwise when it has lasted.
 * @param canPass whether the failure can pass without the user
 */
export function countFailedPoll(
	before: PollFailures | null,
	{ code, canPass }: { code: FailureCode; canPass: boolean },
): { failures: PollFailures; shouldReport: boolean } {
	const now = clock.now();
	const { since, reportedCodes } = before ?? { since: now, reportedCodes: [] };
	const isDue = !canPass || now - since >= REPORT_AFTER_MS;
	const shouldReport = isDue && !reportedCodes.includes(code);
	const failures = {
		since,
		reportedCodes: shouldReport ? [...reportedCodes, code] : reportedCodes,
	};
	return { failures, shouldReport };
}

/**
 * Returns the error of a failed poll.
 * @param now the service's clock
 */
export function makeTriggerError(node: INode, thrown: unknown, now: number): NodeFailure {
	if (!(thrown instanceof ServiceError)) return makeNodeError(node, thrown, now);
	const { message, description } = toErrorText(thrown, now);
	// The trigger polls again by itself, so the user has nothing to do about a service that is busy or down.
	const canPass = thrown.source === 'service' && isTransient(thrown.kind);
	const text = { message, description: canPass ? describeDetails(thrown) : description };
	const error = makeApiError(node, thrown, text);
	error.failure = toPollFailure(thrown, now);
	return error;
}

/**
 * Returns since when polls have been failing, and what the trigger does next.
 * @param retryAt when the service allows the next request, by this machine's clock
 * @param now the service's clock, in which the user reads all times
 */
export function describePolls({ since }: PollFailures, retryAt: number, now: number): string {
	const offset = now - clock.now();
	const next =
		retryAt - clock.now() < LONG_WAIT_MS
			? 'The trigger keeps polling, and catches up when a poll succeeds.'
			: `The trigger polls again after ${formatTime(retryAt + offset, now)}, or at once when you publish the workflow again.`;
	return `Polls have been failing since ${formatTime(since + offset, now)}. ${next}`;
}

/** Returns “07:08 UTC”, rounded up to the minute, with the day if it is not today: “1 December, 07:08 UTC”. */
function formatTime(instant: number, now: number): string {
	const minute = Math.ceil(instant / MINUTE_MS) * MINUTE_MS;
	const time = `${new Date(minute).toISOString().slice(11, 16)} UTC`;
	const day = formatDay(minute);
	return day === formatDay(now) ? time : `${day}, ${time}`;
}

/** Decides when n8n's durable schedule polls again. Older versions ignore it. */
function toPollFailure(
	{ kind, retryAt }: ServiceError,
	now: number,
): NonNullable<NodeApiError['failure']> {
	if (isCredentialError(kind)) return { cause: 'credential-invalid' };
	if (kind === 'rate_limited') {
		const wait = retryAt === null ? {} : { retryAfterMs: Math.max(0, retryAt - clock.now()) };
		return { cause: 'rate-limited', ...wait };
	}
	if (kind === 'allowance_used_up')
		return { cause: 'quota-exhausted', resetsAtEpochMs: nextMonthStart(now) };
	const isRefused = kind === 'invalid_input' || kind === 'not_found';
	return { cause: isRefused ? 'configuration-invalid' : 'temporarily-unavailable' };
}
