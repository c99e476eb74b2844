import type { Count, NamedOrder, RunLine, Time } from '../events';
import type { ExitCode } from '../exit-codes';
import type { AtWork } from '../folder/lock/holder';
import type { LongWait } from '../folder/journal/journal-events';
import type { Holder } from '../folder/lock/lock-file';
import type { Kind, PlanRow } from './plan-rows';
import type { Allowance } from '../../service/list/allowance';
import type { RecordedStop } from '../stop';
import type { Check } from './doctor/check';
import type { Task, TaskRow } from './status/tasks';

/**
 * What brief-batch prints with --json, one of these a line. `plan` and `doctor` print one, `status` one for each folder,
 * `run` and `retry` one for each event. The last line of these two is run_ended, unless a second Ctrl-C or a kill ends
 * the program. Later versions may add events and fields: leave aside what you do not know.
 */
export type PrintedLine =
	RunLine | RowNotRestarted | PlanLine | StatusLine | UnreadableLine | DoctorLine | UnlockLine;

/** `retry` leaves the row as it is: it was ordered as often as --max-tries lets it. */
export interface RowNotRestarted extends NamedOrder {
	event: 'row_not_restarted';
	generation: Count;
}

/** What a run would do. */
export interface PlanLine extends Record<Exclude<Kind, 'duplicate'>, Count> {
	event: 'plan';
	batch: string;
	rows: Count;
	duplicates: Count;
	ready_to_go: Count;
	/** Null if the service was not asked. */
	allowance: Allowance | null;
	/** The briefs that a run would order now. */
	takes: Count;
	beyond_max: Count;
	deferred: Count;
	estimate_ms: { likely: Count; shortest: Count; longest: Count };
	/** Why the service was not asked, or what it said; null if all is checked. */
	unchecked: { what: string; cure: string } | null;
	exit_code: ExitCode;
	notices: string[];
	by_row: PlanRow[];
}

/** Where the batch of a folder is. */
export interface StatusLine {
	event: 'status';
	name: string;
	out: string;
	batch: string | null;
	base_url: string | null;
	/** Whether a run holds the folder. */
	at_work: AtWork['is'];
	/** For what the run at work waits. */
	waiting: LongWait | null;
	/** Its end, as in journal.jsonl. */
	last_run: object | null;
	/** Why the newest run could not begin, as in journal.jsonl. */
	not_begun: object | null;
	/** Why the last run stopped early. */
	failure: RecordedStop | null;
	cut_off: boolean;
	counts: {
		ready: Count;
		taken_over: Count;
		invalid: Count;
		changed: Count;
		pending: Count;
		deferred: Count;
		being_written: Count;
		without_answer: Count;
		parked: Count;
		parked_later: Count;
		failed: Count;
	};
	deferred_until: Time | null;
	paid: Count;
	taken_over: Count;
	fetched: Count;
	paid_by_month: Array<{ month: string; paid: Count }>;
	/** The command that goes on. */
	run: string;
	needs_person: Array<
		Omit<Task, 'total' | 'rows'> & { rows: Array<Omit<TaskRow, 'why'> & { why: string }> }
	>;
	/** Each order, as journal.jsonl has it. */
	briefs: readonly object[];
	exit_code: ExitCode;
}

/** A folder that cannot be read. */
export interface UnreadableLine {
	event: 'status';
	name: string;
	failure: RecordedStop;
	exit_code: ExitCode;
}

/** What works, what does not and what to do. */
export interface DoctorLine {
	event: 'doctor';
	at: Time;
	version: string;
	node: string;
	platform: string;
	base_url: string | null;
	out: string;
	checks: Check[];
	/** The check to cure first. */
	first: string | null;
	exit_code: ExitCode;
}

export interface UnlockLine {
	event: 'unlock';
	/** Null if there was no lock that can be read. */
	holder: Holder | null;
	removed: boolean;
}
