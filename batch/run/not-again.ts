import { dayInWords } from '../../service/list/month';
import { groupBy } from '../group-by';
import { rowStatus, type Plan, type PlannedRow, type When } from '../plan/plan';
import { isSelected, rowsText } from '../plan/row-selection';
import { isTakenOver, statusOf } from '../folder/records';
import { them } from '../text';

/** Says which rows are not ordered again although a person asks for that, and why. */
export function notAgainTexts(plan: Plan): string[] {
	const { rows, source } = plan;
	const { options } = source;
	const { adoptChanged, orderAgain, orderChanged } = options;
	// An option that stays in a schedule must not pay each day.
	const again = textsOf(rows, (row) =>
		isSelected(orderAgain, row.row.number) ? whyNotAgain(row, orderAgain === true) : null,
	);
	// Without rows the option means all that are changed: of the others there is nothing to say.
	const changed = textsOf(rows, (row) =>
		orderChanged !== true && isSelected(orderChanged, row.row.number) ? whyNotChanged(row) : null,
	);
	const keptNothing = rows.filter(
		(row) => isSelected(adoptChanged, row.row.number) && row.heldBy?.state.briefId == null,
	);
	return [
		...textsOf(rows, ({ notAgain }) => notAgain && whyLeft(notAgain)),
		...again,
		...changed,
		...(keptNothing.length === 0 ? [] : [keepsNothing(keptNothing)]),
		...rowsAside(plan),
	];
}

/** Says which rows are named by an option and are not in this run. */
function rowsAside({ rows, source: { csv = [], options } }: Plan): string[] {
	const { adoptChanged, orderAgain, orderChanged } = options;
	const selections = [adoptChanged, orderAgain, orderChanged].filter(
		(selection) => typeof selection === 'object' && selection.length > 0,
	);
	if (selections.length === 0) return [];
	const numbersInRun = new Set(rows.map(({ row }) => row.number));
	const numbers = csv
		.map(({ number }) => number)
		.filter((number) => !numbersInRun.has(number))
		.filter((number) => selections.some((selection) => isSelected(selection, number)));
	if (numbers.length === 0) return [];
	const rowsAre = numbers.length === 1 ? 'Row' : 'Rows';
	const are = numbers.length === 1 ? 'is' : 'are';
	return [
		`${rowsAre} ${rowsText(numbers)} ${are} not in this run, so nothing is done with ${them(numbers.length)}.`,
	];
}

function keepsNothing(rows: readonly PlannedRow[]): string {
	const numbers = rowsText(rows.map(({ row }) => row.number));
	return `--adopt ${numbers} changes nothing: only a changed row can keep the brief of what it was before.`;
}

/** A reason for rows, one or many. */
type Why = (rows: number) => string;

function textsOf(
	rows: readonly PlannedRow[],
	whyOf: (row: PlannedRow) => Why | null | undefined,
): string[] {
	const reasons = rows.flatMap((row) => {
		const why = whyOf(row);
		return why == null ? [] : [{ number: row.row.number, why }];
	});
	return [...groupBy(reasons, ({ why }) => why(1)).values()].map((its) => {
		const numbers = rowsText(its.map(({ number }) => number));
		const rowsAre = its.length === 1 ? `Row ${numbers} is` : `Rows ${numbers} are`;
		return `${rowsAre} not ordered again${its[0]?.why(its.length) ?? ''}`;
	});
}

/** Gives why a row that --order-again means is not ordered; null if it is, or if nothing was said of it by name. */
function whyNotAgain(row: PlannedRow, meansAll: boolean): Why | null {
	const { record, notAgain, todo } = row;
	const isOurs = record !== undefined && statusOf(record) === 'ready' && !isTakenOver(record);
	if (isOurs) return whyReady;
	if (meansAll || notAgain !== undefined || todo === 'order' || todo === 'take_over') return null;
	if (rowStatus(row) === 'changed') return () => ': its content has changed. Use --order-changed.';
	return whyNothing(row);
}

/** Gives the same of a row that --order-changed names. */
function whyNotChanged(row: PlannedRow): Why | null {
	const { record, heldBy, notAgain, todo, again, sameAs } = row;
	if (notAgain !== undefined || again !== undefined || sameAs !== undefined) return null;
	if (heldBy !== undefined) return todo === 'order' ? null : whyNothing(row);
	if (rowStatus(row) === 'invalid') return whyNothing(row);
	if (record === undefined || todo === 'order') return () => ': it was not ordered before.';
	return (rows) => `: nothing in ${them(rows)} has changed since the order.`;
}

function whyNothing(row: PlannedRow): Why | null {
	if (row.sameAs !== undefined) return null;
	switch (rowStatus(row)) {
		case 'invalid':
			return (rows) => `: ${rows === 1 ? 'it is' : 'they are'} invalid.`;
		case 'failed':
			return (rows) =>
				`: ${rows === 1 ? 'it' : 'they'} failed, and only brief-batch retry orders ${them(rows)} again.`;
		case 'parked':
			return () => ': brief-batch status says what to do first.';
		case 'pending':
			return (rows) => `: ${rows === 1 ? 'its brief is' : 'their briefs are'} on the way.`;
		case 'ready':
		case 'changed':
		case 'deferred':
			return null;
	}
}

function whyLeft(when: When): Why {
	return (rows) => {
		if (when.is !== 'deferred')
			return ` now: --max leaves no room for ${them(rows)}. Run the same command again.`;
		if (when.until === null) return ' now: nothing of the allowance may be used.';
		return ` now: the allowance has nothing left for ${them(rows)} until ${dayInWords(Date.parse(when.until))} (UTC). Run the same command again from then on.`;
	};
}

function whyReady(rows: number): string {
	const why =
		rows === 1
			? 'this folder ordered its brief itself, and it is ready'
			: 'this folder ordered their briefs itself, and they are ready';
	return `: ${why}. To pay for another brief, use --order-again with a new folder (--out).`;
}
