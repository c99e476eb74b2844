import { commonCause } from '../folder/journal/causes';
import { NO_ANSWER } from '../folder/journal/records';
import type { OrderFacts, RowResult } from './row-result';
import { whyFailed } from './words';

/** The thing that is worth doing about a failed row. */
type Cure =
	/** The service took the order and did not finish it. The next try may. */
	| 'retry'
	/** It failed more than once, or the service does not write about such a product. */
	| 'look'
	/** The service refused what the row says. It will do so again. */
	| 'correct';

/** The worth of a further try, in the words of the report and of `retry`. */
export const WORTH: Record<Cure, string> = {
	retry:
		'Worth a retry: the service took the order and did not finish it, and another try may. Each one costs a brief.',
	look: 'A retry as it is will probably fail again: it failed more than once, or the service does not write about such a product. Change what the row says, or ask the vendor’s support.',
	correct:
		'A retry would be refused again: correct the CSV instead, and run the same command again.',
};

/** Codes that speak of the product and not of a mishap. The service does not list its codes. */
const OF_THE_PRODUCT = /policy|unavailable|unsupported|not_found/i;

export function cureOf({
	brief_id,
	error_code,
	tries,
}: Pick<OrderFacts, 'brief_id' | 'error_code' | 'tries'>): Cure {
	if (error_code === NO_ANSWER) return 'look';
	if (brief_id === '') return 'correct';
	return tries > 1 || OF_THE_PRODUCT.test(error_code) ? 'look' : 'retry';
}

/** Rows that failed for the same reason. */
export interface FailedGroup {
	why: string;
	cure: Cure;
	rows: RowResult[];
}

/** If all reasons differ, most rows share one group. */
const MOST_GROUPS = 20;
const MIXED = 'Other reasons';
const ORDER: readonly Cure[] = ['retry', 'look', 'correct'];

/** Groups failed rows by reason and cure: those that a person may retry before the others, and the largest first. */
export function failedGroups(rows: readonly RowResult[]): FailedGroup[] {
	const groups = new Map<string, FailedGroup>();
	for (const row of rows) {
		const cure = cureOf(row);
		const cause = commonCause(row.cause);
		const groupKey = JSON.stringify([cure, cause ?? row.error]);
		const isNamed = groups.size < MOST_GROUPS || groups.has(groupKey);
		const key = isNamed ? groupKey : cure;
		const why = cause === null ? row.error : whyFailed({ cause });
		const group = groups.get(key) ?? { why: isNamed ? why : MIXED, cure, rows: [] };
		groups.set(key, group);
		group.rows.push(row);
	}
	return [...groups.values()].sort(
		(a, b) => ORDER.indexOf(a.cure) - ORDER.indexOf(b.cure) || b.rows.length - a.rows.length,
	);
}
