import { commandFor, type Paragraph } from '../command-text';
import { rowsInCommand } from '../plan/row-selection';
import type { PlannedRow } from '../plan/plan';
import type { Preparation } from '../run/prepare';
import { placeOf, type RunRequest } from '../run/request';
import { count, formatNumber } from '../text';
import { NAME_WIDTH, oneLine } from './format';
import { kindOf, paidLines } from './plan-rows';
import { againLines, planLines } from './plan-text';

/** Says whether this run is about to pay for a row. */
export function isOrderedNow({ when }: PlannedRow): boolean {
	return when?.is === 'now';
}

/** Gives all that a person should see before saying yes: the rows, and then what `plan` says of them. */
export function orderLines({ plan, allowance }: Preparation, request: RunRequest): Paragraph[] {
	const rows = plan.rows.filter(isOrderedNow);
	return [
		...paidLines(rows, request, commandForAll(rows, request)),
		'',
		...planLines(plan, allowance, request),
	];
}

/** Gives what is paid for again, which is said even if nobody is asked. */
export function paidAgainLines({ plan: { rows } }: Preparation, request: RunRequest): Paragraph[] {
	const rowsAgain = rows.filter((row) => isOrderedNow(row) && kindOf(row) !== 'new');
	if (rowsAgain.length === 0) return [];
	const all = commandForAll(rowsAgain, request);
	return [...paidLines(rowsAgain, request, all), ...againLines(rowsAgain)];
}

/** Asks "Order 60 briefs for Acme? 37 of 100 are left this month afterwards." */
export function orderQuestion(
	{ plan, allowance: { allowance, remaining } }: Preparation,
	name: string,
): string {
	const n = plan.rows.filter(isOrderedNow).length;
	if (n === 0) return 'Is that right?';
	const rest =
		remaining === null || allowance === null
			? ''
			: ` ${formatNumber(remaining - n)} of ${formatNumber(allowance)} are left this month afterwards.`;
	return `Order ${count(n, 'brief')} for ${oneLine(name, NAME_WIDTH)}?${rest}`;
}

/** Gives the command that writes all rows of an order to a file. */
function commandForAll(rows: readonly PlannedRow[], request: RunRequest): string {
	const options = (['changed', 'again'] as const).flatMap((kind) => {
		const its = rows.filter((row) => kindOf(row) === kind && row.again !== 'retry');
		return its.length === 0 ? [] : [OPTION[kind], rowsInCommand(its.map(({ row }) => row))];
	});
	const place = placeOf(request, request.typedToBegin);
	return `${commandFor('plan', place, ...options)} > plan.txt`;
}

/** The option that orders a row of this kind. */
const OPTION = { changed: '--order-changed', again: '--order-again' } as const;
