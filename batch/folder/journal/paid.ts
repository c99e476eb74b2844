import { instantOf } from '../../../service/api/timestamps';
import { monthStart } from '../../../service/list/month';
import { groupBy } from '../../group-by';
import { createdAt, type BriefRecord } from './brief-record';

/** Says whether an order has a brief that it paid for, ready or not. */
function isPaid({ brief_id, adopted }: BriefRecord): boolean {
	return brief_id !== null && adopted !== true;
}

/** Counts the briefs of some orders: paid for here, taken over for nothing, and in a file. */
export function briefNumbers(records: readonly BriefRecord[]) {
	return {
		paid: records.filter(isPaid).length,
		taken_over: records.filter(({ adopted }) => adopted === true).length,
		fetched: records.filter(({ file }) => file !== null).length,
	};
}

/** Gives how many briefs were paid for in each month of the allowance, the earliest first. */
export function paidByMonth(
	records: readonly BriefRecord[],
): Array<{ month: string; paid: number }> {
	return [...groupBy(records.filter(isPaid), monthOf)]
		.map(([month, { length: paid }]) => ({ month, paid }))
		.sort((a, b) => (a.month < b.month ? -1 : 1));
}

/** Gives "2026-11", in UTC. */
function monthOf(record: BriefRecord): string {
	const instant = instantOf(createdAt(record));
	return new Date(monthStart(instant ?? 0)).toISOString().slice(0, 7);
}
