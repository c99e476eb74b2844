import { nextMonthStart } from '../../core/dates';
import type { CommandWords, Finding, NextStep } from '../../core/finding';
import type { BriefSummary } from '../../core/api/types';
import type { ExitCode } from '../exit-codes';
import type { RunTotals } from '../orders/runs';
import { formatCommand } from '../text';
import { countMoreMonths } from './group-messages';
import type { Report, ReportGroup } from './report';
import { listNumbers, type ReportRow } from './report-row';
import { ROW_STATUSES, type RowStatus } from './row-state';

/*
 * The objects of --json. Their shape is a promise, which batch/schema.json describes. A field without a value is null.
 */

/** What a run has done, or a plan does, for a row. */
export type JsonAction = 'order' | 'send_again' | 'reuse' | 'wait' | 'accept_edit' | 'none';

interface JsonStep {
	readonly text: string;
	readonly command: string | null;
	readonly argv: readonly string[] | null;
	/** The most new briefs that the command can order; null if unknown. */
	readonly briefs: number | null;
}

interface JsonProblem {
	readonly code: string;
	readonly message: string;
	readonly next_steps: readonly JsonStep[];
	/** The briefs of others that hold the slots. */
	readonly briefs: readonly object[];
}

/** The part of a run's object that says what the briefs cost. */
export interface JsonCost {
	readonly to_order: number;
	readonly to_order_in_all: number;
	readonly months: number | null;
	readonly allowance: number | null;
	readonly allowance_left: number | null;
	readonly resets_at: string;
	readonly licence_renews_or_ends_at: string | null;
}

export interface JsonRun {
	readonly started_at: string;
	readonly ended_at: string | null;
	readonly is_running: boolean;
	/** The four counts are null until the run has ended, and if it was killed. */
	readonly ordered: number | null;
	readonly sent_again: number | null;
	readonly reused: number | null;
	readonly saved: number | null;
	readonly briefs_with_warnings: number | null;
}

export interface JsonFolder {
	readonly name: string;
	readonly csv: string | null;
	readonly out: string;
	readonly exit_code: ExitCode;
	readonly error: JsonProblem | null;
	readonly counts: Partial<Record<RowStatus, number>> | null;
	readonly cost: JsonCost | null;
	readonly run: JsonRun | null;
	readonly needs_you: number | null;
	readonly stop: JsonProblem | null;
	readonly confirmations: readonly object[];
	readonly next_steps: readonly object[];
	readonly notices: readonly string[];
	readonly rows: readonly object[] | null;
	readonly other_briefs: readonly object[] | null;
}

/** The fields of a folder about which nothing was read. */
export const UNREAD_FOLDER = {
	csv: null,
	counts: null,
	cost: null,
	run: null,
	needs_you: null,
	stop: null,
	confirmations: [],
	next_steps: [],
	notices: [],
	rows: null,
	other_briefs: null,
} as const satisfies Partial<JsonFolder>;

export function toJsonProblem(
	code: string,
	{ message, nextSteps }: Finding,
	briefs: readonly BriefSummary[] = [],
): JsonProblem {
	return {
		code,
		message,
		next_steps: nextSteps.flatMap(toJsonSteps),
		briefs: briefs.map(({ id, product_name, url, created_at }) => ({
			id,
			product_name,
			url,
			created_at,
		})),
	};
}

/** Several commands of a step become several steps. */
export function toJsonSteps({ text, commands = [], briefs }: NextStep): JsonStep[] {
	if (commands.length === 0) return [{ text, command: null, argv: null, briefs: null }];
	return commands.map((argv) => {
		return { text, command: formatCommand(argv), argv, briefs: briefs ?? countMostBriefs(argv) };
	});
}

/** Returns the most new briefs that a command can order; null if it names no limit. */
function countMostBriefs(argv: CommandWords): number | null {
	const read = (flag: string) => (argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined);
	const [max, only = ''] = [read('--max'), read('--only')];
	if (max !== undefined) return Number(max);
	return /^\d+(,\d+)*$/.test(only) ? only.split(',').length : null;
}

export function toJsonConfirmations(
	confirmations: ReadonlyArray<Finding & { readonly code: string }>,
): object[] {
	return confirmations.map(({ code, message, nextSteps }) => ({
		code,
		message,
		next_steps: nextSteps.flatMap(toJsonSteps),
	}));
}

/** @param totals null if the run has not ended */
export function toJsonRun(
	totals: RunTotals | null,
	run: Omit<JsonRun, 'ordered' | 'sent_again' | 'reused' | 'saved'>,
): JsonRun {
	return {
		...run,
		ordered: totals?.ordered ?? null,
		sent_again: totals?.sentAgain ?? null,
		reused: totals?.reused ?? null,
		saved: totals?.saved ?? null,
	};
}

interface CostInput {
	/** Null if the service was not asked. */
	readonly allowance: { readonly limit: number; readonly left: number } | null;
	readonly toOrder: number;
	/** The briefs of rows beyond --max and the month. */
	readonly toOrderLater: number;
	readonly licenceEnd: number | null;
	/** The service's clock. */
	readonly now: number;
}

export function toJsonCost({
	allowance,
	toOrder,
	toOrderLater,
	licenceEnd,
	now,
}: CostInput): JsonCost {
	const inAll = toOrder + toOrderLater;
	return {
		to_order: toOrder,
		to_order_in_all: inAll,
		months: allowance && countAllMonths(inAll, allowance),
		allowance: allowance?.limit ?? null,
		allowance_left: allowance?.left ?? null,
		resets_at: toIso(nextMonthStart(now)),
		licence_renews_or_ends_at: licenceEnd === null ? null : toIso(licenceEnd),
	};
}

/** Returns how many months the briefs take, this month included; null if the licence allows none. */
function countAllMonths(
	briefs: number,
	{ limit, left }: { readonly limit: number; readonly left: number },
): number | null {
	if (briefs === 0) return 0;
	if (briefs <= left) return 1;
	const more = countMoreMonths(briefs - left, limit);
	return more && 1 + more;
}

function toIso(instant: number): string {
	return new Date(instant).toISOString();
}

/** Returns the fields of a folder that follow from its report. */
export function toJsonReport(
	{ rows, groups, counts }: Report,
	isCsvRead: boolean,
	getAction: (row: ReportRow) => JsonAction | null,
) {
	const describe = (row: ReportRow) => toJsonRow(row, getAction(row));
	const inCsv = rows.filter(({ place }) => place.kind === 'row');
	const others = rows.filter(({ place }) => place.kind !== 'row');
	return {
		counts: isCsvRead ? pickRowCounts(counts) : null,
		needs_you: countNeedsUser(groups),
		next_steps: groups.flatMap(toGroupSteps),
		rows: isCsvRead ? inCsv.map(describe) : null,
		other_briefs: others.map(describe),
	};
}

function pickRowCounts(counts: Report['counts']): Partial<Record<RowStatus, number>> {
	return Object.fromEntries(ROW_STATUSES.map((status) => [status, counts[status]]));
}

function countNeedsUser(groups: readonly ReportGroup[]): number {
	return groups.reduce((sum, { needsUser, rows }) => sum + (needsUser ? rows.length : 0), 0);
}

export function toGroupSteps({
	rows,
	nextSteps,
}: Pick<ReportGroup, 'rows' | 'nextSteps'>): object[] {
	return nextSteps.flatMap((step) => {
		const settled = step.rows ?? rows;
		const fields = { state: settled[0]?.state.kind ?? '', rows: listNumbers(settled) };
		return toJsonSteps(step).map((jsonStep) => ({ ...jsonStep, ...fields }));
	});
}

function toJsonRow(row: ReportRow, action: JsonAction | null): object {
	const { place, brief, file, state } = row;
	return {
		row: place.kind === 'row' ? place.number : null,
		row_id: row.rowId,
		product_name: row.name,
		status: row.status,
		state: place.kind === 'row' || place.kind === 'unread' ? state.kind : place.kind,
		action,
		same_as_row: row.duplicateOf,
		reason: row.message || null,
		next_steps: row.nextSteps.flatMap(toJsonSteps),
		brief_id: brief?.id ?? null,
		brief_title: brief?.title ?? null,
		brief_url: brief?.url || null,
		brief_file: file === null ? null : `results/${file}.md`,
		brief_error_code: row.errorCode || null,
		brief_created_at: brief?.created_at ?? null,
		brief_finished_at: brief?.finished_at ?? null,
		brief_warnings: row.warnings,
	};
}
