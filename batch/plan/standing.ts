import { statusOf } from '../folder/journal/status';
import { EXIT, type ExitCode } from '../failure';
import type { InvalidRow, RunFailure } from '../folder/journal/events';
import { rowsAtEnd, type BriefRecord, type Records } from '../folder/journal/records';

/** The rows of a batch, by its journal. */
export interface Standing {
	ready: number;
	/** Those of them that were taken over, and not ordered here. */
	taken_over: number;
	/** Their briefs are being written, or are ready and not fetched yet. */
	being_written: BriefRecord[];
	/** Sent, and no answer is on record: the next run finds out whether their briefs exist. */
	without_answer: BriefRecord[];
	/** Parked, and another run may cure it. */
	parked_later: BriefRecord[];
	/** Parked, and needs attention. */
	parked: BriefRecord[];
	failed: BriefRecord[];
	/**
	 * Rows for which nothing was ordered, so that the journal lacks them: as results.csv listed them at the last run's
	 * end.
	 */
	invalid: number;
	changed: number;
	pending: number;
	deferred: number;
	/** The time from which the deferred rows can be ordered, in milliseconds. */
	deferred_until: number;
	/** The first invalid rows. An old journal does not name them. */
	invalid_rows: readonly InvalidRow[];
	/** The reason why the last run stopped early or could not begin. */
	failure: RunFailure | null;
	/** The last run has no end on record, or a person ended it. */
	is_cut_off: boolean;
}

export function standingOf(records: Records): Standing {
	const { lastRun, notBegun, isUnderWay } = records;
	const standing: Standing = {
		ready: 0,
		taken_over: 0,
		being_written: [],
		without_answer: [],
		parked_later: [],
		parked: [],
		failed: [],
		invalid: 0,
		changed: 0,
		pending: 0,
		deferred: 0,
		deferred_until: 0,
		invalid_rows: [],
		failure: notBegun ?? (isUnderWay ? null : (lastRun?.failure ?? null)),
		is_cut_off: notBegun === null && (isUnderWay || lastRun?.outcome === 'interrupted'),
	};
	for (const record of records.newest())
		if (record.replaced_by === undefined) add(standing, record);
	if (isUnderWay || lastRun === null) return standing;
	const { failed, invalid, changed, pending, deferred } = rowsAtEnd(lastRun);
	const { invalid_rows = [] } = lastRun;
	Object.assign(standing, { invalid, changed, pending, deferred, invalid_rows });
	if (lastRun.resets_at !== undefined) standing.deferred_until = Date.parse(lastRun.resets_at);
	// Somebody has taken the rows that had failed out of the CSV.
	if (failed === 0) standing.failed = [];
	return standing;
}

function add(standing: Standing, record: BriefRecord): void {
	switch (statusOf(record)) {
		case 'pending':
			if (record.state === 'in_doubt') standing.without_answer.push(record);
			else if (record.state !== 'withdrawn') standing.being_written.push(record);
			return;
		case 'parked':
			standing[record.needs === 'later' ? 'parked_later' : 'parked'].push(record);
			return;
		case 'failed':
			standing.failed.push(record);
			return;
		case 'ready':
			standing.ready += 1;
			if (record.adopted === true) standing.taken_over += 1;
			return;
	}
}

/** Gives how many rows no further run can finish by itself. */
export function needingAttention({ parked, failed, invalid, changed }: Standing): number {
	return parked.length + failed.length + invalid + changed;
}

/**
 * Gives the exit code of a batch: how its last run ended, and then its rows. Rows that a later run orders are none.
 * @param isAtWork whether a run goes on, so that nothing has ended
 */
export function exitCodeOf(standing: Standing, isAtWork: boolean): ExitCode {
	if (!isAtWork && standing.failure !== null) return standing.failure.exit_code;
	if (!isAtWork && standing.is_cut_off) return EXIT.stoppedEarly;
	return needingAttention(standing) > 0 ? EXIT.someFailed : EXIT.ok;
}
