import { dayInWords } from '../../service/list/month';
import { STANDARD_INPUT } from '../csv/csv-text';
import { commandFor, type Paragraph } from '../command-text';
import { commonCause, errorCodeOf } from '../folder/journal/causes';
import { groupBy } from '../group-by';
import { rowsInCommand } from '../plan/row-selection';
import { lastOrder, type PlannedRow } from '../plan/plan';
import { cureOf, WORTH } from '../results/cures';
import { whyFailed } from '../results/words';
import type { Answers } from '../run/ask';
import type { RunRequest } from '../run/request';
import { count, formatNumber } from '../text';
import { FEW_ROWS, NAME_WIDTH, oneLine } from './format';
import { countKinds, kindOf, paidLines } from './plan-rows';
import { line, optional } from './plan-text';

/** Says whether this run is about to pay for a row. */
export function isOrderedNow({ when }: PlannedRow): boolean {
	return when?.is === 'now';
}

/** Gives all that a person should see before saying yes, the most important nearest to the question. */
export function orderLines({ plan: { rows } }: Answers, request: RunRequest): Paragraph[] {
	const { name, table, outDir } = request;
	const now = rows.filter(isOrderedNow);
	const csv = table.file === STANDARD_INPUT ? 'standard input' : table.file;
	const leftOut = table.rows.length - rows.length;
	const deferredRows = rows.filter(({ when }) => when?.is === 'deferred');
	return [
		...paidLines(now, request, commandForAll(now, request)),
		'',
		`${oneLine(name, NAME_WIDTH)}: ${csv}, into ${outDir}`,
		line('new', countKinds(now).new),
		...againCounts(now),
		...optional('failed before', countKinds(rows).failed, 'not ordered again by this command'),
		...optional('left out', leftOut, 'by --only or --where'),
		...optional(
			'beyond --max',
			rows.filter(({ when }) => when?.is === 'beyond_max').length,
			'left for the next run',
		),
		...optional('not this month', deferredRows.length, whenText(deferredRows)),
	];
}

/** Gives what is paid for again, which is said even if nobody is asked. */
export function againLines({ plan: { rows } }: Answers, request: RunRequest): Paragraph[] {
	const rowsAgain = rows.filter((row) => isOrderedNow(row) && kindOf(row) !== 'new');
	if (rowsAgain.length === 0) return [];
	const all = commandForAll(rowsAgain, request);
	return [...paidLines(rowsAgain, request, all), ...againCounts(rowsAgain)];
}

/** Asks "Order 60 briefs for Acme? 37 of 100 are left this month afterwards." */
export function orderQuestion(
	{ plan, allowance: { allowance, remaining } }: Answers,
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

/** Gives how many rows are ordered again, and why. */
function againCounts(rows: readonly PlannedRow[]): Paragraph[] {
	const { changed, again } = countKinds(rows);
	const rowsTriedAgain = rows.filter(({ again }) => again === 'retry');
	const reasons = [...groupBy(rowsTriedAgain, reasonOf)];
	const others = reasons.slice(FEW_ROWS).reduce((n, [, its]) => n + its.length, 0);
	return [
		...optional('changed', changed, 'ordered before with other content'),
		...optional('ordered again', again - rowsTriedAgain.length, '--order-again'),
		...reasons.slice(0, FEW_ROWS).map(([why, its]) => line('another try', its.length, why)),
		...optional('another try', others, 'other reasons: results.csv has them'),
	];
}

/** Gives why a row has no brief, and what another try is worth. */
function reasonOf(plannedRow: PlannedRow): string {
	const order = lastOrder(plannedRow);
	if (order === undefined) return '';
	if (order.state.stage === 'parked')
		return 'parked, and the brief may or may not exist. Look in the vendor’s web app first: if it does, another try pays for it twice.';
	const cure = cureOf({
		brief_id: order.state.briefId ?? '',
		error_code: errorCodeOf(order.cause),
		tries: order.try,
	});
	const why = whyFailed({ cause: commonCause(order.cause) });
	return `${oneLine(why, 200)} ${WORTH[cure]}`;
}

function whenText([first]: readonly PlannedRow[]): string {
	const when = first?.when;
	if (when?.is !== 'deferred' || when.until === null) return 'nothing of the allowance may be used';
	return `from ${dayInWords(Date.parse(when.until))} (UTC) on`;
}

/** Gives the command that writes all rows of an order to a file. */
function commandForAll(
	rows: readonly PlannedRow[],
	{ table, typedToBegin, outDir }: RunRequest,
): string {
	const options = (['changed', 'again'] as const).flatMap((kind) => {
		const its = rows.filter((row) => kindOf(row) === kind && row.again !== 'retry');
		return its.length === 0 ? [] : [OPTION[kind], rowsInCommand(its.map(({ row }) => row))];
	});
	const lastCommand = { lastCsv: table.file, lastOptions: typedToBegin };
	return `${commandFor('plan', lastCommand, outDir, ...options)} > plan.txt`;
}

/** The option that orders a row of this kind. */
const OPTION = { changed: '--order-changed', again: '--order-again' } as const;
