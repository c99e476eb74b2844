import { instantOf } from '../../../service/api/timestamps';
import { monthStart } from '../../../service/list/month';
import { createdAt, type BriefRecord } from './records';

/** What the briefs of some orders are: paid for here, taken over for nothing, and in a file. */
export interface BriefNumbers {
	paid: number;
	taken_over: number;
	fetched: number;
}

/** Checks whether an order has a brief that it paid for, ready or not. */
export function isPaid({ brief_id, adopted }: BriefRecord): boolean {
	return brief_id !== null && adopted !== true;
}

export function briefNumbers(records: readonly BriefRecord[]): BriefNumbers {
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
	const months = new Map<string, number>();
	for (const record of records.filter(isPaid)) {
		const month = monthOf(record);
		months.set(month, (months.get(month) ?? 0) + 1);
	}
	return [...months].map(([month, paid]) => ({ month, paid })).sort(byMonth);
}

/** "2026-11", in UTC. */
function monthOf(record: BriefRecord): string {
	const created = instantOf(createdAt(record));
	return new Date(monthStart(created ?? 0)).toISOString().slice(0, 7);
}

function byMonth(a: { month: string }, b: { month: string }): number {
	return a.month < b.month ? -1 : 1;
}
