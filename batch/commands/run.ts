import { toCliError } from './to-cli-error';
import type { ExitCode } from '../exit-codes';
import { makeNotification, makeRefusalNotification } from '../report/notification';
import { ResultsWriter } from './results-writer';
import { isStop } from '../report/exit-code';
import type { Overview } from '../report/overview';
import type { RunPlan } from '../plan/plan-run';
import { executePlan } from '../run/execute-plan';
import type { RunEnd } from '../run/run-end';
import { openSession, type CommandContext, type ConnectedSession } from './session';
import { Cancellation, confirmOrders } from '../terminal/question';
import { formatNews, formatSummary } from '../terminal/summary';
import { hasNews, notify } from './notify';
import { preparePlan } from './plan';
import { logWaits, showProgress } from './run-progress';
import { saveResults } from './save-results';
import { makeScope } from './selection';
import { makeSubject } from './subject';

/** `run` and `retry`: plan, ask, carry out, report. */
export async function runCommand(command: CommandContext): Promise<ExitCode> {
	const { console, ports } = command;
	const session = await openSession(command, 'write').catch(async (error: unknown) => {
		await notifyRefusal(command, error, ports.clock.now());
		throw error;
	});
	const stopLog = logWaits(console, session);
	try {
		for (const notice of session.table.notices) console.event(notice);
		const plan = await agreeOnPlan(command, session);
		return await executeAndReport(command, session, plan);
	} finally {
		stopLog();
		console.stopLive();
		await session.folder.close();
	}
}

/** @throws {CliError} if the run is refused, or the user says no */
async function agreeOnPlan(command: CommandContext, session: ConnectedSession): Promise<RunPlan> {
	const { invocation, console, signal } = command;
	try {
		const terminal = console.canAsk ? 'can_ask' : 'without_terminal';
		const { plan, view } = await preparePlan(invocation, session, terminal);
		await confirmOrders(console, view, invocation.settings.yes, signal);
		return plan;
	} catch (error) {
		const now = session.context.client.now();
		const isUserAction = signal.aborted || error instanceof Cancellation;
		const refusal = toCliError(error, now);
		if (isUserAction || !isStop(refusal.exitCode)) throw error;
		await session.folder.store.saveAbortedStart(refusal);
		await notifyRefusal(command, error, now);
		throw error;
	}
}

/** Posts why a run ended before its first order. */
async function notifyRefusal(command: CommandContext, error: unknown, now: number): Promise<void> {
	const { files, settings } = command.invocation;
	const refusal = toCliError(error, now);
	if (!isStop(refusal.exitCode)) return;
	const [csv = ''] = files;
	const subject = makeSubject(settings.out, settings.name, csv, now);
	await notify(command, makeRefusalNotification(subject, refusal, now));
}

async function executeAndReport(
	command: CommandContext,
	session: ConnectedSession,
	plan: RunPlan,
): Promise<ExitCode> {
	const { invocation, console } = command;
	const { out, name, quiet } = invocation.settings;
	const { folder, table, context } = session;
	const { last, lastStarted } = folder.store.runs;
	const save = async (overview: Overview) => {
		// A run can end in another month than it began.
		const subject = makeSubject(out, name, table.file, context.client.now());
		return { subject, files: await saveResults(session, subject, overview) };
	};
	const end = await executeWithProgress(command, session, plan, save);
	const { subject, files } = await save(end.overview);
	const summary = formatSummary(subject, end, files, console.paint);
	const isNews = hasNews(end, { last, lastStarted });
	if (!quiet) console.print(summary);
	else if (isNews) console.print([formatNews(subject, end), ...summary]);
	if (isNews) await notify(command, makeNotification(subject, end));
	return end.exitCode;
}

/** @param save writes the results; called while the run is in progress, too */
async function executeWithProgress(
	{ invocation, console }: CommandContext,
	session: ConnectedSession,
	plan: RunPlan,
	save: (overview: Overview) => Promise<unknown>,
): Promise<RunEnd> {
	const { maxFailures, name = null, envFile: profiles } = invocation.settings;
	const results = new ResultsWriter(session.clock);
	const onResult = (describeNow: () => Overview) => results.request(() => save(describeNow()));
	const scope = makeScope(plan.selection, session);
	await showProgress(console, session, plan);
	try {
		return await executePlan(session, plan, scope, { maxFailures, name, profiles, onResult });
	} finally {
		await results.finish();
		console.stopLive();
	}
}
