import { EXIT, type ExitCode } from '../exit-codes';
import { noRows, NEEDING_A_PERSON, type Counts } from '../folder/journal/row-status';
import { isHeldUnsent, isTakenOver, type Order, type Records, statusOf } from '../folder/records';
import { countRows, lastOrder, type Plan } from '../plan/plan';
import type { RecordedStop } from '../stop';

/*
 * What a batch has come to: at the end of a run, in `status`, in the report and in a notification. It is about the list as
 * it is now, and never about the rows that a run was for. Only the exit code of a run is (run/end-run.ts).
 */

export interface BatchOutcome {
	/** The rows of the list. */
	counts: Counts;
	/** The rows of the CSV that --where leaves out. */
	left_out: number;
	/** Those of the ready ones that were taken over, and not ordered here. */
	taken_over: number;
	/** The newest orders by what is waited for, be their rows in the list or not. Their briefs are being written. */
	being_written: readonly Order[];
	/** Their briefs take long, are there without their text, or another one is in their place. */
	put_off: readonly Order[];
	/** Sent, and no answer is on record: the next run finds out whether their briefs exist. */
	without_answer: readonly Order[];
	/** A person has to say what becomes of them. */
	parked: readonly Order[];
	/** The failed orders of rows. */
	failed: readonly Order[];
	/** Of the newest orders those that no row of the list has. */
	withoutRow: readonly Order[];
	/** Why the last run stopped early or could not begin. */
	stop: RecordedStop | null;
	/** The last run has no end on record, or a person ended it. */
	is_cut_off: boolean;
}

/**
 * @param list the plan of all rows of the list, by the journal and by what the allowance gives; null if the CSV cannot be
 *   read, so that only the journal knows
 */
export function batchOutcome(records: Records, list: Plan | null): BatchOutcome {
	const { lastRun, notBegun, isUnderWay } = records;
	const keysOfRows = list && new Set(list.rows.map((row) => lastOrder(row)?.key));
	const hasRow = ({ key }: Order) => keysOfRows?.has(key) ?? true;
	// What was held before it was sent is nothing without its row.
	const newest = records
		.newestTries()
		.filter((order) => !records.isReplaced(order) && (hasRow(order) || !isHeldUnsent(order)));
	const of = (status: ReturnType<typeof statusOf>) =>
		newest.filter((order) => statusOf(order) === status);
	const inStage = (stage: string) => newest.filter(({ state }) => state.stage === stage);
	const running = inStage('running');
	const last = notBegun ?? (isUnderWay ? null : lastRun);
	const csv = list?.source.csv ?? [];
	return {
		counts: list === null ? countsOnRecord(records, newest) : countRows(list.rows),
		left_out: csv.filter(({ isLeftOut }) => isLeftOut === true).length,
		taken_over: of('ready').filter(isTakenOver).length,
		being_written: running.filter(({ cause }) => cause === null),
		put_off: running.filter(({ cause }) => cause !== null),
		without_answer: inStage('in_doubt'),
		parked: of('parked'),
		// Somebody may have taken a row that had failed out of the CSV.
		failed: of('failed').filter(hasRow),
		withoutRow: newest.filter((order) => !hasRow(order)),
		stop: last?.stop ?? null,
		is_cut_off: notBegun === null && (isUnderWay || lastRun?.outcome === 'interrupted'),
	};
}

/** Counts rows of which only the journal knows. Those for which nothing was ordered are as the last run counted them. */
function countsOnRecord({ lastRun }: Records, newest: readonly Order[]): Counts {
	const counts = { ...noRows(), ...lastRun?.counts };
	Object.assign(counts, { ready: 0, failed: 0, parked: 0, pending: 0 });
	for (const order of newest) counts[statusOf(order)] += 1;
	return counts;
}

/** Counts the rows that are left for a later run. */
export function countLeft({ deferred, pending }: Pick<Counts, 'deferred' | 'pending'>): number {
	return deferred + pending;
}

/** Gives how many rows no further run can finish by itself, with the parked orders that have no row. */
export function countNeedy({ counts, parked }: Pick<BatchOutcome, 'counts' | 'parked'>): number {
	const rows = NEEDING_A_PERSON.reduce((sum, status) => sum + counts[status], 0);
	return rows + Math.max(0, parked.length - counts.parked);
}

/** Gives the exit code of rows and orders. If several hold, this order decides. */
export function exitCodeOfRows(isInDoubt: boolean, forLater: number, needy: number): ExitCode {
	if (isInDoubt) return EXIT.stoppedEarly;
	if (forLater > 0) return EXIT.leftForLater;
	return needy > 0 ? EXIT.someFailed : EXIT.ok;
}

/**
 * Gives the exit code of `status`: how the last run ended, and then what it left.
 * @param isAtWork true if a run goes on, so that nothing has ended
 */
export function exitCodeOf(outcome: BatchOutcome, isAtWork: boolean): ExitCode {
	const { counts, stop, is_cut_off, without_answer, being_written, put_off } = outcome;
	const needy = countNeedy(outcome);
	if (isAtWork) return needy > 0 ? EXIT.someFailed : EXIT.leftForLater;
	if (stop !== null) return stop.exit_code;
	if (is_cut_off) return EXIT.stoppedEarly;
	const forLater = Math.max(countLeft(counts), being_written.length + put_off.length);
	return exitCodeOfRows(without_answer.length > 0, forLater, needy);
}
