import { nextMonthStart } from '../../service/list/month';
import { EXIT, type ExitCode } from '../exit-codes';
import type { KnownCounts, OrderName, RunEnded } from '../folder/events';
import { isFailure } from '../folder/journal/causes';
import { NEEDING_ATTENTION, type Counts } from '../folder/journal/row-status';
import { isTakenOver, type Order, type Records } from '../folder/records';
import type { OrderContext } from '../order/order-context';
import type { Ordering, StopReason } from '../order/ordering';
import { keepMarks, knownIn, marksOf, NOTHING_KNOWN } from '../plan/marks';
import { countRows, isChanged, type DeferralCause } from '../plan/plan';
import { nameIn } from '../plan/row-numbers';
import { rowsInCommand } from '../plan/row-selection';
import type { Stop } from '../stop';
import type { RunFiles } from './run-files';
import type { RunEnvironment, RunOptions } from './request';

/** The outcome of a run, of which its summary is made. */
export interface RunOutcome {
	end: RunEnded;
	deferral: DeferralCause;
	/** Those that --known-ok leaves out. */
	knownCounts: KnownCounts;
	/** The changed rows, for a command to copy. */
	changedRows: string;
}

/** Writes results and report for the last time, and puts the end of the run on record. */
export async function endRun(
	{ knownOk }: RunOptions,
	{ journal, service }: RunEnvironment,
	{ ordering, budget, rows: numbers }: OrderContext,
	files: RunFiles,
): Promise<RunOutcome> {
	const now = service.now();
	const { records } = journal;
	const leftBefore = countLeft(records.lastRun?.counts);
	const { rows, table } = files.rows();
	const counts = countRows(rows);
	const changedRows = rowsInCommand(rows.filter(isChanged).map(({ row }) => row));
	const marks = marksOf(rows);
	const knownBefore = knownIn(marks, records);
	const knownCounts = knownOk ? knownBefore : NOTHING_KNOWN;
	const sums = sumsOf(records, nameIn(records, numbers));
	const { parked } = records.lately;
	// An order without an answer needs a person although its row may be no longer in the CSV.
	const isDoubtLeft = parked.some(({ state }) => state.briefId === null);
	const hasNews =
		countLeft(counts) > leftBefore ||
		Object.values(records.lately).some(({ length }) => length > 0) ||
		[...marks.values()].some((mark) => !records.reportedMarks.has(mark));
	const ended = (): RunEnded => {
		const { end, stop } = ordering;
		const ownCode = exitCodeOfRun(end, counts, stop, knownCounts);
		return {
			event: 'run_ended',
			outcome: end ?? 'complete',
			exit_code: ownCode === EXIT.ok && isDoubtLeft ? EXIT.someFailed : ownCode,
			news: hasNews || stop !== null || end === 'interrupted',
			...(stop !== null && { stop: stop.onRecord }),
			counts,
			known: knownBefore,
			...sums,
			allowance: budget.allowance,
			used: budget.monthUse(now),
			resets_at: new Date(nextMonthStart(now)).toISOString(),
		};
	};
	const hasResults = await attempt(ordering, () => files.writeResults(table, true));
	await attempt(ordering, async () => {
		await journal.keep(ended());
		if (hasResults) await files.writeReport(table, true);
		if (ordering.stop === null && ordering.end !== 'interrupted')
			await keepMarks(marks, exitCodeOfRun(ordering.end, counts, null, knownCounts), journal);
	});
	// If the report could not be written, that is told too.
	const end = ended();
	journal.tell(end);
	return { end, deferral: budget.whyDeferred(now), knownCounts, changedRows };
}

/** The end of a run names this many new briefs, and as many parked rows. */
const MOST_NEW = 10;

/** Adds up what this run has paid for, fetched and put aside. */
function sumsOf(
	{ lately: { accepted, filed, parked } }: Records,
	nameOf: (key: string) => OrderName | undefined,
): Pick<RunEnded, 'paid' | 'taken_over' | 'fetched' | 'new_briefs' | 'new_parked'> {
	const nameIt = ({ key, product_name }: Order) => nameOf(key) ?? { product_name };
	return {
		paid: accepted.filter(({ is_paid }) => is_paid).length,
		taken_over: accepted.filter(isTakenOver).length,
		fetched: filed.length,
		new_briefs: filed.slice(0, MOST_NEW).flatMap(({ brief, product_name }) => {
			if (brief === null) return [];
			const { id: brief_id, title, url } = brief;
			return [{ brief_id, product_name, title, url }];
		}),
		new_parked: parked.slice(0, MOST_NEW).flatMap((order) => {
			const { key, state, cause } = order;
			if (cause === null || isFailure(cause)) return [];
			return [{ key, ...nameIt(order), brief_id: state.briefId, ...cause }];
		}),
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
