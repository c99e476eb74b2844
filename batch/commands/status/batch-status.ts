import { realDisk } from '../../folder/disk';
import type { Records } from '../../folder/journal/records';
import { briefNumbers, paidByMonth } from '../../folder/journal/paid';
import type { LongWait } from '../../folder/journal/events';
import { whoIsAtWork, type AtWork } from '../../folder/lock/holder';
import { readExistingJournal } from '../../folder/out-folder';
import { exitCodeOf, standingOf, type Standing } from '../../plan/standing';
import { commandFor } from '../../command-text';
import type { ExitCode, Failure } from '../../failure';
import type { StatusLine } from '../printed';
import type { Plan } from '../../plan/plan';
import { planOfLastCsv } from '../last-csv';
import { tasksOf, type Task } from './tasks';

/** The knowledge of `status` about one folder. */
export interface BatchStatus {
	/** The client that it is for. */
	name: string;
	outDir: string;
	records: Records;
	standing: Standing;
	/** The CSV of the newest run as it is now; null if it cannot be read. */
	csv: Plan | null;
	tasks: readonly Task[];
	atWork: AtWork;
	isAtWork: boolean;
	/** The wait of the run at work; null if it does not wait. */
	waiting: LongWait | null;
	exitCode: ExitCode;
}

/** A folder of several that could not be read. */
export interface Unreadable {
	name: string;
	failure: Failure;
}

/**
 * Reads where the batch in a folder is: from the journal, without the service.
 * @throws {Failure} if there is no journal that can be read
 */
export async function readStatus(name: string, outDir: string): Promise<BatchStatus> {
	const records = await readExistingJournal(outDir);
	const atWork = await whoIsAtWork(realDisk, outDir);
	// A lock that nothing can be known about may be of a run that was killed, or of one that goes on.
	const isAtWork = atWork.is === 'alive' || (atWork.is === 'perhaps' && records.isUnderWay);
	const standing = standingOf(records);
	const csv = await planOfLastCsv(records);
	const { waiting } = records;
	const isWaiting = isAtWork && waiting !== null && Date.parse(waiting.until) > Date.now();
	return {
		name,
		outDir,
		records,
		standing,
		csv,
		tasks: tasksOf(standing, records, outDir, csv),
		atWork,
		isAtWork,
		waiting: isWaiting ? waiting : null,
		exitCode: exitCodeOf(standing, isAtWork),
	};
}

/** Gives the document that --json prints for a folder. */
export function documentOf(status: BatchStatus): StatusLine {
	const { name, outDir, records, standing, tasks, atWork, waiting, exitCode } = status;
	const { ready, taken_over, invalid, changed, pending, deferred } = standing;
	const { being_written, without_answer, parked, parked_later, failed } = standing;
	return {
		event: 'status',
		name,
		out: outDir,
		batch: records.batch,
		base_url: records.baseUrl,
		at_work: atWork.is,
		waiting,
		last_run: records.lastRun,
		not_begun: records.notBegun,
		failure: standing.failure,
		cut_off: standing.is_cut_off,
		counts: {
			ready,
			taken_over,
			invalid,
			changed,
			pending,
			deferred,
			being_written: being_written.length,
			without_answer: without_answer.length,
			parked: parked.length,
			parked_later: parked_later.length,
			failed: failed.length,
		},
		deferred_until: deferred === 0 ? null : new Date(standing.deferred_until).toISOString(),
		...briefNumbers(records.all()),
		paid_by_month: paidByMonth(records.all()),
		run: commandFor('run', records, outDir),
		needs_person: tasks.map(({ what, cure, command, rows }) => ({ what, cure, command, rows })),
		briefs: records.all(),
		exit_code: exitCode,
	};
}
