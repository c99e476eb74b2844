import type { OperationId } from './operations';
import type { BriefSummary } from './resources';

/** As much of a brief as names it to a person. */
type NamedBrief = Pick<BriefSummary, 'id' | 'product_name'>;

/** Everything that can go wrong with a request, as the few cases that call for different behaviour. */
export type ErrorKind =
	/** 400: the request is not valid, or is refused for good. */
	| 'invalid_input'
	/** 401. */
	| 'key_refused'
	/** 403, the key lacks the operation's scope. */
	| 'scope_missing'
	/** 403, the workspace has no Business licence. */
	| 'licence_missing'
	/** 404. */
	| 'not_found'
	/** 429, too many requests. */
	| 'rate_limited'
	/** Both slots are taken: a third brief was refused. */
	| 'slots_busy'
	/** 429, nothing is left of the month's allowance. */
	| 'allowance_used_up'
	/** 409 or 422: the idempotency key is in use, or was used with another body. */
	| 'conflict'
	/** 5xx, or the service could not be reached. Nothing was done. */
	| 'service_unavailable'
	/** An answer that is not what docs/api.md shows. */
	| 'unreadable_answer'
	/** The list of briefs cannot be read to its end: the service refuses its own cursors, or starts over. */
	| 'list_unreadable'
	/** A create was answered with the brief of another order: this order's own may exist or not. */
	| 'other_brief'
	/** A create was sent and no usable answer came: the brief may exist or not. Send again with the same key only. */
	| 'in_doubt';

export interface ErrorFacts {
	kind: ErrorKind;
	operation: OperationId;
	/** HTTP status, null where there was no answer. */
	status: number | null;
	/** The service's own code, text and details (docs/api.md section 7), empty where it gave none. */
	code: string;
	message: string;
	details: string[];
	requestId: string;
	/** The earliest time of this machine's clock at which a retry is allowed, null where the service named none. */
	retryAt: number | null;
	/** How long that was off when the answer came, in milliseconds; null where the service named no time. */
	retryAfter?: number | null;
	/** The brief that an answer brought instead of the order's own. */
	brief?: NamedBrief;
	/** This or an earlier try of the same create stayed without an answer, so that its brief may exist all the same. */
	inDoubt?: boolean;
}

export class ServiceError extends Error implements ErrorFacts {
	readonly kind!: ErrorKind;
	readonly operation!: OperationId;
	readonly status!: number | null;
	readonly code!: string;
	readonly details!: string[];
	readonly requestId!: string;
	readonly retryAt!: number | null;
	readonly retryAfter?: number | null;
	readonly brief?: NamedBrief;
	readonly inDoubt?: boolean;

	constructor(facts: ErrorFacts) {
		super(facts.message);
		this.name = 'ServiceError';
		Object.assign(this, facts);
	}

	/** The same, of which a look has told that it was for want of a slot, whatever the service called it. */
	asSlotsBusy(): ServiceError {
		return new ServiceError({ ...(this as ErrorFacts), message: this.message, kind: 'slots_busy' });
	}

	/** The same after an earlier try without an answer: a refusal of this try says nothing about that one. */
	asInDoubt(): ServiceError {
		// An Error's message is hidden from being copied.
		return new ServiceError({ ...(this as ErrorFacts), message: this.message, inDoubt: true });
	}
}

export type KeyRefusal = 'key_refused' | 'scope_missing' | 'licence_missing';

/** Whether waiting may cure it: the same request can be sent again (a create with the same key). */
export function isTransient(kind: ErrorKind): boolean {
	switch (kind) {
		case 'rate_limited':
		case 'slots_busy':
		case 'service_unavailable':
		case 'unreadable_answer':
		case 'in_doubt':
			return true;
		case 'invalid_input':
		case 'key_refused':
		case 'scope_missing':
		case 'licence_missing':
		case 'not_found':
		case 'allowance_used_up':
		case 'conflict':
		case 'list_unreadable':
		case 'other_brief':
			return false;
	}
}

/**
 * Whether it is about the key or its workspace: every other request would fail alike, so that going on is pointless.
 */
export function concernsAll(kind: ErrorKind): kind is KeyRefusal {
	return kind === 'key_refused' || kind === 'scope_missing' || kind === 'licence_missing';
}

/**
 * Whether the service may have refused this create for want of a slot, and called it something else: how it refuses a
 * third brief is not shown (docs/service.md).
 */
export function mayBeForSlots({ kind, operation }: ErrorFacts): boolean {
	if (operation !== 'create_brief') return false;
	switch (kind) {
		case 'invalid_input':
		case 'scope_missing':
		case 'licence_missing':
		case 'conflict':
			return true;
		case 'key_refused':
		case 'not_found':
		case 'rate_limited':
		case 'slots_busy':
		case 'allowance_used_up':
		case 'service_unavailable':
		case 'unreadable_answer':
		case 'in_doubt':
		case 'list_unreadable':
		case 'other_brief':
			return false;
	}
}

/** Whether this answer to a create leaves open whether the brief was created. */
export function leavesInDoubt(kind: ErrorKind): boolean {
	return kind === 'in_doubt' || kind === 'conflict' || kind === 'other_brief';
}

/** The answer to a get that brought another brief under this ID. */
export function anotherBrief({ id, product_name }: NamedBrief): ServiceError {
	return new ServiceError({
		kind: 'unreadable_answer',
		operation: 'get_brief',
		status: null,
		code: '',
		details: [],
		message: `Under the ID ${id} it gave a brief of “${product_name}”`,
		requestId: '',
		retryAt: null,
		brief: { id, product_name },
	});
}

/** The answer to a create that brought the brief of another order. */
export function otherBrief({ id, product_name }: NamedBrief): ServiceError {
	return new ServiceError({
		kind: 'other_brief',
		operation: 'create_brief',
		status: null,
		code: '',
		message: '',
		details: [],
		requestId: '',
		retryAt: null,
		brief: { id, product_name },
	});
}
