import type { Allowance } from '../../service/list/allowance';
import { SLOTS } from '../../service/api/limits';
import { dayInWords, nextMonthStart } from '../../service/list/month';
import type { ExitCode } from '../exit-codes';
import { rowsInCommand } from '../plan/row-selection';
import { isToOrder, type Plan, type PlannedRow } from '../plan/plan';
import { count, formatNumber, them } from '../text';
import { commandFor, folderCommand, type Paragraph } from '../command-text';
import type { Estimate } from './estimate';
import type { Paint } from './event-lines';
import { duration } from './format';
import { kindOf, type Kind } from './plan-rows';
import type { Settings } from '../settings/settings';
import type { Stop } from '../stop';

/** The facts of a plan: what a run would do, and what it would cost. */
export interface ShownPlan {
	csv: string;
	plan: Plan;
	counts: Readonly<Record<Kind, number>>;
	/** The number of rows to order. */
	ready_to_go: number;
	/** Those of them in this run, in the next one because of --max, and in the months to come. */
	shares: { takes: number; beyond_max: number; deferred: number };
	/** Null if the service was not asked. */
	allowance: Allowance | null;
	estimate: Estimate;
	/** The missing setting without which the service could not be asked. */
	missing: Stop | null;
	/** The reason why the service, once asked, gave no answer. */
	failure: Stop | null;
	exitCode: ExitCode;
	/** The service's time in milliseconds. */
	now: number;
}

/** Gives the plan as a person reads it, after its rows. */
export function planText(plan: ShownPlan, settings: Settings, paint: Paint): Paragraph[] {
	const { csv, missing, failure } = plan;
	const { batch } = plan.plan.source;
	return [
		paint('bold', `\n${csv}, batch “${batch}”`),
		...rowLines(plan, settings),
		paint('bold', 'Allowance'),
		...allowanceLines(plan, settings),
		...titled(paint('bold', 'Time'), timeLines(plan)),
		...((missing ?? failure) ? [paint('yellow', NOT_CHECKED)] : []),
		...(missing === null ? [] : [`${missing.what} ${missing.cure}`]),
		'\nNothing was ordered and nothing was written.',
	];
}

function titled(title: string, lines: readonly Paragraph[]): Paragraph[] {
	return lines.length === 0 ? [] : [title, ...lines];
}

const NOT_CHECKED =
	'\nNot checked with the service: whether it accepts the key, how much of the allowance is left, and whether the workspace has briefs of these rows already.';

function rowLines({ csv, plan, counts }: ShownPlan, settings: Settings): Paragraph[] {
	const { outDir, typedToBegin } = settings;
	const lastCommand = { lastCsv: csv, lastOptions: typedToBegin };
	const { new: newRows, changed, taken_over: takenOver, unclear, again, under_way } = counts;
	const { done, failed, parked, invalid, duplicate: duplicates } = counts;
	const isNewApart = changed + takenOver + unclear + again > 0;
	const command = (option: string, rows: readonly PlannedRow[]) => {
		const names = rowsInCommand(rows.map(({ row }) => row));
		return commandFor('run', lastCommand, outDir, option, names);
	};
	const heldBack = plan.rows.filter((row) => kindOf(row) === 'changed' && !isToOrder(row));
	const perhaps = plan.rows.filter((row) => kindOf(row) === 'unclear');
	const it = them(heldBack.length);
	const changedNote = `ordered before with other content: put ${it} back, or order ${it} again:`;
	return [
		line('rows', plan.rows.length),
		line(isNewApart ? 'new' : 'ready to go', newRows),
		...(heldBack.length === 0
			? optional('changed', changed, CHANGED_AGAIN)
			: optional('changed', changed, changedNote, command('--order-changed', heldBack))),
		...optional(
			'taken over',
			takenOver,
			`the workspace or results/ has ${takenOver === 1 ? 'its brief' : 'their briefs'}: not paid for`,
		),
		...optional(
			'unclear',
			unclear,
			`perhaps ordered before, and parked; to order ${them(unclear)} all the same:`,
			command('--order-again', perhaps),
		),
		...optional('ordered again', again, 'taken over or parked before, and now ordered'),
		...optional('under way', under_way, 'ordered by an earlier run, taken up again'),
		line('already done', done),
		...optional(
			'failed before',
			failed,
			`a run does not order ${them(failed)} again, this does:`,
			commandFor('retry', lastCommand, outDir),
		),
		...optional(
			'parked',
			parked,
			`what ${parked === 1 ? 'it needs' : 'each of them needs'}:`,
			folderCommand('status', outDir),
		),
		line(
			'invalid',
			invalid,
			invalid === 0 ? '' : `left out until ${invalid === 1 ? 'it is' : 'they are'} corrected`,
		),
		line('duplicates', duplicates, duplicates === 0 ? '' : SHARED),
	];
}

function allowanceLines(
	{ allowance, shares, ready_to_go, now }: ShownPlan,
	{ keep }: Settings,
): Paragraph[] {
	const { takes, deferred, beyond_max } = shares;
	const parts = [
		line('this run takes', takes),
		...optional('beyond --max', beyond_max, 'left for the next run'),
	];
	if (allowance === null) return [line('left', '?', 'the service was not asked'), ...parts];
	const resetsOn = dayInWords(nextMonthStart(now));
	const { allowance: perMonth, remaining } = allowance;
	if (perMonth === null || remaining === null) {
		return [
			line('this month', '?', 'not known: the service itself refuses (429) what is beyond it'),
			line('used', allowance.used),
			...parts,
		];
	}
	const isKept = ready_to_go <= remaining;
	return [
		line('this month', perMonth, `resets on ${resetsOn} (UTC)`),
		line('used', allowance.used),
		line('left', remaining, keep > 0 ? `--keep ${keep} leaves that many unused` : ''),
		...parts,
		...optional('deferred', deferred, deferredNote(deferred, perMonth - keep, resetsOn, isKept)),
	];
}

function timeLines({ allowance, estimate, shares, counts }: ShownPlan): string[] {
	const { shortest, likely, longest } = estimate;
	const range = `${duration(shortest)} to ${duration(longest)}`;
	return [
		...(allowance === null ? [] : [line('running now', allowance.running, `of ${SLOTS} slots`)]),
		...(shares.takes + counts.under_way === 0
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

export function line(name: string, value: number | string, note = ''): string {
	const text = typeof value === 'number' ? formatNumber(value) : value;
	return `  ${name.padEnd(22)}${text.padStart(9)}${note === '' ? '' : `   ${note}`}`;
}

/** @param command to copy, below the note that leads to it */
export function optional(name: string, value: number, note: string, command?: string): Paragraph[] {
	return value > 0 ? [{ text: line(name, value, note), command }] : [];
}

const SHARED = 'same content as another row, whose brief they share';

const CHANGED_AGAIN = 'ordered before with other content, and now again';

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
