import { nameCsvOptions } from '../cli/command-line';
import type { Invocation } from '../cli/program';
import { findHints } from '../csv/hints';
import { EXIT, type ExitCode } from '../exit-codes';
import { rateChecks, ratePlan } from '../report/exit-code';
import type { GroupName } from '../report/groups';
import { makeReport, type Report } from '../report/report';
import { planOffline, planRun, type RunPlan } from '../plan/plan-run';
import type { PlannedRow } from '../plan/planned-row';
import {
	openOffline,
	openSession,
	type CommandContext,
	type OnlineSession,
	type OfflineSession,
} from './session';
import { formatPlan } from '../terminal/plan-view';
import type { PlanView } from '../terminal/types';
import { toJsonPlan } from './json-fields';
import { logWaits } from './run-progress';
import { makeScope, resolveSelection } from './selection';
import { makeSubject } from '../cli/subject';

/**
 * `plan`: everything up to the question, as in a run without a terminal. Ends with the exit code that `run` would end with if
 * every order succeeded. Without an API key, only the rows are checked.
 */
export async function planCommand(command: CommandContext): Promise<ExitCode> {
	const { invocation, console } = command;
	if (invocation.settings.apiKey === '') return await checkRows(command);
	const session = await openSession(command, 'read');
	const stopLog = logWaits(console, session);
	const prepared = preparePlan(invocation, session, 'without_terminal');
	const { plan, view } = await prepared.finally(stopLog);
	console.print(formatPlan(view, console.paint));
	if (view.missing.length > 0) return EXIT.unusable;
	return ratePlan(view.report, makeScope(plan.selection, session));
}

/** Plans from the CSV and the folder alone: the briefs of the workspace and the allowance are unknown. */
async function checkRows(command: CommandContext): Promise<ExitCode> {
	const { invocation, console } = command;
	const session = await openOffline(command, 'read');
	const selection = resolveSelection(invocation, session, false);
	const { rows } = session.table;
	const { max = null } = invocation.settings;
	const now = session.clock.now();
	const planned = planOffline(rows, session.folder.store.orders, { selection, max, now });
	const view = makePlanView(invocation, session, planned, null);
	const facts = { allowance: null, licenceEnd: null, now };
	invocation.publish(() => toJsonPlan(view, planned, facts));
	console.print(formatPlan(view, console.paint));
	return rateChecks(view.report, makeScope(selection, session));
}

/** The plan, and what the question shows of it. */
interface PreparedPlan {
	readonly plan: RunPlan;
	readonly view: PlanView;
}

/** @throws {UsageProblem} if an option names no usable row */
export async function preparePlan(
	invocation: Invocation,
	session: OnlineSession,
	terminal: 'can_ask' | 'without_terminal',
): Promise<PreparedPlan> {
	const { settings } = invocation;
	const selection = resolveSelection(invocation, session, terminal === 'can_ask');
	const { max = null } = settings;
	const plan = await planRun(session, selection, { max });
	const view = makePlanView(invocation, session, plan.planned, plan);
	const { allowance, now } = plan.facts;
	const facts = {
		allowance: { limit: allowance.limit, left: allowance.remaining },
		licenceEnd: session.workspace.allowance.getLicenceEnd(),
		now,
	};
	invocation.publish(() => toJsonPlan(view, plan.planned, facts));
	return { plan, view };
}

/** @param plan null if the service was not asked */
function makePlanView(
	{ settings }: Invocation,
	session: OfflineSession,
	planned: readonly PlannedRow[],
	plan: RunPlan | null,
): PlanView {
	const { folder, table, wording, clock, commandLine } = session;
	const now = plan?.facts.now ?? clock.now();
	const orders = plan?.facts.orders ?? folder.store.orders;
	const confirmations = plan?.confirmations ?? [];
	const missing = confirmations.filter(({ code }) => !settings.allow.has(code));
	const codes = [...new Set(missing.map(({ code }) => code))];
	const allow = codes.length === 0 ? [] : ['--allow', codes.join(',')];
	const allowance = plan?.facts.allowance ?? null;
	const monthlyLimit = allowance?.limit ?? null;
	const report = makeReport({
		orders,
		rows: planned,
		allowanceLeft: null,
		monthlyLimit,
		now,
		wording,
	});
	return {
		...makeSubject(settings.out, settings.name, table.file),
		now,
		report,
		notices: [
			...table.columnNotices,
			...(plan?.notices ?? []),
			...table.notices.map((notice) => nameCsvOptions(notice).message),
		],
		hints: findHints(table).map(nameCsvOptions),
		allowance,
		missing,
		runCommand: commandLine.repeat(),
		confirmedCommand: commandLine.repeat(...allow),
		permittedCommand: commandLine.repeat(...allow, '--yes'),
		otherWorkCommand: hasOtherWork(report) ? commandLine.repeat('--max', '0') : null,
	};
}

const OTHER_WORK: readonly GroupName[] = [
	'to_resend',
	'to_reuse',
	'to_reuse_failed',
	'being_written',
	'not_saved',
];

/** True if a run that orders nothing new has something to do. */
function hasOtherWork({ groups }: Report): boolean {
	return groups.some(({ name }) => OTHER_WORK.includes(name));
}
