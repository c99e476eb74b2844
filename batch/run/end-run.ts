import { nextMonthStart } from '../../service/list/month';
import type { Row } from '../csv/table';
import { EXIT, type ExitCode } from '../exit-codes';
import type { KnownCounts, OrderName, RunEnded } from '../folder/events';
import { isFailure } from '../folder/journal/causes';
import { briefNumbers } from '../folder/journal/paid';
import { NEEDING_A_PERSON, type Counts } from '../folder/journal/row-status';
import { type Order, type Records, statusOf } from '../folder/records';
import type { OrderContext } from '../order/order-context';
import type { Ordering } from '../order/ordering';
import { keepMarks, knownIn, marksOf, NOTHING_KNOWN } from '../plan/marks';
import { countRows, isChanged, rowStatus, type Plan, type PlannedRow } from '../plan/plan';
import { ownNumberField } from '../plan/try';
import {
	countLeft,
	exitCodeOfRows,
	batchOutcome,
	type BatchOutcome,
} from '../results/batch-outcome';
import type { RunFiles } from './run-files';
import type { RunEnvironment, RunRequest } from './request';

/** The end of a run, of which its summary is made. */
export interface RunOutcome {
	end: RunEnded;
	/** Those that --known-ok leaves out. */
	knownCounts: KnownCounts;
	/** The changed rows, for a command to copy. */
	changedRows: readonly Row[];
	/** The rows that are not ready, and that --only left aside. */
	othersOpen: number;
	/** What could be written. */
	hasResults: boolean;
	hasReport: boolean;
}

/** Writes results and report for the last time, and puts the end of the run on record. */
export async function endRun(
	{ knownOk, rows: runRows }: RunRequest,
	{ journal, service, events }: RunEnvironment,
	{ ordering, budget }: OrderContext,
	files: RunFiles,
): Promise<RunOutcome> {
	const now = service.now();
	const { records } = journal;
	const leftBefore = records.lastRun === null ? 0 : countLeft(records.lastRun.counts);
	const list = files.list();
	const outcome = batchOutcome(records, list);
	const table = files.tableOf(list, outcome);
	const { counts } = outcome;
	const marks = marksOf(list.rows, outcome.withoutRow.filter(isParked));
	const knownBefore = knownIn(marks, records);
	const knownCounts = knownOk ? knownBefore : NOTHING_KNOWN;
	const ofRun = partOf(outcome, list, runRows);
	const sums = sumsOf(records, events.nameOf);
	const hasNews =
		countLeft(counts) > leftBefore ||
		(['accepted', 'ended', 'filed', 'parked'] as const).some(
			(what) => records.lately(what).length > 0,
		) ||
		[...marks.values()].some((mark) => !records.reportedMarks.has(mark));
	const ended = (): RunEnded => {
		const { end, stop } = ordering;
		return {
			event: 'run_ended',
			outcome: end ?? 'complete',
			exit_code: exitCodeOfRun(ordering, ofRun, knownCounts),
			news: hasNews || stop !== null || end === 'interrupted',
			...(stop !== null && { stop: stop.onRecord }),
			counts,
			known: knownBefore,
			...sums,
			allowance: budget.allowance,
			used: budget.monthUse(now),
			rest: budget.allowance === null ? null : budget.remaining(now),
			deferral: budget.whyDeferred(now),
			resets_at: new Date(nextMonthStart(now)).toISOString(),
		};
	};
	const hasResults = await attempt(ordering, () => files.writeResults(table, true));
	let hasReport = false;
	await attempt(ordering, async () => {
		await journal.keep(ended());
		if (hasResults) await files.writeReport(table, batchOutcome(records, list), true);
		hasReport = hasResults;
		if (ordering.stop === null && ordering.end !== 'interrupted')
			await keepMarks(marks, exitCodeOfRun(ordering, ofRun, knownCounts), journal);
	});
	// If the report could not be written, that is told too.
	const end = ended();
	journal.tell(end);
	const changedRows = list.rows.filter(isChanged).map(({ row }) => row);
	const { othersOpen } = ofRun;
	return { end, knownCounts, changedRows, othersOpen, hasResults, hasReport };
}

/** Gives what of an outcome is about the rows of a run: with --only not all of the list. */
function partOf(
	{ counts, without_answer, withoutRow }: BatchOutcome,
	{ rows }: Plan,
	runRows: RunRequest['rows'],
) {
	const numbers = new Set(runRows.map(({ number }) => number));
	const rowsOfRun = rows.filter(({ row }) => numbers.has(row.number));
	if (rowsOfRun.length === rows.length) {
		// With the orders that have no row.
		const onTheWay = withoutRow.filter(({ state }) => state.stage === 'running').length;
		const parked = counts.parked + withoutRow.filter(isParked).length;
		return {
			counts: { ...counts, parked },
			isInDoubt: without_answer.length > 0,
			forLater: countLeft(counts) + onTheWay,
			othersOpen: 0,
		};
	}
	const isOpen = (row: PlannedRow) => row.sameAs === undefined && rowStatus(row) !== 'ready';
	const countsOfRun = countRows(rowsOfRun);
	return {
		counts: countsOfRun,
		isInDoubt: rowsOfRun.some(({ record }) => record?.state.stage === 'in_doubt'),
		forLater: countLeft(countsOfRun),
		othersOpen: rows.filter((row) => !numbers.has(row.row.number) && isOpen(row)).length,
	};
}

function isParked(order: Order): boolean {
	return statusOf(order) === 'parked';
}

/** The end of a run names this many new briefs, and as many parked rows. */
const MOST_NEW = 10;

/** Adds up what this run has paid for, fetched and put aside. */
function sumsOf(
	records: Records,
	nameOf: (key: string) => OrderName | undefined,
): Pick<RunEnded, 'paid' | 'taken_over' | 'fetched' | 'new_briefs' | 'new_parked'> {
	const { paid, taken_over } = briefNumbers(records.lately('accepted'));
	const filedOrders = records.lately('filed');
	const nameIt = ({ key, product_name }: Order): OrderName => nameOf(key) ?? { product_name };
	return {
		paid,
		taken_over,
		fetched: filedOrders.length,
		new_briefs: filedOrders.slice(0, MOST_NEW).flatMap((order) => {
			if (order.brief === null) return [];
			const { id: brief_id, title, url } = order.brief;
			const { product_name, own_number } = nameIt(order);
			return [{ brief_id, product_name, ...ownNumberField(own_number), title, url }];
		}),
		new_parked: records
			.lately('parked')
			.slice(0, MOST_NEW)
			.flatMap((order) => {
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

/**
 * Gives the exit code of a run that came to its end.
 * @param knownCounts the rows that are not to count
 */
function exitCodeOfRun(
	{ end, stop }: Ordering,
	{ counts, isInDoubt, forLater }: { counts: Counts; isInDoubt: boolean; forLater: number },
	knownCounts: KnownCounts,
): ExitCode {
	if (end === 'interrupted') return EXIT.interrupted;
	if (stop !== null) return stop.exitCode;
	const isForLater = end === 'allowance' || end === 'max';
	const needy = NEEDING_A_PERSON.filter((status) => counts[status] > knownCounts[status]).length;
	return exitCodeOfRows(isInDoubt, forLater + (isForLater ? 1 : 0), needy);
}
