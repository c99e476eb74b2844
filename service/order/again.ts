import { LONGEST_RATE_WAIT_MS, type ServiceError } from '../errors';
import { retryAt } from '../patience';
import type { PollInterval } from '../poll-interval';
import type { OrderState, Tries } from './states';

/** Answers to one create that leave it in doubt or undone, before somebody is told. The waits add up to two minutes. */
const MAX_FAILURES = 7;
const MAX_CONFLICTS = 3;
/** Rate limits in a row: as long as a quarter of an hour where the service names no time itself. */
const MAX_RATE_LIMITS = 15;

/** Whether and when the same create is sent again. `at` is a time of our clock. */
export type Again =
	/** The slot stays ours: the brief may exist already, or the wait is short. */
	| { how: 'with_this_slot'; at: number }
	| { how: 'with_another_slot'; at: number }
	| { how: 'never' };

export interface Bounds {
	/** Time of our clock after which nothing is sent. */
	deadline?: number;
	/** Ask for a slot a single time, and give up where both are taken. */
	once?: boolean;
}

const NEVER: Again = { how: 'never' };

/** The ladder from the answer that a create got to when it is sent again. `order.tries` counts this answer. */
export function whenAgain(
	error: ServiceError,
	{ tries, inDoubt }: Pick<OrderState, 'tries' | 'inDoubt'>,
	now: number,
	interval: PollInterval,
	{ deadline = Infinity, once = false }: Bounds = {},
): Again {
	// The look for a free slot failed: nothing was sent.
	if (error.operation !== 'create_brief') return NEVER;
	if (error.kind === 'slots_busy') {
		// The list showed a free slot and the service did not: they disagree, so it gets more time at each refusal.
		const wait = interval.shortest * Math.min(4, 2 ** (tries.refusals - 1));
		const at = Math.max(error.retryAt ?? 0, now + wait);
		return once ? NEVER : { how: 'with_another_slot', at };
	}
	const failures = failuresThatCount(error, tries);
	if (failures === null) return NEVER;
	const at = retryAt(error, failures, now, interval);
	const isTooLong = error.kind === 'rate_limited' && at - now > LONGEST_RATE_WAIT_MS;
	if (isTooLong || at > deadline) return NEVER;
	// Others may have the slot after a long wait, and so a new look is due.
	const isSlotKept = inDoubt || once || at - now <= interval.shortest;
	return { how: isSlotKept ? 'with_this_slot' : 'with_another_slot', at };
}

/** How often it failed alike, which says how long to wait; null where another try does not help. */
function failuresThatCount(error: ServiceError, tries: Tries): number | null {
	const upTo = (count: number, most: number) => (count < most ? count : null);
	switch (error.kind) {
		case 'rate_limited':
			return upTo(tries.rateLimits, MAX_RATE_LIMITS);
		case 'in_doubt':
		case 'service_unavailable':
		case 'unreadable_answer':
			return upTo(tries.failures, MAX_FAILURES);
		// The first request with this key may still be at work in the service (IETF draft for Idempotency-Key, 409).
		case 'conflict':
			return error.status === 409 ? upTo(tries.conflicts, MAX_CONFLICTS) : null;
		case 'slots_busy':
		case 'invalid_input':
		case 'key_refused':
		case 'scope_missing':
		case 'licence_missing':
		case 'not_found':
		case 'allowance_used_up':
			return null;
	}
}
