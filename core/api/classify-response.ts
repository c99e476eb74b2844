import { shorten } from '../input/text';
import { readDetails } from './error-details';
import { ServiceError, type ErrorKind } from './errors';
import type { ServiceRequest } from './operations';
import { ConnectionGone, type SendFailure, type WireResponse } from './ports';
import { readRetryAt } from './rate-limit-headers';
import { readPageTitle, readServiceError } from './responses';
import { MAX_RATE_LIMIT_WAIT_MS } from './retry';

/**
 * Turns the answer to a request that failed into a `ServiceError`. Only an error in the form of docs/api.md 7 is the
 * service's word. Anything else comes from something between us and the service, and says nothing about the order, the
 * key or the month:
 *
 *     429 {"error":{"code":"rate_limited","message":"Monthly brief limit reached"}}   allowance_used_up
 *     429 <title>Too many requests</title>                                            rate_limited
 *     401 <title>Sign in</title>                     service_unavailable; unconfirmed for a create request
 */

const MAX_MESSAGE_LENGTH = 500;

/** @param now this machine's clock */
export function toServiceError(
	request: ServiceRequest,
	response: WireResponse,
	now: number,
): ServiceError {
	const error = readServiceError(response.body);
	if (error === null) return toPageError(request, response, now);
	const [code, message] = [toText(error.code), toText(error.message)];
	const details = readDetails(error.details);
	const wait = readWait(response, now);
	const answer = { status: response.status, code, text: [message, ...details].join(' ') };
	return new ServiceError({
		...wait,
		kind: classify(request, answer, wait.retryAfterMs),
		operation: request.operation,
		source: 'service',
		status: response.status,
		code,
		message: shorten(message, MAX_MESSAGE_LENGTH),
		details,
		requestId: toText(error.request_id) || readRequestId(response),
	});
}

function toPageError(request: ServiceRequest, response: WireResponse, now: number): ServiceError {
	const { status, proxy = null } = response;
	const wait = readWait(response, now);
	// A proxy that names a day means a quota of its own.
	const isTooLong = (wait.retryAfterMs ?? 0) > MAX_RATE_LIMIT_WAIT_MS;
	return new ServiceError({
		...(isTooLong ? {} : wait),
		kind: classifyPage(request, status),
		operation: request.operation,
		source: 'page',
		status,
		message: shorten(readPageTitle(response), MAX_MESSAGE_LENGTH),
		requestId: readRequestId(response),
		proxy,
	});
}

function classifyPage(request: ServiceRequest, status: number): ErrorKind {
	if (status === 429) return 'rate_limited';
	return toUnanswered(request, status < 400 ? 'unreadable_answer' : 'service_unavailable');
}

/** Turns a success that cannot be read into an error. */
export function toUnreadableError(
	request: ServiceRequest,
	response: WireResponse,
	reason: string,
): ServiceError {
	return new ServiceError({
		kind: toUnanswered(request, 'unreadable_answer'),
		operation: request.operation,
		status: response.status,
		message: reason,
		requestId: readRequestId(response),
	});
}

/** Turns a request without a complete answer into an error. */
export function toFailureError(request: ServiceRequest, failure: SendFailure): ServiceError {
	const { code, message, proxy } = failure;
	const kind = classifyFailure(request, failure);
	return new ServiceError({ kind, operation: request.operation, code, message, proxy });
}

function classifyFailure(request: ServiceRequest, failure: SendFailure): ErrorKind {
	// A retry would use the changed credential, too, so it would fail until the deadline.
	if (failure instanceof ConnectionGone) return 'credential_changed';
	const unavailable = 'service_unavailable';
	return failure.mayHaveArrived ? toUnanswered(request, unavailable) : unavailable;
}

/** A create request without a usable answer might have created a brief. Other requests change nothing. */
function toUnanswered({ operation }: ServiceRequest, otherwise: ErrorKind): ErrorKind {
	return operation === 'create_brief' ? 'unconfirmed' : otherwise;
}

interface ErrorAnswer {
	readonly status: number;
	readonly code: string;
	/** Message and details. */
	readonly text: string;
}

const KEY_TEXT = /idempot|\b(same|this|that) key\b/i;
const SLOT_CODE =
	/concurren|slot|parallel|already_running|too_many_(running|briefs)|briefs_running/i;
const SLOT_TEXT =
	/concurren|\bslots?\b|in parallel|at (a|the same) time|(are|already) running|still running/i;
/** Statuses whose text can be about slots. A 400 can quote the input. */
const SLOT_STATUSES: ReadonlySet<number> = new Set([403, 409, 423]);

/** Returns what an error in the form of docs/api.md 7 means. */
function classify(
	request: ServiceRequest,
	answer: ErrorAnswer,
	retryAfterMs: number | null,
): ErrorKind {
	const { status, code, text } = answer;
	// Redirects are not followed with a key (P8), and after a 408 the service might have done the work.
	if (status < 400 || status === 408) return toUnanswered(request, 'unreadable_answer');
	if (status >= 500) return toUnanswered(request, 'service_unavailable');
	if (status === 401) return 'key_refused';
	if (status === 402) return 'licence_missing';
	if (status === 404) return 'not_found';
	// "The request with this key is still running" is not about slots.
	const isAboutIdempotencyKey = KEY_TEXT.test(`${code} ${text}`);
	if (isAboutIdempotencyKey && status === 422) return 'conflict';
	const isCreate = request.operation === 'create_brief';
	if (isCreate && !isAboutIdempotencyKey) {
		// docs/api.md 8 does not say how a third brief is refused.
		const isSlotText = SLOT_STATUSES.has(status) && SLOT_TEXT.test(text);
		if (SLOT_CODE.test(code) || isSlotText) return 'slots_busy';
	}
	if (status === 429) return classify429(request, answer, retryAfterMs);
	if (status === 403) return classify403(answer);
	return status === 409 ? 'conflict' : 'invalid_input';
}

const ALLOWANCE_CODE = /allowance|quota|monthly|insufficient_credit|usage_limit/i;
const ALLOWANCE_TEXT = /allowance|quota|this month|monthly|per month/i;
const RATE_TEXT = /rate.?limit|too many requests|slow down|throttl|per (second|minute|hour)/i;

/** A 429 is about the rate, the allowance or the slots (docs/api.md 7 and 8). */
function classify429(
	{ operation }: ServiceRequest,
	{ code, text }: ErrorAnswer,
	retryAfterMs: number | null,
): ErrorKind {
	const isCreate = operation === 'create_brief';
	// Reading briefs and licences uses neither slots nor allowance.
	if (!isCreate && operation !== 'list_hooks') return 'rate_limited';
	const isLongWait = (retryAfterMs ?? 0) > MAX_RATE_LIMIT_WAIT_MS;
	if (ALLOWANCE_CODE.test(code) || isLongWait) return 'allowance_used_up';
	// A text that names two of them, such as "rate limit or allowance reached" (docs/api.md 7), decides nothing.
	const named: ErrorKind[] = [];
	if (isCreate && SLOT_TEXT.test(text)) named.push('slots_busy');
	if (ALLOWANCE_TEXT.test(text)) named.push('allowance_used_up');
	if (RATE_TEXT.test(text)) named.push('rate_limited');
	const [kind = 'rate_limited'] = named;
	return named.length === 1 ? kind : 'rate_limited';
}

function classify403({ code, text }: ErrorAnswer): ErrorKind {
	if (/scope|permission/i.test(code)) return 'scope_missing';
	return /licen[cs]e|business plan/i.test(`${code} ${text}`) ? 'licence_missing' : 'scope_missing';
}

function readWait(response: WireResponse, now: number) {
	const retryAt = readRetryAt(response, now);
	return { retryAt, retryAfterMs: retryAt === null ? null : retryAt - now };
}

function readRequestId({ headers }: WireResponse): string {
	return headers['x-request-id'] ?? '';
}

function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
