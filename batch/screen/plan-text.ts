import type { Allowance } from '../../service/list/allowance';
import { SLOTS } from '../../service/api/limits';
import { dayInWords } from '../../service/list/month';
import { STANDARD_INPUT } from '../csv/csv-text';
import { commonCause } from '../folder/journal/causes';
import { fileNameOf } from '../folder/records';
import { groupBy } from '../group-by';
import { rowsInCommand } from '../plan/row-selection';
import { isToOrder, lastOrder, type Plan, type PlannedRow } from '../plan/plan';
import { worthOf } from '../results/cures';
import { nextStepFor } from '../results/next-steps';
import { whyFailed } from '../results/words';
import { countAside, placeOf, type RunRequest } from '../run/request';
import { count, formatNumber, them } from '../text';
import { commandFor, folderCommand, type Paragraph } from '../command-text';
import { estimateOf } from './estimate';
import { plainPaint, type Paint } from './event-lines';
import { duration, FEW_ROWS, NAME_WIDTH, oneLine } from './format';
import { countKinds, kindOf } from './plan-rows';

/**
 * Gives the plan as a person reads it, after its rows.
 * @param allowance null if the service was not asked, or gave no answer
 */
export function planText(
	plan: Plan,
	allowance: Allowance | null,
	request: RunRequest,
	paint: Paint,
): Paragraph[] {
	const times = timeLines(plan, allowance, request);
	return [
		'',
		...planLines(plan, allowance, request, paint),
		...(times.length === 0 ? [] : [paint('bold', 'Time'), ...times]),
		...(allowance === null ? [paint('yellow', NOT_CHECKED)] : []),
		'\nNothing was ordered and nothing was written.',
		...(allowance === null ? [] : nextStep(plan, allowance, request)),
	];
}

/** Gives what a run would do with its rows, and what that takes of the allowance: `plan` and the question say the same. */
export function planLines(
	plan: Plan,
	allowance: Allowance | null,
	request: RunRequest,
	paint: Paint = plainPaint,
): Paragraph[] {
	const { name, table, outDir, keep } = request;
	const { rows, source } = plan;
	const csv = table.file === STANDARD_INPUT ? 'standard input' : table.file;
	const batch = source.batch === fileNameOf(csv) ? '' : `, batch “${source.batch}”`;
	const title = `${oneLine(name, NAME_WIDTH)}: ${csv}${batch}, into ${outDir}`;
	const aside = countAside({ table, rows: rows.map(({ row }) => row) });
	return [
		paint('bold', title),
		line('rows', rows.length),
		...optional('left out', aside.byWhere, 'by --where'),
		...optional('not in this run', aside.byOnly, 'by --only'),
		...countLines(rows, request),
		paint('bold', 'Allowance'),
		...allowanceLines(plan, allowance, keep),
	];
}

/** Gives how many rows are ordered again, and why. */
export function againLines(rows: readonly PlannedRow[]): Paragraph[] {
	const rowsAgain = rows.filter((row) => kindOf(row) === 'again');
	const rowsRetried = rowsAgain.filter(({ again }) => again === 'retry');
	const changed = rows.filter((row) => kindOf(row) === 'changed' && isToOrder(row));
	const reasons = [...groupBy(rowsRetried, reasonOf)];
	const others = reasons.slice(FEW_ROWS).reduce((n, [, its]) => n + its.length, 0);
	return [
		...optional('changed', changed.length, 'ordered before with other content, and now again'),
		...optional('ordered again', rowsAgain.length - rowsRetried.length, '--order-again'),
		...reasons.slice(0, FEW_ROWS).map(([why, its]) => line('another try', its.length, why)),
		...optional('another try', others, 'other reasons'),
	];
}

/** Gives why a row has no brief, and what another try is worth. */
function reasonOf(plannedRow: PlannedRow): string {
	const order = lastOrder(plannedRow);
	if (order === undefined) return '';
	if (order.state.stage === 'parked')
		return 'parked, and the brief may or may not exist. Look in the vendor’s web app first: if it does, another try pays for it twice.';
	const why = whyFailed({ cause: commonCause(order.cause) });
	return `${oneLine(why, 200)} ${worthOf(order)}`;
}

const NOT_CHECKED =
	'\nNot checked with the service: whether it accepts the key, how much of the allowance is left, and whether the workspace has briefs of these rows already.';

/** Gives how many rows there are of each kind, and the command for those that need one; what a run orders comes last. */
function countLines(rows: readonly PlannedRow[], request: RunRequest): Paragraph[] {
	const counts = countKinds(rows);
	const { ready, pending, duplicate, invalid, taken_over } = counts;
	const they = invalid === 1 ? 'it is' : 'they are';
	const briefs = taken_over === 1 ? 'its brief' : 'their briefs';
	const unanswered = countUnanswered(rows);
	return [
		...optional('ready', ready),
		...optional('pending', pending - unanswered, 'ordered by an earlier run, and to be fetched'),
		...optional(
			'pending',
			unanswered,
			`without an answer so far: the run finds out, and orders ${them(unanswered)} if need be`,
		),
		...optional('duplicates', duplicate, 'same content as another row, whose brief they share'),
		...optional('invalid', invalid, `not ordered until ${they} corrected`),
		...needyLines(rows, counts, request),
		...optional('taken over', taken_over, `the workspace or results/ has ${briefs}: not paid for`),
		line('new', counts.new),
		...againLines(rows),
	];
}

/** Counts the rows whose orders the service may have taken: what they take is not known. */
function countUnanswered(rows: readonly PlannedRow[]): number {
	return rows.filter(({ record }) => record?.state.stage === 'in_doubt').length;
}

/** Gives the rows that are not ordered before a person says so. */
function needyLines(
	rows: readonly PlannedRow[],
	{ failed, parked }: Readonly<Record<'failed' | 'parked', number>>,
	request: RunRequest,
): Paragraph[] {
	const place = placeOf(request, request.typedToBegin);
	const changedRows = rows.filter((row) => kindOf(row) === 'changed' && !isToOrder(row));
	const perhaps = rows.filter(({ todo }) => todo === 'park').map(({ row }) => row);
	const needy = (status: 'failed' | 'parked' | 'changed', n: number) => {
		const facts = { count: n, changedRows: changedRows.map(({ row }) => row) };
		const { text, command } = nextStepFor({ status, ...facts }, place);
		return optional(status, n, text, command);
	};
	return [
		...(request.retryUpTo === undefined
			? needy('failed', failed)
			: optional('failed', failed, 'not ordered by this command')),
		...needy('parked', parked - perhaps.length),
		...optional(
			'parked',
			perhaps.length,
			`perhaps ordered before; to order ${them(perhaps.length)} all the same:`,
			commandFor('run', place, '--order-again', rowsInCommand(perhaps)),
		),
		...needy('changed', changedRows.length),
	];
}

/** Gives the command that is to be typed next. */
function nextStep(plan: Plan, { resets_at }: Allowance, request: RunRequest): Paragraph[] {
	const { outDir, typedToBegin, typedForOnce } = request;
	const run = commandFor('run', placeOf(request, [...typedToBegin, ...typedForOnce]));
	const counts = countKinds(plan.rows);
	const shares = sharesOf(plan);
	const unanswered = countUnanswered(plan.rows);
	const more = unanswered === 0 ? '' : `, and up to ${unanswered} more`;
	if (shares.takes > 0)
		return [{ text: `To order ${count(shares.takes, 'brief')}${more}:`, command: run }];
	if (unanswered > 0)
		return [{ text: `To go on, for up to ${count(unanswered, 'brief')}:`, command: run }];
	if (counts.pending + counts.taken_over > 0)
		return [{ text: 'To fetch what is there, which costs nothing:', command: run }];
	if (counts.failed + counts.parked + counts.changed > 0)
		return [{ text: 'What each of these rows needs:', command: folderCommand('status', outDir) }];
	if (shares.deferred > 0)
		return [{ text: `From ${dayInWords(Date.parse(resets_at))} (UTC) on:`, command: run }];
	return counts.invalid > 0 ? ['Correct the invalid rows in the CSV first.'] : [];
}

function allowanceLines(plan: Plan, allowance: Allowance | null, keep: number): Paragraph[] {
	const { takes, deferred, beyond_max } = sharesOf(plan);
	const unanswered = countUnanswered(plan.rows);
	const more =
		unanswered === 0 ? '' : `and up to ${unanswered} more, for what has no answer so far`;
	const parts = [
		line('this run takes', takes, more),
		...optional('beyond --max', beyond_max, 'left for the next run'),
	];
	if (allowance === null) return [line('left', '?', 'the service was not asked'), ...parts];
	const { allowance: perMonth, remaining } = allowance;
	if (perMonth === null || remaining === null) {
		return [
			line('this month', '?', 'not known: the service itself refuses (429) what is beyond it'),
			line('used', allowance.used),
			...parts,
		];
	}
	const resetsOn = dayInWords(Date.parse(allowance.resets_at));
	const isKept = takes + beyond_max + deferred <= remaining;
	return [
		line('this month', perMonth, `resets on ${resetsOn} (UTC)`),
		line('used', allowance.used),
		line('left', remaining, keep > 0 ? `--keep ${keep} leaves that many unused` : ''),
		...parts,
		...optional('deferred', deferred, deferredNote(deferred, perMonth - keep, resetsOn, isKept)),
	];
}

/** Gives how many rows are ordered in this run, in the next one because of --max, and in the months to come. */
export function sharesOf({ rows }: Plan) {
	const at = (is: 'now' | 'beyond_max' | 'deferred') =>
		rows.filter(({ when }) => when?.is === is).length;
	return { takes: at('now'), beyond_max: at('beyond_max'), deferred: at('deferred') };
}

/** Estimates how long a run takes for what it orders, and for what it fetches. */
export function estimateOfPlan(plan: Plan, leaveSlots: number) {
	const briefs = sharesOf(plan).takes + countKinds(plan.rows).pending;
	return estimateOf(briefs, SLOTS - leaveSlots);
}

function timeLines(plan: Plan, allowance: Allowance | null, { leaveSlots }: RunRequest): string[] {
	const { shortest, likely, longest } = estimateOfPlan(plan, leaveSlots);
	const range = `${duration(shortest)} to ${duration(longest)}`;
	return [
		...(allowance === null ? [] : [line('running now', allowance.running, `of ${SLOTS} slots`)]),
		...(likely === 0
			? []
			: [
					line(
						'this run',
						`about ${duration(likely)}`,
						`(${range}, if nobody else uses the slots)`,
					),
				]),
	];
}

function line(name: string, value: number | string, note = ''): string {
	const text = typeof value === 'number' ? formatNumber(value) : value;
	return `  ${name.padEnd(22)}${text.padStart(9)}${note === '' ? '' : `   ${note}`}`;
}

/** @param command to copy, below the note that leads to it */
function optional(name: string, value: number, note = '', command?: string): Paragraph[] {
	return value > 0 ? [{ text: line(name, value, note), command }] : [];
}

function deferredNote(
	deferred: number,
	perMonth: number,
	resetsOn: string,
	isKept: boolean,
): string {
	if (perMonth <= 0) return '--keep leaves nothing of the allowance to use';
	const months = count(Math.ceil(deferred / perMonth), 'month');
	const when = `can go on from ${resetsOn}, over ${months}`;
	return isKept ? `because of --keep; ${when}` : when;
}
