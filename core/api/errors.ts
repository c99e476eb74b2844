import type { OperationId } from './operations';

/** What went wrong with a request, in the cases that are handled differently. */
export type ErrorKind =
	/** 400, and every other 4xx without a meaning of its own. */
	| 'invalid_input'
	/** 401. */
	| 'key_refused'
	/** Not sent: the credential has changed since the first request (see `ConnectionGone`). */
	| 'credential_changed'
	/** 403: the key lacks the operation's scope. */
	| 'scope_missing'
	/** 402 or 403: the workspace lacks a Business licence, or has not paid for it. */
	| 'licence_missing'
	/** 404. */
	| 'not_found'
	/** 429: too many requests. */
	| 'rate_limited'
	/** A third brief was refused. */
	| 'slots_busy'
	/** 429: the month's allowance is used up. */
	| 'allowance_used_up'
	/** The idempotency key is in use, perhaps by an earlier request that the service is still processing. */
	| 'conflict'
	/** 5xx, no connection, or an answer from something between us and the service. Nothing was created. */
	| 'service_unavailable'
	/** An answer that docs/api.md does not show. */
	| 'unreadable_answer'
	/** Paging repeats itself, so the brief list cannot be read to its end. */
	| 'list_unreadable'
	/** A create request got no usable answer, so the brief might have been created. Retry only with the same key. */
	| 'unconfirmed';

/** Where the text of an error comes from. */
type ErrorSource =
	/** The service, in the form of docs/api.md 7. */
	| 'service'
	/** Something between us and the service answered. The message is the title of its page. */
	| 'page'
	/** This program: no answer, or an answer that it could not read. The message says why. */
	| 'client';

interface ErrorFacts {
	readonly kind: ErrorKind;
	readonly operation: OperationId;
	readonly source?: ErrorSource;
	readonly message?: string;
	/** The HTTP status; null without an answer. */
	readonly status?: number | null;
	/** The service's code, or Node.js's code if no request was sent. */
	readonly code?: string;
	readonly details?: readonly string[];
	readonly requestId?: string;
	/** The environment variable of the proxy that the request went through. */
	readonly proxy?: string | null;
	/** The earliest time for a retry, by this machine's clock; null if the answer names none. */
	readonly retryAt?: number | null;
	/** The time from the answer until `retryAt`, in milliseconds. */
	readonly retryAfterMs?: number | null;
}

/** A request that failed. Texts are empty if they are unknown. */
export class ServiceError extends Error implements Required<ErrorFacts> {
	readonly kind: ErrorKind;
	readonly operation: OperationId;
	readonly source: ErrorSource;
	readonly status: number | null;
	readonly code: string;
	readonly details: readonly string[];
	readonly requestId: string;
	readonly proxy: string | null;
	readonly retryAt: number | null;
	readonly retryAfterMs: number | null;

	constructor(facts: ErrorFacts) {
		super(facts.message ?? '');
		this.name = 'ServiceError';
		this.kind = facts.kind;
		this.operation = facts.operation;
		this.source = facts.source ?? 'client';
		this.status = facts.status ?? null;
		this.code = facts.code ?? '';
		this.details = facts.details ?? [];
		this.requestId = facts.requestId ?? '';
		this.proxy = facts.proxy ?? null;
		this.retryAt = facts.retryAt ?? null;
		this.retryAfterMs = facts.retryAfterMs ?? null;
	}
}

const TRANSIENT: ReadonlySet<ErrorKind> = new Set([
	'rate_limited',
	'service_unavailable',
	'unreadable_answer',
	'unconfirmed',
]);

/** True if the same request can succeed later. A create request is repeated with the same key. */
export function isTransient(kind: ErrorKind): boolean {
	return TRANSIENT.has(kind);
}

const CREDENTIAL_KINDS: ReadonlySet<string | undefined> = new Set<ErrorKind>([
	'key_refused',
	'credential_changed',
	'scope_missing',
	'licence_missing',
]);

/** True if every request would fail, because the error is about the key or its workspace. */
export function isCredentialError(kind: string | undefined): boolean {
	return CREDENTIAL_KINDS.has(kind);
}
