import { CREATE_TRIES, LONGEST_RATE_WAIT_MS } from '../assumptions';
import type { ServiceError } from '../api/errors';
import type { PollInterval } from '../api/poll-interval';
import { decideRetry } from '../api/retry';
import type { OrderState } from './states';

/** Whether and when the same create is sent again. `at` is a time of this machine's clock. */
export type Again =
	/** The slot is kept: the brief may exist already, or the wait is short. */
	| { how: 'with_this_slot'; at: number }
	| { how: 'with_another_slot'; at: number }
	| { how: 'never' };

export interface SendBounds {
	/** Time of this machine's clock after which nothing is sent. */
	deadline?: number;
	/** Ask for a slot once, and give up if both are taken. */
	once?: boolean;
}

export interface Limits extends SendBounds {
	now: number;
	interval: PollInterval;
	/** Slots have been waited for long enough. */
	isSlotWaitOver?: boolean;
}

const NEVER: Again = { how: 'never' };

/** Whether and when a create is sent again after an answer, which its `tries` or `refusals` count already. */
export function whenAgain(
	error: ServiceError,
	{ tries, refusals, inDoubt }: Pick<OrderState, 'tries' | 'refusals' | 'inDoubt'>,
	{ now, interval, deadline = Infinity, once = false, isSlotWaitOver = false }: Limits,
): Again {
	// The look for a free slot failed: nothing was sent.
	if (error.operation !== 'create_brief') return NEVER;
	if (error.kind === 'slots_busy') {
		// The list showed a free slot and the service did not: they disagree, so it gets more time at each refusal.
		const wait = interval.shortest * Math.min(4, 2 ** (refusals - 1));
		const at = Math.max(error.retryAt ?? 0, now + wait);
		// A wait this long is reported, like a rate limit.
		const isTooLong = at - now > LONGEST_RATE_WAIT_MS;
		return once || isSlotWaitOver || isTooLong ? NEVER : { how: 'with_another_slot', at };
	}
	if (tries === null) return NEVER;
	const at = decideRetry(error, tries, { limits: CREATE_TRIES, interval }, now);
	if (at === null || at > deadline) return NEVER;
	// Others may have the slot after a long wait, and so a new look is due.
	const isSlotKept = inDoubt || once || at - now <= interval.shortest;
	return { how: isSlotKept ? 'with_this_slot' : 'with_another_slot', at };
}
