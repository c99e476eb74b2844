import { noRows, statusOf, type RowStatus } from '../folder/journal/row-status';
import { EXIT, type ExitCode } from '../exit-codes';
import { isForLater } from '../folder/journal/causes';
import { isTakenOver, type Order, type Records } from '../folder/records';
import type { RecordedStop } from '../stop';

/** The rows of a batch, by its journal. */
export interface Standing {
	ready: number;
	/** Those of them that were taken over, and not ordered here. */
	taken_over: number;
	/** Their briefs are being written, or are ready and not fetched yet. */
	being_written: readonly Order[];
	/** Sent, and no answer is on record: the next run finds out whether their briefs exist. */
	without_answer: readonly Order[];
	/** Parked, and another run may cure it. */
	parked_later: readonly Order[];
	/** Parked, and needs attention. */
	parked: readonly Order[];
	failed: readonly Order[];
	/** The numbers of rows that were not ordered, as the last run left them. */
	invalid: number;
	changed: number;
	pending: number;
	deferred: number;
	/** The time from which the deferred rows can be ordered, in milliseconds. */
	deferred_until: number;
	/** Why the last run stopped early or could not begin. */
	stop: RecordedStop | null;
	/** The last run has no end on record, or a person ended it. */
	is_cut_off: boolean;
}

/** Gives where the rows of a batch are, by its journal. */
export function standingOf(records: Records): Standing {
	const { lastRun, notBegun, isUnderWay } = records;
	const newestTries = records.newestTries().filter((record) => !records.isReplaced(record));
	const of = (status: RowStatus) => newestTries.filter((record) => statusOf(record) === status);
	const [readyOrders, parkedOrders, sentOrders] = [of('ready'), of('parked'), of('pending')];
	const end = isUnderWay ? null : lastRun;
	const last = notBegun ?? end;
	// Rows for which nothing was ordered are not in the journal: they are as results.csv listed them at the last run's end.
	const { failed, invalid, changed, pending, deferred } = end === null ? noRows() : end.counts;
	return {
		ready: readyOrders.length,
		taken_over: readyOrders.filter(isTakenOver).length,
		being_written: sentOrders.filter(({ state }) => state.stage === 'running'),
		without_answer: sentOrders.filter(({ state }) => state.stage === 'in_doubt'),
		parked_later: parkedOrders.filter(isLeftForLater),
		parked: parkedOrders.filter((record) => !isLeftForLater(record)),
		// Somebody may have taken the rows that had failed out of the CSV.
		failed: end !== null && failed === 0 ? [] : of('failed'),
		invalid,
		changed,
		pending,
		deferred,
		deferred_until: end?.resets_at === undefined ? 0 : Date.parse(end.resets_at),
		stop: last?.stop ?? null,
		is_cut_off: notBegun === null && (isUnderWay || lastRun?.outcome === 'interrupted'),
	};
}

function isLeftForLater({ cause }: Order): boolean {
	return cause !== null && isForLater(cause);
}

/** Gives how many rows no further run can finish by itself. */
export function needingAttention({ parked, failed, invalid, changed }: Standing): number {
	return parked.length + failed.length + invalid + changed;
}

/**
 * Gives the exit code of a batch: how its last run ended, and then its rows. Rows that a later run orders are none.
 * @param isAtWork true if a run goes on, so that nothing has ended
 */
export function exitCodeOfBatch(standing: Standing, isAtWork: boolean): ExitCode {
	if (!isAtWork && standing.stop !== null) return standing.stop.exit_code;
	if (!isAtWork && standing.is_cut_off) return EXIT.stoppedEarly;
	return needingAttention(standing) > 0 ? EXIT.someFailed : EXIT.ok;
}
