import { type Order, statusOf } from '../folder/records';

/** A row has this many tries at most, unless --max-tries says otherwise: a schedule may repeat `retry` forever. */
export const MAX_TRIES = 3;

/** Says whether `retry` orders it again: it has failed, or is parked and its brief may or may not exist. */
export function isRetryable(order: Order): boolean {
	// One that is held and was never sent is none: only --order-again asks to pay for it beside the listed brief.
	const { stage, briefId } = order.state;
	return statusOf(order) === 'failed' || (stage === 'parked' && briefId === null);
}
