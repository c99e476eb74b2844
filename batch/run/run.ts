import { dayInWords, nextMonthStart } from '../../service/month';
import type { ExitCode, Failure } from '../failure';
import type { Counts } from '../journal/events';
import { writeReport } from '../results/report';
import { writeResults } from '../results/results';
import { carryRows } from './carry';
import { begunFailure } from './disk-failure';
import { exitCodeOf, noCounts, resultRows } from './outcome';
import { preflight, type Preflight } from './preflight';
import { prepare } from './prepare';
import type { RunEnvironment, RunRequest } from './request';
import { surveyRows, type Survey } from './survey';

export interface RunReport {
	exitCode: ExitCode;
	counts: Counts;
	failure: Failure | null;
}

/**
 * Takes the rows of a CSV through the service, two at a time, and leaves results for all of them. What an earlier run
 * began is taken up where it stands.
 * @throws {Failure} where nothing could be begun
 */
export async function runBatch(request: RunRequest, env: RunEnvironment): Promise<RunReport> {
	const { journal, clock, emit, service } = env;
	const survey = await surveyRows(request.table, journal.records, request, {
		invalid: ({ number, problems }) => emit({ event: 'row_invalid', row: number, problems }),
		duplicate: ({ number }, firstRow) => {
			emit({ event: 'row_duplicate', row: number, first_row: firstRow });
		},
	});
	const before = await preflight(service, clock, request.interval, env.interruption);
	const { tools, runner } = prepare(request, env, before);
	await begin(request, env, survey, before, tools.workspace.othersRunning());

	await carryRows(request, env, survey, runner);
	await runner.finish();

	const now = service.now();
	const counts = noCounts();
	const used = tools.budget.used(now);
	const { allowance } = before.allowance;
	const resetsOn = dayInWords(nextMonthStart(now));
	const rows = () =>
		resultRows(
			{ ...request, records: journal.records, remaining: tools.budget.remaining(now), resetsOn },
			counts,
		);
	try {
		await env.disk.makeFolder(request.outDir);
		const { columns, delimiter, bom } = request.table;
		await writeResults(env.disk, request.outDir, { columns, delimiter, bom, rows });
		const outcome = runner.end ?? 'complete';
		await journal.append({ type: 'run_ended', outcome, counts, allowance, used });
		await writeReport(env.disk, request.outDir, journal.records, { now: clock.now() });
	} catch (error) {
		runner.fail(begunFailure(error));
	}
	const exitCode = exitCodeOf(runner.end, counts, runner.failure?.exitCode);
	const resets_at = new Date(nextMonthStart(now)).toISOString();
	emit({ event: 'allowance', allowance, used });
	emit({
		event: 'run_ended',
		outcome: runner.end ?? 'complete',
		exit_code: exitCode,
		resets_at,
		failure:
			runner.failure === null ? null : { what: runner.failure.what, cure: runner.failure.cure },
		...counts,
	});
	return { exitCode, counts, failure: runner.failure };
}

async function begin(
	request: RunRequest,
	{ journal, emit }: RunEnvironment,
	survey: Survey,
	{ allowance: { allowance, used } }: Preflight,
	othersRunning: number,
): Promise<void> {
	await journal.append({ type: 'run_started', csv: request.table.file, allowance, used });
	emit({
		event: 'run_started',
		batch: request.batch,
		rows: survey.rows,
		to_create: survey.fresh,
		to_resume: survey.begun.length,
		done: survey.done + survey.failed,
		...{ invalid: survey.invalid, duplicates: survey.duplicates },
		...{ allowance, used, others_running: othersRunning },
	});
}
