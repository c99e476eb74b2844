import { nextMonthStart } from '../../service/list/month';
import type { KnownCounts, RunTotals } from '../events';
import { EXIT, type ExitCode } from '../exit-codes';
import { NEEDING_ATTENTION, type Counts } from '../folder/journal/row-status';
import type { OrderContext } from '../order/order-context';
import type { Ordering, StopReason } from '../order/ordering';
import { rowsInCommand } from '../plan/row-selection';
import { countRows, isChanged, type DeferralCause } from '../plan/plan';
import { keepMarks, knownIn, marksOf, NOTHING_KNOWN } from '../plan/marks';
import type { Stop } from '../stop';
import type { RunFiles } from './run-files';
import type { RunEnvironment, RunOptions } from './request';

/** The outcome of a run. The summary, the exit code and the last event, which is posted, are made of it. */
export interface RunOutcome extends RunTotals {
	exitCode: ExitCode;
	/** True if anything happened that no earlier run has reported. */
	isNews: boolean;
	counts: Counts;
	/** Those that --known-ok leaves out. */
	knownCounts: KnownCounts;
	end: StopReason | null;
	/** Of the month; null if it is not known. */
	allowance: number | null;
	used: number;
	deferral: DeferralCause;
	/** Why it stopped early, or could not do something. */
	stop: Stop | null;
	/** The changed rows, for a command to copy. */
	changedRows: string;
}

/** Writes results and report for the last time, and puts the end of the run on record. */
export async function endRun(
	{ knownOk }: RunOptions,
	{ journal, events, totals, service }: RunEnvironment,
	{ ordering, budget }: OrderContext,
	files: RunFiles,
): Promise<RunOutcome> {
	const now = service.now();
	const leftBefore = countLeft(journal.records.lastRun?.counts);
	const { rows, table } = files.rows();
	const counts = countRows(rows);
	const changedRows = rowsInCommand(rows.filter(isChanged).map(({ row }) => row));
	const marks = marksOf(rows);
	const knownBefore = knownIn(marks, journal.records);
	const knownCounts = knownOk ? knownBefore : NOTHING_KNOWN;
	const { allowance } = budget;
	const used = budget.monthUse(now);
	const resets_at = new Date(nextMonthStart(now)).toISOString();
	const hasResults = await attempt(ordering, () => files.writeResults(table, true));
	await attempt(ordering, async () => {
		const { stop } = ordering;
		await journal.append({
			type: 'run_ended',
			outcome: ordering.end ?? 'complete',
			counts,
			allowance,
			used,
			...(stop !== null && { stop: stop.onRecord }),
			...(counts.deferred > 0 ? { resets_at } : {}),
		});
		if (hasResults) await files.writeReport(table, true);
		if (ordering.stop === null && ordering.end !== 'interrupted')
			await keepMarks(marks, exitCodeOfRun(ordering.end, counts, null, knownCounts), journal);
	});
	const { end, stop } = ordering;
	const ownCode = exitCodeOfRun(end, counts, stop, knownCounts);
	// An order without an answer needs a person although its row may be no longer in the CSV.
	const exitCode = ownCode === EXIT.ok && totals.isDoubtLeft ? EXIT.someFailed : ownCode;
	const isNews = totals.isNews || stop !== null || countLeft(counts) > leftBefore;
	const outcome: RunOutcome = {
		exitCode,
		isNews,
		counts,
		knownCounts,
		end,
		...totals.sums,
		allowance,
		used,
		deferral: budget.whyDeferred(now),
		stop,
		changedRows,
	};
	events.emit({ event: 'allowance', allowance, used });
	events.emit({ ...endOf(outcome), ...counts, ...totals.sums, resets_at, known: knownBefore });
	return outcome;
}

/** Gives the last event of a run that came to its end. */
function endOf({ end, exitCode, isNews, stop }: RunOutcome) {
	return {
		event: 'run_ended' as const,
		outcome: end ?? ('complete' as const),
		exit_code: exitCode,
		news: isNews,
		failure: stop && stop.onRecord,
	};
}

/** Writes something, and lets the rest be written if that fails. */
async function attempt(ordering: Ordering, work: () => Promise<void>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		ordering.fail(error);
		return false;
	}
}

/** Counts the rows that are left for a later run. */
function countLeft(counts: Counts | undefined): number {
	return counts === undefined ? 0 : counts.deferred + counts.pending;
}

/**
 * Gives the exit code of a run that came to its end. If several hold, the order of EXIT decides.
 * @param knownCounts the rows that are not to count
 */
export function exitCodeOfRun(
	end: StopReason | null,
	counts: Counts,
	stop: Pick<Stop, 'exitCode'> | null = null,
	knownCounts = NOTHING_KNOWN,
): ExitCode {
	if (end === 'interrupted') return EXIT.interrupted;
	if (stop !== null) return stop.exitCode;
	if (countLeft(counts) > 0 || end === 'allowance' || end === 'max') return EXIT.leftForLater;
	const needs = NEEDING_ATTENTION.some((status) => counts[status] > knownCounts[status]);
	return needs ? EXIT.someFailed : EXIT.ok;
}
