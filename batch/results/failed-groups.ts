import type { RowResult } from './row-result';

/** What is worth doing about a failed row. */
export type Cure =
	/** The service took the order and did not finish it. The next try may. */
	| 'retry'
	/** It failed more than once, or the service does not write about such a product. */
	| 'look'
	/** The service refused what the row says. It will do so again. */
	| 'correct';

/** What a further try is worth, in the words of the report and of `retry`. */
export const WORTH: Record<Cure, string> = {
	retry:
		'Worth a retry: the service took the order and did not finish it, and another try may. Each one costs a brief.',
	look: 'A retry is unlikely to help: it failed more than once, or because of what the product is. Change what the row says, or ask the vendor’s support.',
	correct:
		'A retry would be refused again: correct the CSV instead, and run the same command again.',
};

/** Codes that speak of the product and not of a mishap. The service does not list its codes. */
const OF_THE_PRODUCT = /policy|unavailable|unsupported|not_found/i;

export function cureOf({
	brief_id,
	error_code,
	tries,
}: Pick<RowResult, 'brief_id' | 'error_code' | 'tries'>): Cure {
	if (brief_id === '') return 'correct';
	return tries > 1 || OF_THE_PRODUCT.test(error_code) ? 'look' : 'retry';
}

/** Rows that failed for the same reason. */
export interface FailedGroup {
	why: string;
	cure: Cure;
	total: number;
}

/** If all reasons differ, most rows share one group. */
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
