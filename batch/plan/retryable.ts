import type { BriefRecord } from '../folder/journal/brief-record';
import { statusOf } from '../folder/journal/row-status';

/** A row has this many tries at most, unless --max-tries says otherwise: a schedule may repeat `retry` forever. */
export const MAX_TRIES = 3;

/** Says whether `retry` orders it again: it has failed, or is parked and its brief may or may not exist. */
export function isRetryable(order: BriefRecord): boolean {
	// It was never ordered here: only --order-again asks to pay for it beside the listed brief.
	if (order.unsent === true) return false;
	return statusOf(order) === 'failed' || (order.stage === 'parked' && order.brief_id === null);
}
