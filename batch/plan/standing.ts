import { statusOf } from '../folder/journal/status';
import { EXIT } from '../failure';
import type { RunFailure } from '../folder/journal/events';
import { rowsAtEnd, type BriefRecord, type Records } from '../folder/journal/records';

/** Where a batch is, by its journal. */
export interface Standing {
	ready: number;
	/** How many of these were taken over, and not ordered here. */
	adopted: number;
	/** Their briefs are being written, or are ready and not fetched yet. */
	being_written: BriefRecord[];
	/** Sent, and no answer is on record: the next run finds out whether their briefs exist. */
	without_answer: BriefRecord[];
	/** Parked, and another run may cure it. */
	parked_later: BriefRecord[];
	/** Parked, and needs attention. */
	parked: BriefRecord[];
	failed: BriefRecord[];
	/** Rows for which nothing was ordered, so that the journal lacks them: as results.csv listed them at the last run's end. */
	invalid: number;
	changed: number;
	pending: number;
	deferred: number;
	/** When the deferred rows can be ordered, in milliseconds. */
	deferred_until: number;
	/** Why the last run stopped early or could not begin. */
	failure: RunFailure | null;
}

export function standingOf(records: Records): Standing {
	const { lastRun, notBegun, isUnderWay } = records;
	const standing: Standing = {
		ready: 0,
		adopted: 0,
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
		failure: notBegun ?? (isUnderWay ? null : (lastRun?.failure ?? null)),
	};
	for (const record of records.newest())
		if (record.replaced_by === undefined) add(standing, record);
	if (isUnderWay || lastRun === null) return standing;
	const { failed, invalid, changed, pending, deferred } = rowsAtEnd(lastRun);
	Object.assign(standing, { invalid, changed, pending, deferred });
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
			if (record.adopted === true) standing.adopted += 1;
			return;
	}
}

/** Whether rows are left that no further run can finish. */
export function needsPerson({ parked, failed, invalid, changed, failure }: Standing): boolean {
	const isRefused = failure !== null && failure.exit_code !== EXIT.stoppedEarly;
	return parked.length + failed.length + invalid + changed > 0 || isRefused;
}
