import type { RowResult } from './row-result';

/** What is worth doing about a failed row. */
export type Cure =
	/** The service took the order and did not come to its end. The next try may. */
	| 'retry'
	/** It failed more than once. */
	| 'look'
	/** The service refused what the row says. It will do so again. */
	| 'correct';

export function cureOf({ brief_id, tries }: Pick<RowResult, 'brief_id' | 'tries'>): Cure {
	if (brief_id === '') return 'correct';
	return tries > 1 ? 'look' : 'retry';
}

/** Rows that failed for the same reason. */
export interface FailedGroup {
	why: string;
	cure: Cure;
	total: number;
}

/** If each row has a reason of its own, most of them share one group. */
const MOST_GROUPS = 20;
const MIXED = 'Other reasons';

/** Puts failed rows together by reason and cure. */
export class FailedGroups {
	private readonly groups = new Map<string, FailedGroup>();

	add(row: Pick<RowResult, 'brief_id' | 'tries' | 'error' | 'error_code'>): FailedGroup {
		const cure = cureOf(row);
		const group = this.find(whatOf(row), cure);
		group.total += 1;
		return group;
	}

	/** The largest first, and those that a person may retry before the others. */
	all(): FailedGroup[] {
		const order: readonly Cure[] = ['retry', 'look', 'correct'];
		return [...this.groups.values()].sort(
			(a, b) => order.indexOf(a.cure) - order.indexOf(b.cure) || b.total - a.total,
		);
	}

	private find(why: string, cure: Cure): FailedGroup {
		const known = this.groups.get(`${cure} ${why}`);
		if (known !== undefined) return known;
		if (this.groups.size >= MOST_GROUPS && why !== MIXED) return this.find(MIXED, cure);
		const group = { why, cure, total: 0 };
		this.groups.set(`${cure} ${why}`, group);
		return group;
	}
}

/** What happened to a row, in a sentence. */
export function whatOf({ error, error_code }: Pick<RowResult, 'error' | 'error_code'>): string {
	if (error !== '') return error;
	return error_code === '' ? '' : notWritten(error_code);
}

/** Of a brief that has failed. */
export function notWritten(error_code: string | null): string {
	return `The service could not write this brief (${error_code ?? 'no reason given'}).`;
}
