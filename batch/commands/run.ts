import { resolve } from 'node:path';
import { ServiceError } from '../../core/api/errors';
import { nameCsvOptions } from '../cli/command-line';
import type { CliError } from '../cli-error';
import type { ExitCode } from '../exit-codes';
import { FolderStore } from '../folder/folder-store';
import type { NewRun, RunEntry } from '../orders/runs';
import type { RunPlan } from '../plan/plan-run';
import { isStop, rateRows, rateRun, type Scope } from '../report/exit-code';
import { formatNews, hasNews, isStopNews } from '../report/news';
import { makeNotification, makeRefusalNotification } from '../report/notification';
import { makeReport, type Report } from '../report/report';
import { describeStop, toEntryEnd, type DescribedStop, type RunEnd } from '../report/run-end';
import type { Wording } from '../report/row-messages';
import { Run } from '../run/run';
import type { RunStop } from '../run/run-stop';
import { Cancellation, confirmOrders } from '../terminal/question';
import { formatSummary } from '../terminal/summary';
import type { ResultFiles } from '../terminal/types';
import { toJsonEndedRun } from './json-fields';
import { notify } from './notify';
import { preparePlan } from './plan';
import { reportCurrentRows } from './read-folder';
import { ResultsWriter } from './results-writer';
import { logWaits, showProgress } from './run-progress';
import { saveResults } from './save-results';
import { makeScope } from './selection';
import { openSession, type CommandContext, type OnlineSession } from './session';
import { makeSubject } from '../cli/subject';
import { toCliError } from './to-cli-error';

/** What `run` or `retry` has planned and done. */
interface RunResult {
	readonly exitCode: ExitCode;
	readonly plan: RunPlan;
	readonly end: RunEnd;
}

/** `run` and `retry`: plan, ask, carry out, report. */
export async function runCommand(command: CommandContext): Promise<RunResult> {
	const { clock } = command.ports;
	const startedAt = clock.now();
	const session = await openSession(command, 'write').catch(async (error: unknown) => {
		// A CSV that is missing has left an entry.
		const before = (await readRuns(command)).filter((run) => Date.parse(run.startedAt) < startedAt);
		await notifyRefusal(command, toCliError(error, clock.now()), before);
		throw error;
	});
	return await runInSession(command, session);
}

/** Closes the session at its end. */
export async function runInSession(
	command: CommandContext,
	session: OnlineSession,
): Promise<RunResult> {
	const { console } = command;
	const stopLog = logWaits(console, session);
	try {
		for (const notice of session.table.notices) console.event(nameCsvOptions(notice).message);
		const plan = await agreeOnPlan(command, session);
		const end = await executeAndReport(command, session, plan);
		return { exitCode: end.exitCode, plan, end };
	} finally {
		stopLog();
		console.stopLive();
		await session.folder.close();
	}
}

/** @throws {CliError} if the run is refused, or the user says no */
async function agreeOnPlan(command: CommandContext, session: OnlineSession): Promise<RunPlan> {
	const { invocation, console, signal } = command;
	try {
		const terminal = console.canAsk ? 'can_ask' : 'without_terminal';
		const { plan, view } = await preparePlan(invocation, session, terminal);
		for (const notice of plan.notices) console.event(notice);
		const { yes } = invocation.settings;
		// On a terminal, the variable of a schedule must not agree for the user.
		const isAgreed = console.canAsk ? yes && invocation.typed.yes !== undefined : yes;
		await confirmOrders(console, view, isAgreed, signal);
		return plan;
	} catch (error) {
		const now = session.requests.client.now();
		const isUserAction = signal.aborted || error instanceof Cancellation;
		const refusal = toCliError(error, now);
		if (isUserAction || !isStop(refusal)) throw error;
		const { entries } = session.folder.store.runs;
		try {
			await session.folder.store.saveRefusal(refusal);
			if (error instanceof ServiceError) await saveCurrentResults(command, session, now);
		} finally {
			// A full disk must not silence the notification.
			await notifyRefusal(command, refusal, entries);
		}
		throw error;
	}
}

/** Writes the results without the service, so that they show the rows of the CSV although no run has begun. */
async function saveCurrentResults(
	{ invocation }: CommandContext,
	session: OnlineSession,
	now: number,
): Promise<void> {
	const { out, name } = invocation.settings;
	const { folder, table, fileWording } = session;
	const subject = makeSubject(out, name, table.file);
	await saveResults(session, subject, await reportCurrentRows(folder, table, fileWording, now));
}

/** Returns the runs of the folder; none if it cannot be read. */
async function readRuns({
	invocation,
	ports,
	signal,
}: CommandContext): Promise<readonly RunEntry[]> {
	try {
		const folder = await FolderStore.open(invocation.settings.out, 'read', { ...ports, signal });
		return folder.store.runs.entries;
	} catch {
		return [];
	}
}

/**
 * Posts why a run ended before its first order.
 * @param entries the runs before
 */
async function notifyRefusal(
	command: CommandContext,
	refusal: CliError,
	entries: readonly RunEntry[],
): Promise<void> {
	const { files, settings } = command.invocation;
	const now = command.ports.clock.now();
	if (!isStopNews(refusal.code, new Date(now).toISOString(), entries)) return;
	const [csv = ''] = files;
	const subject = makeSubject(settings.out, settings.name, csv);
	await notify(command, makeRefusalNotification(subject, refusal, now));
}

async function executeAndReport(
	command: CommandContext,
	session: OnlineSession,
	plan: RunPlan,
): Promise<RunEnd> {
	const { invocation, console } = command;
	const { out, name, quiet } = invocation.settings;
	const { last, lastStarted, entries } = session.folder.store.runs;
	const subject = makeSubject(out, name, session.table.file);
	const save = (run: Run) =>
		saveResults(session, subject, makeRunReport(session, run, session.fileWording));
	const { end, files } = await carryOut(command, session, plan, save);
	const summary = formatSummary(end, files, console.paint);
	const isNews = hasNews(end, { last, lastStarted, entries });
	if (!quiet) console.print(summary);
	else if (isNews) console.print([formatNews(subject, end), ...summary]);
	if (isNews) await notify(command, makeNotification(subject, end));
	return end;
}

/**
 * Carries out a plan. The end of the run is written to the journal when everything else is written. A full disk or a lost lock is
 * why the run ended early, and the user still learns what was ordered.
 * @param save writes the results; called while the run is in progress, too
 */
async function carryOut(
	{ invocation, console }: CommandContext,
	session: OnlineSession,
	plan: RunPlan,
	save: (run: Run) => Promise<ResultFiles>,
): Promise<{ readonly end: RunEnd; readonly files: ResultFiles }> {
	const startedAt = session.clock.now();
	const scope = makeScope(plan.selection, session);
	const results = new ResultsWriter(session.clock);
	const onResult = () => results.request(() => save(run));
	const run = new Run(plan, session, { entry: makeEntry(invocation, session, plan), onResult });
	await showProgress(console, session, plan);
	try {
		await run.carryOut();
	} finally {
		await results.finish();
		console.stopLive();
	}
	const conclude = () => makeEnd({ session, run, scope, startedAt });
	const end = conclude();
	const { stop } = run;
	let files: ResultFiles = { saved: [], unsaved: [] };
	await run.state.stopOnError(async () => {
		files = await save(run);
		await session.folder.store.saveRun({ end: toEntryEnd(end) });
	});
	const known = run.stop === stop ? end : conclude();
	invocation.publish(() =>
		toJsonEndedRun({
			plan,
			outcomes: run.listOutcomes(),
			end: { ...known, report: makeRunReport(session, run, session.fileWording) },
			startedAt: toIso(startedAt),
		}),
	);
	return { end: known, files };
}

/** Returns the entry of the run in the journal. */
function makeEntry(
	{ settings }: CommandContext['invocation'],
	{ table, clock, folder, keyFingerprint }: OnlineSession,
	{ selection, limits, confirmations }: RunPlan,
): NewRun {
	return {
		startedAt: toIso(clock.now()),
		csv: resolve(table.file),
		name: settings.name ?? null,
		csvOptions: table.options,
		// A run that orders nothing new says nothing about the limit of the folder.
		limits: limits.max === 0 ? (folder.store.runs.lastStarted?.limits ?? { max: null }) : limits,
		columns: table.columns,
		isPartial: selection.only !== null,
		keyFingerprint,
		profiles: settings.profile.map((file) => resolve(file)),
		isConfirmed: confirmations.length > 0,
	};
}

interface EndInput {
	readonly session: OnlineSession;
	readonly run: Run;
	readonly scope: Scope;
	/** By this machine's clock. */
	readonly startedAt: number;
}

/** Returns the end of a run, made from memory: the journal might not be writable. */
function makeEnd({ session, run, scope, startedAt }: EndInput): RunEnd {
	const { clock, requests } = session;
	const { savedIds, totals } = run.state;
	const stop = run.stop && toDescribedStop(run.stop, session);
	const report = makeRunReport(session, run, session.wording);
	return {
		at: toIso(clock.now()),
		now: requests.client.now(),
		tookMs: clock.now() - startedAt,
		exitCode: rateRun(stop, rateRows(report, scope)),
		stop,
		report,
		savedIds,
		totals,
		allowance: run.getRemainingAllowance(),
		licenceEnd: session.workspace.allowance.getLicenceEnd(),
	};
}

function toDescribedStop(stop: RunStop, { workspace, requests }: OnlineSession): DescribedStop {
	if (stop.kind !== 'error') return describeStop(stop, (id) => workspace.briefs.get(id));
	const finding = toCliError(stop.error, requests.client.now());
	return { code: finding.code, exitCode: finding.exitCode, finding, briefs: [] };
}

/** Returns the state of the rows during the run or at its end. */
function makeRunReport({ folder, requests }: OnlineSession, run: Run, wording: Wording): Report {
	const { left, limit } = run.getRemainingAllowance();
	return makeReport({
		orders: folder.store.orders,
		rows: run.listOutcomes(),
		allowanceLeft: left,
		monthlyLimit: limit,
		now: requests.client.now(),
		wording,
	});
}

function toIso(instant: number): string {
	return new Date(instant).toISOString();
}
