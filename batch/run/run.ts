import { SLOTS } from '../../service/limits';
import { Lookout } from '../../service/lookout';
import { dayInWords, nextMonthStart } from '../../service/month';
import type { Clock } from '../../service/ports';
import type { PollInterval } from '../../service/schedule';
import type { BriefingService } from '../../service/service';
import { Workspace } from '../../service/workspace';
import type { Table } from '../csv/table';
import type { Disk } from '../disk';
import { EXIT, Failure, type ExitCode } from '../failure';
import type { Counts } from '../journal/events';
import type { Journal } from '../journal/journal';
import { writeReport } from '../out/report';
import { writeResults } from '../out/results';
import { Budget } from './budget';
import { diskFailure } from './disk-failure';
import type { Emit } from './events';
import { judgeRows } from './judge';
import { exitCodeOf, noCounts, resultRows } from './outcome';
import { orderOf } from './orders';
import { preflight, type Preflight } from './preflight';
import { Runner, type Rest } from './runner';
import { surveyRows, type Survey } from './survey';
import type { RunTools } from './tools';

/** How long a service that does not answer is endured while briefs are running: an outage, not a typing error. */
const PATIENCE_MS = 1_800_000;

/** Briefs of earlier runs that are looked after at the same time. */
const LOOKS_AT_ONCE = 8;

export interface RunRequest {
	table: Table;
	batch: string;
	outDir: string;
	max: number;
	keep: number;
	leaveSlots: number;
	/** Milliseconds. */
	timeout: number;
	interval: PollInterval;
	allowDuplicates: boolean;
}

export interface RunEnvironment {
	service: BriefingService;
	clock: Clock;
	disk: Disk;
	journal: Journal;
	emit: Emit;
	interruption: AbortSignal;
}

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

function prepare(
	request: RunRequest,
	env: RunEnvironment,
	{ licence, allowance, briefs }: Preflight,
): { tools: RunTools; runner: Runner } {
	const { service, clock, journal, disk, emit } = env;
	const { interval, outDir, timeout } = request;
	const workspace = new Workspace(request.leaveSlots);
	let others = 0;
	const onLook = () => {
		if (others === (others = workspace.othersRunning())) return;
		emit({ event: 'others_running', others_running: others });
	};
	const lookout = new Lookout(service, clock, workspace, {
		interval,
		durations: journal.records.durations(),
		patience: PATIENCE_MS,
		onLook,
	});
	const listed = new Map(briefs.map((brief) => [brief.id, brief]));
	for (const { brief_id: id, state, created_at, accepted_at } of journal.records.all()) {
		const brief = listed.get(id ?? '');
		if (brief !== undefined) workspace.adopt(brief, service.now());
		else if (id !== null) {
			// A list that lags behind does not show it yet; it is paid and holds its slot all the same (P4, P5).
			const created = created_at ?? accepted_at ?? '';
			const mayRun = state === 'accepted' || state === 'parked';
			workspace.recall(id, { created, mayRun }, service.now());
		}
	}
	lookout.saw(briefs);
	others = workspace.othersRunning();
	const start = {
		...{ allowance: licence.monthly_allowance, used: allowance.used, at: service.now() },
		known: new Set(listed.keys()),
	};
	const budget = new Budget(workspace, start, request);
	const stop = { ordering: new AbortController(), waiting: new AbortController() };
	const tools: RunTools = {
		...{
			service,
			lookout,
			workspace,
			clock,
			interval,
			timeout,
			budget,
			journal,
			disk,
			outDir,
			emit,
		},
		ordering: stop.ordering.signal,
		waiting: stop.waiting.signal,
	};
	return { tools, runner: new Runner(tools, stop, begunFailure) };
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

/** First what earlier runs began, then the new rows in the order of the CSV, read only as fast as slots come free. */
async function carryRows(
	request: RunRequest,
	{ journal, emit, interruption }: RunEnvironment,
	survey: Survey,
	runner: Runner,
): Promise<void> {
	const { default: pLimit } = await import('p-limit');
	const limit = pLimit(SLOTS - request.leaveSlots);
	const active = new Set<Promise<void>>();
	const track = (work: Promise<void>) => {
		active.add(work);
		void work.finally(() => active.delete(work));
	};
	// Hundreds may be parked: to look after all of them at once would meet the service's rate limit.
	const looks = pLimit(LOOKS_AT_ONCE);
	const inTurn = (work: () => Promise<Rest>) => track(limit(work).then((rest) => rest()));
	const onInterruption = () => {
		const running = journal.records
			.all()
			.flatMap(({ state, brief_id, row_number, product_name }) =>
				state === 'accepted' && brief_id !== null
					? [{ row: row_number, product_name, brief_id }]
					: [],
			);
		emit({ event: 'interrupted', running });
		runner.interrupt();
	};
	if (interruption.aborted) onInterruption();
	else interruption.addEventListener('abort', onInterruption, { once: true });

	// From the journal and not from the CSV: a brief is fetched even if its row was taken out meanwhile.
	for (const record of journal.records.all()) {
		const isPaid =
			record.state === 'accepted' || record.state === 'ended' || record.state === 'parked';
		if (isPaid && record.brief_id !== null) track(looks(() => runner.resume(record)));
	}
	for (const { row, record } of survey.parked) {
		if (record.brief_id !== null) continue;
		track(looks(() => runner.lookAgain(record, row.input)).then((rest) => rest()));
	}

	// What runs already is found out before anything is ordered: its slots are taken (P4).
	const open = survey.begun.filter(({ record }) => record.state === 'open');
	const settled = await Promise.all(
		open.map(({ row, record }) => looks(() => runner.settle(record, row.input))),
	);
	const begun = new Set(survey.begun.map(({ record }) => record.key));
	// The new rows might be of the same product as one that was taken out of the CSV.
	const found = await Promise.all(
		journal.records
			.all()
			.filter(({ state, key }) => state === 'open' && !begun.has(key))
			.map((record) => looks(() => runner.lookAgain(record, record, true))),
	);
	for (const rest of found) track(rest());
	for (const next of settled) inTurn(next);
	const feed = async () => {
		for await (const batch of judgeRows(request.table, journal.records, request)) {
			for (const { row, ...judged } of batch) {
				if (judged.fate !== 'new' || begun.has(judged.record?.key ?? '')) continue;
				while (limit.pendingCount > 0 && runner.end === null) await Promise.race(active);
				if (runner.end !== null) return;
				const generation = judged.record?.generation ?? 1;
				const order = orderOf(request.batch, row, judged.ordinal, generation);
				inTurn(() => runner.order(order, row.input));
			}
		}
	};
	// A CSV that can be read no further ends the ordering; what was ordered is seen to its end.
	await feed().catch((error: unknown) => runner.fail(begunFailure(error)));
	while (active.size > 0) await Promise.race(active);
	interruption.removeEventListener('abort', onInterruption);
}

/** A failure once briefs may have been ordered: whatever it is, the same command goes on from there. */
function begunFailure(error: unknown): Failure {
	const { what, cure, exitCode } = diskFailure(error);
	return new Failure(what, cure, exitCode === EXIT.unusable ? EXIT.stoppedEarly : exitCode);
}
