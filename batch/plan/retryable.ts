import type { BriefRecord } from '../folder/journal/brief-record';
import type { Records } from '../folder/journal/records';
import { statusOf } from '../folder/journal/row-status';

/** A row has this many tries at most, unless --max-tries says otherwise: a schedule may repeat `retry` forever. */
export const MAX_TRIES = 3;

/** Rows that have had all their tries. */
export interface TriedOut {
	rows: number;
	/** How often each of them was ordered, at least. */
	tries: number;
	/** The briefs that were paid for them. */
	paid: number;
}

/** Gives what was tried in vain; null if `retry` may order one of the rows again. */
export function triedOut(failedOrders: readonly BriefRecord[], records: Records): TriedOut | null {
	const tries = Math.min(...failedOrders.map(({ generation }) => generation));
	if (failedOrders.length === 0 || tries < MAX_TRIES) return null;
	const paid = failedOrders.reduce((n, order) => n + paidFor(order, records), 0);
	return { rows: failedOrders.length, tries, paid };
}

/** Counts the briefs that were paid for a row, with its earlier contents. */
function paidFor(newestTry: BriefRecord, records: Records): number {
	let count = 0;
	let order: BriefRecord | undefined = newestTry;
	while (order !== undefined) {
		if (order.brief_id !== null && order.adopted !== true) count += 1;
		order = order.generation > 1 ? records.tryBefore(order) : undefined;
	}
	return count;
}

/** Says whether `retry` orders it again: it has failed, or is parked and its brief may or may not exist. */
export function isRetryable(order: BriefRecord): boolean {
	// It was never ordered here: only --order-again asks to pay for it beside the listed brief.
	if (order.unsent === true) return false;
	return statusOf(order) === 'failed' || (order.stage === 'parked' && order.brief_id === null);
}
