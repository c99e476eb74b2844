import { NEEDING_ATTENTION, type Counts, type RowCounts } from '../folder/journal/status';
import { nextMonthStart } from '../../service/list/month';
import { shortened } from '../../service/text';
import { EXIT, failureOf, type ExitCode, type Failure } from '../failure';
import type { InvalidRow } from '../folder/journal/events';
import type { Records } from '../folder/journal/records';
import type { RowResult } from '../results/row-result';
import { rowsText } from '../plan/asked-rows';
import { countRows, type PlannedRow } from '../plan/plan';
import type { Run } from './prepare';
import type { Known } from './events';
import { keepMarks, knownIn, marksOf, NOTHING_KNOWN } from './reported';
import type { RunFiles } from './run-files';
import type { StopReason } from './ordering';
import type { RunEnvironment, RunRequest } from './request';

export interface RunReport {
	exitCode: ExitCode;
	counts: Counts;
	/** Those that --known-ok leaves out. */
	known: Known;
	end: StopReason | null;
	deferredBecause: string;
	failure: Failure | null;
	/** The changed rows, such as 3,5-9. */
	changedRows: string;
	/** Whether anything happened that no earlier run has reported. */
	isNews: boolean;
}

/** What has gathered while the run went on. */
interface Gathered {
	files: RunFiles;
	isNew: boolean;
	/** As it was asked at the beginning. */
	allowance: number | null;
}

/** Writes results and report for the last time, and puts the end of the run on record. */
export async function endRun(
	{ knownOk }: Pick<RunRequest, 'knownOk'>,
	{ journal, emit, service }: RunEnvironment,
	{ ordering, budget }: Pick<Run, 'ordering' | 'budget'>,
	{ files, isNew, allowance }: Gathered,
): Promise<RunReport> {
	const now = service.now();
	const leftBefore = left(journal.records.lastRun?.counts);
	const { rows, rest, table } = files.rows();
	const counts = countRows(rows);
	const changedRows = rowsText(rows.filter(isChanged).map(({ row }) => row.number));
	const marks = marksOf(rows);
	const reported = knownIn(marks, journal.records);
	const known = knownOk ? reported : NOTHING_KNOWN;
	const used = budget.used(now);
	const resets_at = new Date(nextMonthStart(now)).toISOString();
	const outcome = () => ordering.end ?? 'complete';
	const hasResults = await attempt(ordering, () => files.writeResults(table, { isLastTry: true }));
	await attempt(ordering, async () => {
		const { failure } = ordering;
		await journal.append({
			type: 'run_ended',
			outcome: outcome(),
			counts,
			...(Object.values(rest).some((n) => n > 0) ? { rest } : {}),
			...(counts.changed > 0 ? { changed_rows: changedRows } : {}),
			...firstInvalid(table.rows),
			allowance,
			used,
			...(failure === null ? {} : { failure: failure.onRecord }),
			...deferredUntil(counts, rest, journal.records, resets_at),
		});
		if (hasResults) await files.writeReport(table, { isLastTry: true });
		if (ordering.failure === null && ordering.end !== 'interrupted')
			await keepMarks(marks, exitCodeOf(ordering.end, counts, undefined, known), journal);
	});
	const { end, failure } = ordering;
	const exitCode = exitCodeOf(end, counts, failure?.exitCode, known);
	const isNews = isNew || failure !== null || left(counts) > leftBefore;
	emit({ event: 'allowance', allowance, used });
	emit({
		event: 'run_ended',
		outcome: outcome(),
		exit_code: exitCode,
		resets_at,
		news: isNews,
		failure: failure === null ? null : { what: failure.what, cure: failure.cure },
		...counts,
		known: reported,
	});
	const deferredBecause = budget.whyDeferred(now);
	return { exitCode, counts, known, end, deferredBecause, failure, changedRows, isNews };
}

/** Whatever cannot be written, the rest is. */
async function attempt(ordering: Run['ordering'], work: () => Promise<void>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		ordering.fail(failureOf(error));
		return false;
	}
}

/** The journal names so many, for `status`. */
const MOST_INVALID = 20;

function firstInvalid(rows: readonly RowResult[]): { invalid_rows?: InvalidRow[] } {
	const invalid = rows.filter(({ status }) => status === 'invalid').slice(0, MOST_INVALID);
	if (invalid.length === 0) return {};
	const invalid_rows = invalid.map(({ number, product, error }) => ({
		row_number: number,
		product_name: shortened(product, 180),
		why: shortened(error, 400),
	}));
	return { invalid_rows };
}

function isChanged({ status, sameAs }: PlannedRow): boolean {
	return status === 'changed' && sameAs === undefined;
}

/** When deferred rows can be ordered. Rows that this run did not read wait no longer because of it. */
function deferredUntil(
	counts: Counts,
	rest: RowCounts,
	{ lastRun }: Records,
	resets_at: string,
): { resets_at?: string } {
	if (counts.deferred > 0) return { resets_at };
	return rest.deferred > 0 ? { resets_at: lastRun?.resets_at ?? resets_at } : {};
}

/** How many rows are left for a later run. */
function left(counts: Counts | undefined): number {
	return counts === undefined ? 0 : counts.deferred + counts.pending;
}

/**
 * The exit code of a run that came to its end. If several hold, the order of EXIT decides.
 * @param known the rows that are not to count
 */
export function exitCodeOf(
	end: StopReason | null,
	counts: Counts,
	failureCode?: ExitCode,
	known = NOTHING_KNOWN,
): ExitCode {
	if (end === 'interrupted') return EXIT.interrupted;
	if (failureCode !== undefined) return failureCode;
	if (left(counts) > 0) return EXIT.leftForLater;
	const needs = NEEDING_ATTENTION.some((status) => counts[status] > known[status]);
	return needs ? EXIT.someFailed : EXIT.ok;
}
