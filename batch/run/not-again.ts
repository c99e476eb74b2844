import { dayInWords } from '../../service/list/month';
import type { Plan, PlannedRow, When } from '../plan/plan';
import { isReady, isTakenOver } from '../folder/records';
import { isSelected, rowsText, type RowSelection } from '../plan/row-selection';
import { them } from '../text';

/** Says which rows are not ordered again although a person asks for that, and why. */
export function notAgainTexts({ rows, source: { options } }: Plan): string[] {
	const rowsLeft = rows.filter(({ notAgain }) => notAgain !== undefined);
	const [when] = rowsLeft.flatMap(({ notAgain }) => notAgain ?? []);
	// An option that stays in a schedule must not pay each day.
	const readyRows = rows.filter(
		(row) => isSelected(options.orderAgain, row.row.number) && hasOwnBrief(row),
	);
	const { orderChanged } = options;
	// Without rows the option means all that are changed: of the others there is nothing to say.
	const unchangedRows =
		orderChanged === true ? [] : rows.filter((row) => isUnchanged(row, orderChanged));
	const { keepBriefs } = options;
	// Without a selection nobody names a row.
	const isNamed = (row: PlannedRow) => isSelected(keepBriefs, row.row.number);
	const keptNothing = rows.filter((row) => isNamed(row) && row.heldBy?.state.briefId == null);
	const say = (its: readonly PlannedRow[], why: string) =>
		its.length === 0 ? [] : [`${areNot(its)} ordered again${why}`];
	return [
		...(when === undefined ? [] : say(rowsLeft, ` now: ${whyLeft(when, rowsLeft.length)}`)),
		...say(readyRows, `: ${whyReady(readyRows.length)}`),
		...say(
			unchangedRows,
			`: nothing in ${them(unchangedRows.length)} has changed since the order.`,
		),
		...(keptNothing.length === 0 ? [] : [keepsNothing(keptNothing)]),
	];
}

function keepsNothing(rows: readonly PlannedRow[]): string {
	const numbers = rowsText(rows.map(({ row }) => row.number));
	return `--adopt ${numbers} changes nothing: only a changed row can keep the brief of what it was before.`;
}

/** Says whether a person names it to be ordered again although it is as it was ordered. */
function isUnchanged({ row, record, heldBy, todo }: PlannedRow, selection?: RowSelection): boolean {
	const isAsOrdered = record !== undefined && heldBy === undefined && todo !== 'order';
	return isAsOrdered && isSelected(selection, row.number);
}

/** Says whether it has a brief that this folder has ordered itself. */
function hasOwnBrief({ record }: PlannedRow): boolean {
	return record !== undefined && isReady(record) && !isTakenOver(record);
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

function whyReady(rows: number): string {
	const why =
		rows === 1
			? 'this folder ordered its brief itself, and it is ready'
			: 'this folder ordered their briefs itself, and they are ready';
	return `${why}. To pay for another brief, use --order-again with a new folder (--out).`;
}
