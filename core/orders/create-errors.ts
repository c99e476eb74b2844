import type { ErrorKind, ServiceError } from '../api/errors';

/**
 * What an error of a create request means. Two questions decide what happens next: might the brief have been created,
 * and would other orders fail the same way?
 *
 *     400, invalid body          created: no       scope: order        this order has failed, others continue
 *     429, allowance used up     created: no       scope: service      ordering stops
 *     403, scope missing         created: no       scope: permission   ordering stops, unless both slots are in use
 *     connection reset           created: maybe    scope: unknown      the same key is sent again
 */
interface CreateErrorMeaning {
	readonly created: 'no' | 'maybe';
	readonly scope: ErrorScope;
}

type ErrorScope =
	/** Only this order fails, unless both slots are in use: the API does not say how a third brief is refused. */
	| 'order'
	/** Every other order would fail the same way. */
	| 'service'
	/** As `service`, unless both slots are in use. */
	| 'permission'
	/** Both slots are in use. */
	| 'slots_busy'
	/** No usable answer. The brief list shows whether the order or the service is the cause. */
	| 'unknown';

const MEANINGS: Readonly<Record<ErrorKind, CreateErrorMeaning>> = {
	invalid_input: { created: 'no', scope: 'order' },
	key_refused: { created: 'no', scope: 'service' },
	credential_changed: { created: 'no', scope: 'service' },
	scope_missing: { created: 'no', scope: 'permission' },
	licence_missing: { created: 'no', scope: 'permission' },
	not_found: { created: 'no', scope: 'order' },
	rate_limited: { created: 'no', scope: 'service' },
	slots_busy: { created: 'no', scope: 'slots_busy' },
	allowance_used_up: { created: 'no', scope: 'service' },
	// The service might still be processing a request of another process with the same key.
	conflict: { created: 'maybe', scope: 'order' },
	// The request did not reach the service. A create that might have reached the service is `unconfirmed`.
	service_unavailable: { created: 'no', scope: 'unknown' },
	// Not answers to a create: a GET before it failed.
	unreadable_answer: { created: 'no', scope: 'unknown' },
	list_unreadable: { created: 'no', scope: 'unknown' },
	unconfirmed: { created: 'maybe', scope: 'unknown' },
};

/** Returns what an error of a create request means. */
export function getCreateErrorMeaning({ kind }: ServiceError): CreateErrorMeaning {
	return MEANINGS[kind];
}
