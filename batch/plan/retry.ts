import type { BriefRecord } from '../folder/journal/records';
import { statusOf } from '../folder/journal/status';
import { them } from '../text';

/** A row has this many tries at most, unless --max-tries says otherwise: a schedule may repeat `retry` forever. */
export const MAX_TRIES = 3;

/** Whether a retry is of no use by itself: these orders have had all tries of their rows. */
export function areTriedOut(failed: ReadonlyArray<Pick<BriefRecord, 'generation'>>): boolean {
	return failed.length > 0 && failed.every(({ generation }) => generation >= MAX_TRIES);
}

/** Says what to do about them. */
export function triedOutText(n: number): string {
	return `Ordered ${MAX_TRIES} times${n === 1 ? '' : ' each'}: correct ${them(n)}, or take ${them(n)} out`;
}

/** Whether `retry` orders it again: it has failed, or is parked and its brief may or may not exist. */
export function isRetryable(order: BriefRecord): boolean {
	// It was never ordered here: only --order-again asks to pay for it beside the listed brief.
	if (order.unsent === true) return false;
	return statusOf(order) === 'failed' || (order.state === 'parked' && order.brief_id === null);
}
