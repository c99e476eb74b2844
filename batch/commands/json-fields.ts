import { resolve } from 'node:path';
import { makeFinding } from '../../core/finding';
import { formatCount } from '../../core/text';
import type { CliError } from '../cli-error';
import type { RunPlan } from '../plan/plan-run';
import type { PlannedRow } from '../plan/planned-row';
import { isStop, rateFolder } from '../report/exit-code';
import {
	toJsonConfirmations,
	toJsonCost,
	toJsonProblem,
	toGroupSteps,
	toJsonReport,
	toJsonRun,
	UNREAD_FOLDER,
	type JsonAction,
	type JsonCost,
} from '../report/json';
import { findSavedRows, type ReportRow } from '../report/report-row';
import type { RunEnd } from '../report/run-end';
import type { Subject } from '../report/subject';
import type { RowOutcome } from '../run/row-outcome';
import type { PlanView, StatusView } from '../terminal/types';

/* What `plan`, `run` and `retry` add to the object of --json, as they learn it. */

export function toJsonSubject({ name, csv, folder }: Subject): object {
	return { name, csv: csv === null ? null : resolve(csv), out: resolve(folder) };
}

/** What the cost of a plan is computed from. */
interface CostFacts {
	/** The allowance of this month; null if the service was not asked. */
	readonly allowance: { readonly limit: number; readonly left: number } | null;
	readonly licenceEnd: number | null;
	/** The service's clock. */
	readonly now: number;
}

export function toJsonPlan(
	view: PlanView,
	planned: readonly PlannedRow[],
	facts: CostFacts,
): object {
	const { report, notices, missing } = view;
	const fields = toJsonReport(report, true, getPlannedAction);
	const cost = toPlanCost(planned, facts);
	return {
		...toJsonSubject(view),
		...fields,
		next_steps: [...toOrderSteps(view, cost.to_order), ...fields.next_steps],
		cost,
		notices,
		confirmations: toJsonConfirmations(missing),
	};
}

function toOrderSteps({ report, runCommand }: PlanView, briefs: number): object[] {
	const text = `To order ${formatCount(briefs, 'brief')}:`;
	const nextSteps = [{ text, commands: [runCommand], briefs }];
	const group = report.groups.find(({ name }) => name === 'to_order');
	return group === undefined ? [] : toGroupSteps({ rows: group.rows, nextSteps });
}

function toPlanCost(planned: readonly PlannedRow[], facts: CostFacts): JsonCost {
	const unique = planned.filter(({ duplicateOf }) => duplicateOf === null);
	const toOrder = unique.filter(({ action }) => action.kind === 'order').length;
	const isLater = ({ action }: PlannedRow) =>
		action.kind === 'leave' &&
		(action.reason === 'beyond_max' || action.reason === 'beyond_allowance');
	return toJsonCost({ toOrder, toOrderLater: unique.filter(isLater).length, ...facts });
}

function getPlannedAction({ state }: ReportRow): JsonAction {
	switch (state.kind) {
		case 'to_order':
			return 'order';
		case 'to_resend':
			return 'send_again';
		case 'to_reuse':
		case 'to_reuse_failed':
			return 'reuse';
		case 'being_written':
		case 'not_saved':
			return 'wait';
		default:
			return 'none';
	}
}

interface EndedRun {
	readonly plan: RunPlan;
	readonly outcomes: readonly RowOutcome[];
	readonly end: RunEnd;
	/** ISO 8601. */
	readonly startedAt: string;
}

export function toJsonEndedRun({ plan, outcomes, end, startedAt }: EndedRun): object {
	const { report, savedIds, totals, stop, allowance, licenceEnd, now, at } = end;
	const actions = findActions(outcomes, plan.selection);
	return {
		...toJsonReport(report, true, ({ place }) =>
			place.kind === 'row' ? (actions.get(place.number) ?? 'none') : null,
		),
		cost: toPlanCost(plan.planned, { allowance, licenceEnd, now }),
		run: toJsonRun(totals, {
			started_at: startedAt,
			ended_at: at,
			is_running: false,
			briefs_with_warnings: findSavedRows(report, savedIds).filter(hasWarnings).length,
		}),
		stop: stop?.finding == null ? null : toJsonProblem(stop.code, stop.finding, stop.briefs),
		confirmations: [],
	};
}

function hasWarnings({ warnings }: ReportRow): boolean {
	return warnings.length > 0;
}

/** Returns what the run has done, by row number. */
function findActions(
	outcomes: readonly RowOutcome[],
	{ choices }: RunPlan['selection'],
): ReadonlyMap<number, JsonAction> {
	return new Map(
		outcomes.map((outcome) => {
			const { number } = outcome.row;
			const isAccepted = choices.get(number)?.kind === 'accept_edit';
			return [number, isAccepted ? 'accept_edit' : toAction(outcome)];
		}),
	);
}

function toAction({ action, match, planned }: RowOutcome): JsonAction {
	// The run has left the row, or has not reached it.
	if (action.kind === 'leave' || match.kind === 'new') return 'none';
	switch (planned.action.kind) {
		case 'order':
		case 'reuse':
			return planned.action.kind;
		case 'resend':
			return 'send_again';
		default:
			return isWaitedFor(planned) ? 'wait' : 'none';
	}
}

function isWaitedFor({ match }: PlannedRow): boolean {
	return match.kind !== 'new' && match.order.state.kind === 'accepted';
}

/** Returns the object of a folder for `status`. */
export function toJsonFolder(view: StatusView): object {
	const { report, isCsvRead, lastRun, isRunning } = view;
	const { end, startedAt } = lastRun;
	return {
		exit_code: rateFolder(view),
		error: null,
		...UNREAD_FOLDER,
		...toJsonSubject(view),
		...toJsonReport(report, isCsvRead, () => null),
		run: toJsonRun(end?.totals ?? null, {
			started_at: startedAt,
			ended_at: end?.at ?? null,
			is_running: isRunning,
			briefs_with_warnings: null,
		}),
		stop: toJsonLastStop(view),
	};
}

function toJsonLastStop({ lastRun: { end }, isRunning }: StatusView): object | null {
	if (isRunning) return null;
	if (end === null) return toJsonProblem('killed', makeFinding('The last run was killed.'));
	if (end.stop === null || !isStop(end.stop)) return null;
	return toJsonProblem(end.stop.code, makeFinding(end.message ?? ''));
}

/** Returns the object of a folder that cannot be read. */
export function toJsonUnreadFolder(folder: string, name: string, error: CliError): object {
	return {
		name,
		out: resolve(folder),
		exit_code: error.exitCode,
		error: toJsonProblem(error.code, error),
		...UNREAD_FOLDER,
	};
}
