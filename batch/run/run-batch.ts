import { nextMonthStart } from '../../service/month';
import { Failure, type ExitCode } from '../failure';
import type { Counts, RunFailure } from '../journal/events';
import { fileNameOf } from '../journal/file-name';
import { scheduleRows } from './schedule-rows';
import { diskFailure } from './disk-failure';
import { resultsOf } from './files/earlier-results';
import { FreshFiles } from './files/fresh-files';
import { RunFiles } from './files/run-files';
import { exitCodeOf, noCounts } from './files/row-results';
import { preflight, type Preflight } from './preflight';
import { changeEvent } from './rows/change-text';
import { contentInFile } from './rows/find-changes';
import { keysOfGoneRows } from './rows/earlier-rows';
import { countReady } from './listed/foresee-listed';
import { noteListing } from './listed/listed-before';
import { News } from './news';
import type { StopReason } from './ordering';
import { prepare } from './prepare';
import {
	changedMark,
	invalidMark,
	NOTHING_KNOWN,
	ReportedRows,
	type Known,
} from './files/reported';
import type { RunEnvironment, RunRequest } from './request';
import { checkWorkspace } from './same-workspace';
import { heldBack, mayOrder, summariseRows, type Summary } from './rows/summarise';
import { count } from '../text';

export interface RunReport {
	exitCode: ExitCode;
	counts: Counts;
	/** Those that --known-ok leaves out. */
	known: Known;
	/** Why no more was ordered, where not all was. */
	end: StopReason | null;
	/** Why rows are deferred. */
	deferredBecause: string;
	failure: Failure | null;
	/** Whether anything happened that no earlier run has reported. */
	isNews: boolean;
}

/**
 * Takes the rows of a CSV through the service, two at a time, and leaves results for all of them. What an earlier run
 * began is taken up where it stands.
 * @throws {Failure} where nothing could be begun
 */
export async function runBatch(request: RunRequest, given: RunEnvironment): Promise<RunReport> {
	const news = new News(given.emit);
	const { emit } = news;
	const env = { ...given, emit };
	const { journal, clock, service } = env;
	const { lastRun } = journal.records;
	const rows = new ReportedRows(journal.records);
	const readContent = contentInFile(env.disk, request.outDir);
	const options = { ...request, readContent };
	const summary = await summariseRows(request.table, journal.records, options, {
		invalid: ({ number, cells, problems }) => {
			const known = rows.knownFlag(invalidMark(cells, problems));
			emit({ event: 'row_invalid', row: number, problems, ...known });
		},
		duplicate: ({ number }, firstRow) => {
			emit({ event: 'row_duplicate', row: number, first_row: firstRow });
		},
	});
	for (const text of request.table.leftOut()) emit({ event: 'notice', text });
	const { changes } = summary;
	const { set } = request.table;
	for (const change of request.orderChanged ? [] : changes.values()) {
		const known = rows.knownFlag(changedMark(change.row.key, change.order.record.key));
		emit({ ...changeEvent(change, set), ...known });
	}
	// For `status`: otherwise nothing would tell why a run of last night did nothing.
	const noteNotBegun = async (error: unknown): Promise<never> => {
		if (error instanceof Failure)
			await journal.append({
				...{ type: 'not_begun', csv: request.table.file },
				...failureOnRecord(error),
			});
		throw error;
	};
	const before = await preflight(
		service,
		clock,
		request.interval,
		env.interruption,
		journal.records,
	).catch(noteNotBegun);
	if (mayOrder(summary, request)) {
		await checkWorkspace(journal.records, before.listing.briefs, request, env).catch(noteNotBegun);
		// Only now it is certain that the list is of the journal's own workspace.
		await noteListing(before.listing, before.from, journal);
	}
	const run = prepare(request, env, before, keysOfGoneRows(summary, journal.records));
	const { ordering, budget, workspace } = run;
	const files = new RunFiles(request, env, { ...summary, budget, reported: rows });
	const fresh = new FreshFiles(clock, () => files.refresh());
	run.emit = (event) => {
		emit(event);
		fresh.see(event);
	};
	await files.begin();
	const ready = await countReady(request, summary, journal.records, run.listed);
	await begin(request, env, summary, before, { ...ready, others: workspace.othersRunning() });

	await scheduleRows(request, env, summary, run).finally(() => fresh.stop());

	const now = service.now();
	const counts = noCounts();
	const used = budget.used(now);
	const { allowance } = before.allowance;
	const deferredBecause = budget.whyDeferred(now);
	const knownOk = () => (request.knownOk === true ? rows.known : NOTHING_KNOWN);
	const resets_at = new Date(nextMonthStart(now)).toISOString();
	try {
		const listing = await files.writeResults({ isLastTry: true }, counts);
		const outcome = ordering.end ?? 'complete';
		const { failure } = ordering;
		await journal.append({
			...{ type: 'run_ended', outcome, counts, allowance, used },
			...(failure === null ? {} : { failure: failureOnRecord(failure) }),
			...(counts.deferred === 0 ? {} : { resets_at }),
		});
		await files.writeReport(listing, { isLastTry: true });
		if (ordering.failure === null && ordering.end !== 'interrupted')
			await rows.record(journal, exitCodeOf(ordering.end, counts, undefined, knownOk()));
	} catch (error) {
		ordering.fail(diskFailure(error));
	}
	const known = knownOk();
	const exitCode = exitCodeOf(ordering.end, counts, ordering.failure?.exitCode, known);
	const left = (of: Pick<Counts, 'deferred' | 'pending'>) => of.deferred + of.pending;
	const isMoreLeft = left(counts) > (lastRun === null ? 0 : left(lastRun.counts));
	const isNews = news.isAny || isMoreLeft || ordering.failure !== null;
	emit({ event: 'allowance', allowance, used });
	emit({
		event: 'run_ended',
		outcome: ordering.end ?? 'complete',
		exit_code: exitCode,
		resets_at,
		news: isNews,
		failure:
			ordering.failure === null
				? null
				: { what: ordering.failure.what, cure: ordering.failure.cure },
		...counts,
		known: rows.known,
	});
	const { end, failure } = ordering;
	return { exitCode, counts, known, end, deferredBecause, failure, isNews };
}

function failureOnRecord({ what, cure, exitCode }: Failure): RunFailure {
	return { what, cure, exit_code: exitCode };
}

async function begin(
	request: RunRequest,
	{ journal, emit }: RunEnvironment,
	summary: Summary,
	{ allowance: { allowance, used } }: Preflight,
	{ ready, toCompare, others }: { ready: number; toCompare: number; others: number },
): Promise<void> {
	const { file: csv, set } = request.table;
	const results_of = resultsOf(request, journal.records);
	const isOwn = results_of !== fileNameOf(csv);
	const started = { csv, allowance, used, set, ...(isOwn ? { results_of } : {}) };
	await journal.append({ type: 'run_started', ...started });
	emit({
		event: 'run_started',
		batch: request.batch,
		rows: summary.rows,
		to_create: ready,
		...(toCompare > 0 ? { to_compare: toCompare } : {}),
		to_resume: summary.begun.length,
		done: summary.done + summary.failed,
		changed: heldBack(summary, request),
		...{ invalid: summary.invalid, duplicates: summary.duplicates },
		...{ allowance, used, others_running: others },
	});
	if (request.part === undefined || summary.failed === 0) return;
	const text = `${count(summary.failed, 'row')} failed earlier and cost nothing now: “brief-batch retry ${request.table.file}” orders ${summary.failed === 1 ? 'it' : 'them'} again.`;
	emit({ event: 'notice', text });
}
