import { MAX_RATE_LIMIT_WAIT_MS } from './retry';
import { readDetails } from './error-details';
import { ServiceError, type ErrorKind } from './errors';
import { readServiceError, readPageTitle } from './page';
import { shorten } from '../input/text';
import { readRetryAt } from './rate-limit-headers';
import type { ServiceRequest } from './operations';
import { ConnectionGone, type SendFailure, type WireResponse } from './ports';

const MAX_MESSAGE_LENGTH = 500;

export interface AddressFacts {
	/** Something there has answered in the service's form, in this process. */
	hasAnswered: boolean;
	/** The service was there before, in this process or an earlier one. */
	isKnown: boolean;
}

const ANSWERED: AddressFacts = { hasAnswered: true, isKnown: true };

/** Turns an answer that is not a success into the error it means. `now` is this machine's clock in milliseconds. */
export function errorFrom(
	request: ServiceRequest,
	response: WireResponse,
	now: number,
	address: AddressFacts = ANSWERED,
): ServiceError {
	const error = readServiceError(response.body);
	if (error === null) return errorFromPage(request, response, now, address);
	const [code, message] = [text(error.code), text(error.message)];
	const details = readDetails(error.details);
	const { retryAt, retryAfter } = waitOf(response, now);
	const answer = { status: response.status, code, text: [message, ...details].join(' ') };
	return new ServiceError({
		kind: kindOf(request, answer, retryAfter),
		operation: request.operation,
		status: response.status,
		code,
		message: shorten(message, MAX_MESSAGE_LENGTH),
		details,
		requestId: text(error.request_id) || response.headers['x-request-id'] || '',
		retryAt,
		retryAfter,
	});
}

/**
 * Makes the error of an answer that is not the service's word: something between answered, so that it says nothing
 * about an order, a key or the month, and a create may have arrived.
 */
export function errorFromPage(
	request: ServiceRequest,
	response: WireResponse,
	now: number,
	address: AddressFacts = ANSWERED,
): ServiceError {
	const { status, headers, proxy } = response;
	const { retryAt, retryAfter } = waitOf(response, now);
	// A proxy that names a day means its own quota.
	const isTooLong = (retryAfter ?? 0) > MAX_RATE_LIMIT_WAIT_MS;
	return new ServiceError({
		kind: kindOfPage(request, status),
		operation: request.operation,
		status,
		message: shorten(readPageTitle(response), MAX_MESSAGE_LENGTH),
		requestId: headers['x-request-id'] ?? '',
		retryAt: isTooLong ? null : retryAt,
		retryAfter: isTooLong ? null : retryAfter,
		page: address.hasAnswered ? 'later' : 'first',
		...(proxy !== undefined && { proxy }),
	});
}

function kindOfPage(request: ServiceRequest, status: number): ErrorKind {
	if (status === 429) return 'rate_limited';
	if (status < 400) return whenUnanswered(request, 'unreadable_answer');
	return whenUnanswered(request, 'service_unavailable');
}

function waitOf({ headers }: WireResponse, now: number) {
	const retryAt = readRetryAt(headers, now);
	return { retryAt, retryAfter: retryAt === null ? null : retryAt - now };
}

/** Turns a request without a complete answer into the error it means. */
export function errorFromFailure(request: ServiceRequest, failure: SendFailure): ServiceError {
	return new ServiceError({
		kind: kindOfFailure(request, failure),
		operation: request.operation,
		code: failure.code,
		message: failure.message,
	});
}

function kindOfFailure(request: ServiceRequest, failure: SendFailure): ErrorKind {
	if (failure instanceof ConnectionGone) return 'key_refused';
	return failure.mayHaveArrived
		? whenUnanswered(request, 'service_unavailable')
		: 'service_unavailable';
}

/** Makes the error of a success that cannot be read. */
export function unreadableAnswer(
	request: ServiceRequest,
	response: WireResponse,
	why: string,
): ServiceError {
	return new ServiceError({
		kind: whenUnanswered(request, 'unreadable_answer'),
		operation: request.operation,
		status: response.status,
		message: why,
		requestId: response.headers['x-request-id'] ?? '',
	});
}

/** Only a create changes anything, so only there it matters whether the service did the work before it failed. */
function whenUnanswered(request: ServiceRequest, otherwise: ErrorKind): ErrorKind {
	return request.operation === 'create_brief' ? 'unconfirmed' : otherwise;
}

interface ErrorAnswer {
	status: number;
	code: string;
	text: string;
}

/** Says what an answer means, from its HTTP status on. The first match wins. */
function kindOf(
	request: ServiceRequest,
	answer: ErrorAnswer,
	retryAfter: number | null,
): ErrorKind {
	const { status } = answer;
	// Redirects are not followed with a key in hand (P8), and 408 does not say whether the work began.
	if (status < 400 || status === 408) return whenUnanswered(request, 'unreadable_answer');
	// docs/service.md leaves open how a third brief is refused, so its codes count under any status.
	const isCreate = request.operation === 'create_brief';
	// A conflict about the key may say that its first request "is still running", which is not about slots.
	const isAboutKey = KEY_TEXT.test(`${answer.code} ${answer.text}`);
	const isAboutSlots = isCreate && !isAboutKey && status !== 401;
	if (isAboutSlots && SLOT_CODE.test(answer.code)) return 'slots_busy';
	if (status >= 500) return whenUnanswered(request, 'service_unavailable');
	if (status === 401) return 'key_refused';
	if (status === 429) return kindOf429(request, answer, retryAfter);
	if (status === 402) return 'allowance_used_up';
	if (isCreate && status === 403 && ALLOWANCE_CODE.test(answer.code)) return 'allowance_used_up';
	if (isAboutSlots && SLOT_STATUSES.has(status) && SLOT_TEXT.test(answer.text)) return 'slots_busy';
	if (status === 403) return kindOf403(answer);
	if (status === 404 || status === 410) return 'not_found';
	if (isAboutKey && isKeyTaken(answer)) return 'key_taken';
	if (status === 409 || (status === 422 && isAboutKey)) return 'conflict';
	return 'invalid_input';
}

/** Checks whether a key was used with another body. An earlier try that is still at work is not meant. */
function isKeyTaken({ status, code, text }: ErrorAnswer): boolean {
	const words = `${code} ${text}`;
	if (AT_WORK_TEXT.test(words)) return false;
	return status === 422 || (status === 409 && OTHER_BODY_TEXT.test(words));
}

/** Statuses other than 429 under which words about slots count. A 400 may quote such words from the input. */
const SLOT_STATUSES = new Set([403, 409, 423]);
const SLOT_CODE =
	/concurren|slot|parallel|already_running|too_many_(running|briefs)|briefs_running/i;
const SLOT_TEXT =
	/concurren|\bslots?\b|in parallel|at (a|the same) time|(are|already) running|still running/i;
const KEY_TEXT = /idempot|\b(same|this|that) key\b/i;
const AT_WORK_TEXT = /in.progress|processing|pending|still|running|concurren/i;
const OTHER_BODY_TEXT =
	/mismatch|reused|(different|another|other|same) (request )?(body|payload|content|parameters|input|values)/i;
const ALLOWANCE_CODE = /allowance|quota|monthly|insufficient_credit|usage_limit/i;
const ALLOWANCE_TEXT = /allowance|quota|this month|monthly|per month/i;
const RATE_TEXT = /rate.?limit|too many requests|slow down|throttl|per (second|minute|hour)/i;

/**
 * 429 means three things (docs/api.md 7 and 8): the clearest evidence decides, and rate is the mildest guess.
 */
function kindOf429(
	{ operation }: ServiceRequest,
	{ code, text }: ErrorAnswer,
	retryAfter: number | null,
): ErrorKind {
	const isCreate = operation === 'create_brief';
	// Reading briefs and licences takes no slot and uses no allowance, whatever the limit is called.
	if (!isCreate && operation !== 'list_hooks') return 'rate_limited';
	if (ALLOWANCE_CODE.test(code)) return 'allowance_used_up';
	// A text that names two of the three ("rate limit or allowance reached", docs/api.md 7) decides nothing.
	const kinds = [
		...(isCreate && SLOT_TEXT.test(text) ? ['slots_busy' as const] : []),
		...(ALLOWANCE_TEXT.test(text) ? ['allowance_used_up' as const] : []),
		...(RATE_TEXT.test(text) ? ['rate_limited' as const] : []),
	];
	const [only, ...others] = kinds;
	if (only !== undefined && others.length === 0) return only;
	const isFarOff = (retryAfter ?? 0) > MAX_RATE_LIMIT_WAIT_MS;
	return isFarOff ? 'allowance_used_up' : 'rate_limited';
}

function kindOf403({ code, text }: ErrorAnswer): ErrorKind {
	if (/scope|permission/i.test(code)) return 'scope_missing';
	if (/licen[cs]e|plan|subscription/i.test(code)) return 'licence_missing';
	return /licen[cs]e|business plan/i.test(text) ? 'licence_missing' : 'scope_missing';
}

function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
