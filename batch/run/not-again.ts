import { dayInWords } from '../../service/list/month';
import { rowsText } from '../plan/row-selection';
import type { Plan, PlannedRow, When } from '../plan/plan';
import { them } from '../text';

/** Says which rows are not ordered again although a person asks for that, and why. */
export function notAgainTexts({ rows }: Plan): string[] {
	const rowsLeft = rows.filter(({ notAgain }) => notAgain !== undefined);
	const [when] = rowsLeft.flatMap(({ notAgain }) => notAgain ?? []);
	return when === undefined
		? []
		: [`${areNot(rowsLeft)} ordered again now: ${whyLeft(when, rowsLeft.length)}`];
}

/** Gives "Row 2 is not" or "Rows 2-4,7 are not". */
function areNot(rows: readonly PlannedRow[]): string {
	const numbers = rowsText(rows.map(({ row }) => row.number));
	return rows.length === 1 ? `Row ${numbers} is not` : `Rows ${numbers} are not`;
}

function whyLeft(when: When, rows: number): string {
	if (when.is !== 'deferred')
		return `--max leaves no room for ${them(rows)}. Run the same command again.`;
	if (when.until === null) return 'nothing of the allowance may be used.';
	return `the allowance has nothing left for ${them(rows)} until ${dayInWords(Date.parse(when.until))} (UTC). Run the same command again from then on.`;
}
