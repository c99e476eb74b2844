import type { OperationId } from './operations';
import type { NamedBrief } from './types';

/** Everything that can go wrong with a request, in the few cases that need different behaviour. */
export type ErrorKind =
	/** 400, and every other 4xx without a meaning of its own: the request is not valid, or is refused for good. */
	| 'invalid_input'
	/** 401. */
	| 'key_refused'
	/** 403, the key lacks the operation's scope. */
	| 'scope_missing'
	/** 403, the workspace has no Business licence. */
	| 'licence_missing'
	/** 404, or the page of something else at an address where the service has never answered. */
	| 'not_found'
	/** 429, too many requests. */
	| 'rate_limited'
	/** Both slots are taken: a third brief was refused. */
	| 'slots_busy'
	/** 429, nothing is left of the month's allowance. */
	| 'allowance_used_up'
	/** 409 or 422: the idempotency key is in use, perhaps by an earlier try that is still at work. */
	| 'conflict'
	/** 409 or 422: the idempotency key was used with another body. Nothing was done. */
	| 'key_taken'
	/** 5xx, no connection, or something between answered instead of the service. Nothing was done. */
	| 'service_unavailable'
	/** An answer that is not what docs/api.md shows. */
	| 'unreadable_answer'
	/** The list cannot be read to its end: the service refuses its own cursors, or starts over. */
	| 'list_unreadable'
	/** The answer to a create was another order's brief. This order's own brief may exist or not. */
	| 'other_brief'
	/** A create was sent without a usable answer: the brief may exist or not. Send it again only with the same key. */
	| 'unconfirmed';

/** An error of the service. Its fields say what is known of it, and not less than the kind and the operation. */
export class ServiceError extends Error {
	readonly kind!: ErrorKind;
	readonly operation!: OperationId;
	/** Null if there was no answer. */
	readonly status: number | null = null;
	/**
	 * The service's own code and details, beside its text as the message (docs/api.md 7); empty if it gave none.
	 * Without an answer that can be read, the message says why. Without an answer at all, the code is Node.js's.
	 */
	readonly code: string = '';
	readonly details: string[] = [];
	readonly requestId: string = '';
	/**
	 * Set if not the service answered, but something in its place, whose words the message has. `first`: nothing at the
	 * address had answered as the service does, so address or key may be the reason.
	 */
	readonly page?: 'first' | 'later';
	/** The environment variable that names the proxy through which such an answer came. */
	readonly proxy?: string;
	/** The earliest time of this machine's clock for a retry; null if the service named none. */
	readonly retryAt: number | null = null;
	/** The time from the answer until then, in milliseconds; null if the service named none. */
	readonly retryAfter?: number | null;
	/** The brief that came instead of the order's own. */
	readonly brief?: NamedBrief;
	/** This or an earlier try of the same create had no answer, so its brief may exist all the same. */
	readonly inDoubt?: boolean;

	constructor(facts: Partial<ServiceError> & { kind: ErrorKind; operation: OperationId }) {
		super(facts.message ?? '');
		this.name = 'ServiceError';
		Object.assign(this, facts);
	}

	/** Gives the same error, of which more is known. */
	with(facts: Partial<ServiceError>): ServiceError {
		// An Error's message is not enumerable, so it is not copied.
		return new ServiceError(Object.assign({}, this, { message: this.message }, facts));
	}
}

const TRANSIENT: ReadonlySet<ErrorKind> = new Set([
	'rate_limited',
	'slots_busy',
	'service_unavailable',
	'unreadable_answer',
	'unconfirmed',
]);

/** Checks whether the same request may be sent again later (a create with the same key). */
export function isTransient(kind: ErrorKind): boolean {
	return TRANSIENT.has(kind);
}

/** Checks whether every other request would fail in the same way, because it is about the key or its workspace. */
export function isCredentialError(kind: ErrorKind): boolean {
	return kind === 'key_refused' || kind === 'scope_missing' || kind === 'licence_missing';
}

const MAYBE_FOR_SLOTS: ReadonlySet<ErrorKind> = new Set([
	'invalid_input',
	'scope_missing',
	'licence_missing',
	'conflict',
]);

/**
 * Checks whether the service may have refused this create for want of a slot under another name: how it refuses a third
 * brief is not known (docs/service.md).
 */
export function mayBeForSlots({ kind, operation }: ServiceError): boolean {
	return operation === 'create_brief' && MAYBE_FOR_SLOTS.has(kind);
}

/** Checks whether a kind of answer to a create says by itself that the brief may exist or not. */
export function isKindInDoubt(kind: ErrorKind): boolean {
	return kind === 'unconfirmed' || kind === 'conflict' || kind === 'other_brief';
}

/** Checks whether this answer to a create leaves open if the brief exists: a failed server may have done the work. */
export function leavesInDoubt({ kind, operation, status }: ServiceError): boolean {
	return isKindInDoubt(kind) || (operation === 'create_brief' && (status ?? 0) >= 500);
}

/** Makes the error of a get that brought another brief under this ID. */
export function anotherBrief({ id, product_name }: NamedBrief): ServiceError {
	return new ServiceError({
		kind: 'unreadable_answer',
		operation: 'get_brief',
		message: `Under the ID ${id} it gave a brief of “${product_name}”`,
		brief: { id, product_name },
	});
}

/** Makes the error of a create that brought another order's brief. */
export function otherBrief({ id, product_name }: NamedBrief): ServiceError {
	const brief = { id, product_name };
	return new ServiceError({ kind: 'other_brief', operation: 'create_brief', brief });
}
