import type { BriefRecord } from '../folder/journal/brief-record';
import type { Records } from '../folder/journal/records';
import { statusOf } from '../folder/journal/status';
import { count, them } from '../text';
import { rowsText } from './asked-rows';

/** A row has this many tries at most, unless --max-tries says otherwise: a schedule may repeat `retry` forever. */
export const MAX_TRIES = 3;

/**
 * Says what to do about rows that have had all tries; null if `retry` may order one of them again.
 * @param numbers their numbers in the CSV, as far as they are there
 */
export function triedOutText(
	failed: readonly BriefRecord[],
	numbers: readonly number[],
	records: Records,
): string | null {
	const tries = Math.min(...failed.map(({ generation }) => generation));
	if (failed.length === 0 || tries < MAX_TRIES) return null;
	const paid = failed.reduce((n, order) => n + paidFor(order, records), 0);
	const [each, rows] = failed.length === 1 ? ['', 'row'] : [' each', 'rows'];
	const which = numbers.length === 0 ? `the ${rows}` : `${rows} ${rowsText(numbers)}`;
	return `Failed ${tries} times${each}, ${count(paid, 'brief')} paid: correct ${which} or take ${them(failed.length)} out`;
}

/** Counts the briefs that were paid for a row, with its earlier contents. */
function paidFor(newest: BriefRecord, records: Records): number {
	let paid = 0;
	let order: BriefRecord | undefined = newest;
	while (order !== undefined) {
		if (order.brief_id !== null && order.adopted !== true) paid += 1;
		order = order.generation > 1 ? records.tryBefore(order) : undefined;
	}
	return paid;
}

/** Says whether `retry` orders it again: it has failed, or is parked and its brief may or may not exist. */
export function isRetryable(order: BriefRecord): boolean {
	// It was never ordered here: only --order-again asks to pay for it beside the listed brief.
	if (order.unsent === true) return false;
	return statusOf(order) === 'failed' || (order.stage === 'parked' && order.brief_id === null);
}
