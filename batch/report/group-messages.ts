import {
	makeFinding,
	makeStep,
	type CommandWords,
	type Finding,
	type NextStep,
} from '../../core/finding';
import { formatCount, formatNumber } from '../../core/text';
import type { CommandBuilder } from '../plan/command-builder';
import type { GroupName } from './groups';
import { listNumbers, type ReportRow } from './report-row';
import { buildReorder, type Wording } from './row-messages';
import { isLeftForLater } from './row-state';

/* The sentences about groups of rows: what the rows have in common, then the commands that settle them. */

export interface GroupFinding extends Finding {
	readonly nextSteps: readonly GroupStep[];
}

interface GroupStep extends NextStep {
	/** The rows that the step settles; all rows of the group if missing. */
	readonly rows?: readonly ReportRow[];
}

export function describeGroup(
	group: GroupName,
	rows: readonly ReportRow[],
	context: GroupContext,
): GroupFinding {
	return DESCRIPTIONS[group]?.(rows, context.wording.buildCommand, context) ?? makeFinding('');
}

interface GroupContext {
	readonly wording: Wording;
	/** Briefs per month; null if unknown. */
	readonly monthlyLimit: number | null;
	/** Rows that a plan orders, and that have no order yet. */
	readonly newRows: readonly number[];
}

type Describe = (
	rows: readonly ReportRow[],
	build: CommandBuilder,
	context: GroupContext,
) => GroupFinding;

/** Groups without an entry need no explanation. */
const DESCRIPTIONS: Readonly<Partial<Record<GroupName, Describe>>> = {
	to_resend: (rows) =>
		makeFinding(
			`An earlier request got no usable answer. The run sends ${pick(rows, 'this order', 'these orders')} again, and pays only for a brief that was not created yet.`,
		),
	to_reuse_failed: (rows, build) =>
		makeFinding(
			`The run records ${pick(rows, 'this failure', 'these failures')} at no cost, and orders nothing for ${pick(rows, 'the row', 'the rows')}.`,
			makeStep(
				`After the run, to order ${pick(rows, 'it again (one brief):', 'them again, one brief each:')}`,
				build('retry'),
			),
		),
	needs_review: (rows, build) =>
		makeFinding(
			`Nothing is ordered for ${pick(rows, 'this row', 'these rows')} until you decide.`,
			...allowDamaged(rows, build),
		),
	changed: (rows, build) =>
		makeFinding(
			`Edited after ${pick(rows, 'it was', 'they were')} ordered.`,
			makeStep(
				`Undo the ${pick(rows, 'edit', 'edits')}, or keep the current ${pick(rows, 'brief', 'briefs')} (orders nothing new):`,
				build('run', '--accept-edits', joinNumbers(rows), '--max', '0'),
			),
			makeStep(
				pick(rows, 'Or order a new brief:', 'Or order new briefs, one each:'),
				buildReorder(build, joinNumbers(rows)),
			),
		),
	failed: (rows, build) => makeFinding(describeRetry(rows), ...retryFailed(rows, build)),
	invalid: (rows, build) =>
		suggest(
			`Not ordered. Correct ${pick(rows, 'this row', 'these rows')} in the CSV, then run:`,
			build('run'),
		),
	unconfirmed: (rows, build) =>
		suggest(
			`The next run looks for ${pick(rows, 'this brief, and sends its order', 'these briefs, and sends their orders')} again only if there is none:`,
			build('run'),
		),
	being_written: (rows, build) =>
		suggest(
			`To wait for ${pick(rows, 'it and save it', 'them and save them')} (orders nothing new):`,
			build('run', '--max', '0'),
		),
	not_saved: (rows, build) =>
		makeFinding(
			`The ${pick(rows, 'brief is finished, and its files are', 'briefs are finished, and their files are')} missing.`,
			makeStep(
				`To save ${pick(rows, 'it', 'them')} (orders nothing new):`,
				build('run', '--max', '0'),
			),
		),
	not_ordered: (rows, build) => {
		const command = build('run');
		return makeFinding(
			listReasons(rows),
			makeStep(
				rows.length > 1 && command.includes('--max')
					? 'To order the next of them (without --max: all of them), one brief each:'
					: pick(rows, 'To order it (one brief):', 'To order them, one brief each:'),
				command,
			),
		);
	},
	not_reordered: describeNotReordered,
	removed: (rows, build, { newRows }) => makeFinding('', ...keepRewritten(rows, newRows, build)),
	deferred: (rows, build, { monthlyLimit }) =>
		makeFinding(listReasons(rows), makeStep(nameMonths(rows.length, monthlyLimit), build('run'))),
};

/** A row whose product was rewritten looks like a new row, and its order like that of a row that was removed. */
function keepRewritten(
	rows: readonly ReportRow[],
	newRows: readonly number[],
	build: CommandBuilder,
): NextStep[] {
	const lost = rows.filter(
		({ state, brief }) => state.kind === 'ready' && state.order.hasRows && brief !== null,
	);
	if (lost.length === 0 || newRows.length === 0) return [];
	const [row, other] = newRows;
	const [order, otherOrder] = lost;
	const text = 'If you have rewritten a row, it can keep its brief (orders nothing new)';
	if (other !== undefined || otherOrder !== undefined)
		return [makeStep(`${text}, with --use-brief ROW=BRIEF_ID.`)];
	const brief = `${row ?? ''}=${order?.brief?.id ?? ''}`;
	// The names differ, which has to be confirmed.
	const confirmed = ['--allow', 'other-product'];
	return [makeStep(`${text}:`, build('run', '--use-brief', brief, '--max', '0', ...confirmed))];
}

function nameMonths(briefs: number, monthlyLimit: number | null): string {
	const months = monthlyLimit === null ? 1 : countMoreMonths(briefs, monthlyLimit);
	if (months === null) return 'The licence allows no briefs. With a larger licence, run:';
	if (months === 1) return 'Next month, run:';
	return `They need ${formatCount(months, 'more month')}. In each, run:`;
}

/** Returns in how many months these briefs can be ordered; null if the licence allows none. */
export function countMoreMonths(briefs: number, monthlyLimit: number): number | null {
	return monthlyLimit === 0 ? null : Math.ceil(briefs / monthlyLimit);
}

/** Returns a command without a message. */
function suggest(text: string, command: CommandWords): Finding {
	return makeFinding('', makeStep(text, command));
}

function pick(rows: readonly ReportRow[], one: string, many: string): string {
	return rows.length === 1 ? one : many;
}

function joinNumbers(rows: readonly ReportRow[]): string {
	return listNumbers(rows).join(',');
}

function listReasons(rows: readonly ReportRow[]): string {
	return [...new Set(rows.map(({ reason }) => reason))].join(' ').trim();
}

/** A single damaged row has its own command. */
function allowDamaged(rows: readonly ReportRow[], build: CommandBuilder): GroupStep[] {
	const damaged = rows.filter(({ state }) => state.kind === 'damaged');
	if (damaged.length < 2) return [];
	const command = build('run', '--only', joinNumbers(damaged), '--allow', 'damaged-rows');
	return [{ ...makeStep('To order all damaged rows as they are:', command), rows: damaged }];
}

/** A rejected order has paid for nothing. */
function describeRetry(rows: readonly ReportRow[]): string {
	const failed = rows.filter(({ state }) => state.kind === 'failed');
	const codes = [...new Set(failed.map(({ errorCode }) => errorCode))];
	if (failed.length === 0) return '';
	return `A retry pays for another brief, which can fail in the same way (${codes.join(', ')}).`;
}

/** An edited row is sent with its new text. */
function isContentRefused({ state }: ReportRow): boolean {
	if (state.kind !== 'refused' || state.isEdited) return false;
	return state.order.state.kind === 'rejected' && state.order.state.isAboutRow;
}

/** Rows that `retry` skips have a command of their own. */
function retryFailed(rows: readonly ReportRow[], build: CommandBuilder): GroupStep[] {
	const retried = rows.filter(({ nextSteps }) => nextSteps.length === 0);
	// Unchanged, the service would refuse these rows again.
	const refused = retried.filter(isContentRefused);
	const failed = retried.filter((row) => !isContentRefused(row));
	const correct = `In the CSV, correct the ${pick(refused, 'row', 'rows')} that the service refused. Then:`;
	const steps = [
		{ ...makeStep(nameRetry(failed.length, rows.length), build('retry')), rows: failed },
		{ ...makeStep(correct, build('retry')), rows: refused },
	];
	return steps.filter((step) => step.rows.length > 0);
}

/** @param all rows of the group, of which `failed` rows are retried */
function nameRetry(failed: number, all: number): string {
	if (failed < all) return `To order ${formatNumber(failed)} of them again, one brief each:`;
	return failed === 1 ? 'To order it again (one brief):' : 'To order them again, one brief each:';
}

function describeNotReordered(rows: readonly ReportRow[], build: CommandBuilder): GroupFinding {
	const postponed = rows.filter(({ state }) => isLeftForLater(state));
	if (postponed.length === 0)
		return makeFinding(
			`You named ${pick(rows, 'this row', 'these rows')}, but nothing had to be done.`,
		);
	const text = 'Not ordered again yet. To order them, one brief each:';
	const step = makeStep(text, buildReorder(build, joinNumbers(postponed)));
	return { message: '', nextSteps: [{ ...step, rows: postponed }] };
}
