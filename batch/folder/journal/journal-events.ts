import type { Wait } from '../../../service/order/life';
import type { ByField, InputField } from '../../../service/input/input';
import type { RecordedStop } from '../../stop';
import type { ServiceAnswer, ParkCause } from './causes';
import type { OrderedContent } from './content';
import type { Counts } from './row-status';

/** The version of the journal's format, in its first line. */
export const JOURNAL_FORMAT = 2;

/** Identifies a row of the CSV by its content, wherever it is (P7). */
export interface RowRef {
	/** The ID of its content (batch/csv/row.ts). */
	row: string;
	/** The number of the try of the row, from 1. */
	generation: number;
	/** The row's own number, from the column that --id names. It identifies nothing in the journal: a key has none. */
	id?: string | undefined;
}

/** Why there is no slot, and the briefs that run. */
export interface SlotWaitFacts {
	/** `refused`: the service refuses another brief although its list shows a free slot. */
	cause: 'taken' | 'refused';
	briefs: Array<{ brief_id: string; product_name: string; since: string; ours: boolean }>;
}

/** A wait of a run, and for what. Times are ISO 8601 by the local clock. */
export type LongWait = { since: string; until: string } & (
	{ for: Wait } | ({ for: 'slot' } & SlotWaitFacts)
);

/** How a list is read. What one run was given holds for the runs after, until it is taken back (P10). */
export interface Reading {
	/** The fields of columns, as --map gave them; - is for one that is not read. */
	map?: ReadonlyArray<{ header: string; field: InputField | '-' }>;
	/** Values for rows that have none. */
	set?: ByField;
	/** The conditions of --where, as they are typed. */
	where?: readonly string[];
	/** The column of the rows' own numbers. */
	id?: string;
	delimiter?: string;
	encoding?: string;
}

/** The events of the journal, one a line. `at` is ISO 8601 by the local clock; `key` is the idempotency key. */
export type JournalEvent = { at: string } & (
	| { type: 'batch'; format: number; batch: string; base_url: string }
	| ({
			type: 'run_started';
			/** Its path; that and those in the options are as journal-paths.ts says. */
			csv: string;
			/** Null if it was not known. */
			allowance: number | null;
			used: number;
			/** The other options that were typed, without --out, for the commands to copy that messages show. */
			options?: string[];
			/** The header of the column that the products came from. */
			product_column?: string;
	  } & Reading)
	/** A person has ordered a failed row again, with a new key. */
	| ({
			type: 'restarted';
			key: string;
			product_name: string;
			/** The key of the order that failed, if the row was edited since. */
			instead_of?: string;
	  } & RowRef)
	/** Written before the create is sent. */
	| ({
			type: 'intent';
			key: string;
			product_name: string;
			/** `at` by the service's clock, like `created_at` in its list. */
			service_time: string;
			/** The order's content, field by field. */
			content?: OrderedContent;
			/** The briefs that the list showed when nothing had come of it yet, and that might be taken for its own. */
			listed?: string[];
			/** The key of an earlier order, which held this row back until a person asked for a new one. */
			instead_of?: string;
	  } & RowRef)
	/** The service accepted it; or its brief was found in the list, or given by --adopt, after the answer was lost. */
	| {
			type: 'accepted';
			key: string;
			brief_id: string;
			found: boolean;
			/** It is older than the order: the service answered with a brief that it had, and nothing was paid. */
			adopted?: true;
			/** The product in the brief's name, if a person gave the brief to a row of another product. */
			brief_of?: string;
	  }
	/** Never ordered by this journal: the list showed a brief of the same content that no row had, or --adopt gave it. */
	| ({
			type: 'adopted';
			key: string;
			product_name: string;
			brief_id: string;
			created_at: string | number;
			content?: OrderedContent;
			/** The key of the earlier order that this one replaces. */
			instead_of?: string;
			brief_of?: string;
	  } & RowRef)
	/** The same, if the content of the listed brief is not known. Needs attention. */
	| ({
			type: 'parked_unsent';
			key: string;
			product_name: string;
			cause: ParkCause;
	  } & RowRef)
	/** Certainly there is no brief; the row may be sent again with the same key. */
	| { type: 'withdrawn'; key: string; why: string }
	/** Refused, and another try would not help: the row has failed. */
	| { type: 'refused'; key: string; answer: ServiceAnswer }
	/** The same, because no create of it was answered in so many runs. */
	| { type: 'unanswered'; key: string; runs: number }
	| {
			type: 'ended';
			key: string;
			status: 'ready' | 'failed';
			title: string | null;
			url: string;
			error_code: string | null;
			created_at: string | number;
			finished_at: string | number | null;
			/** Milliseconds from accepted to noticed, by the local clock; null if it was not watched all the time. */
			took_ms: number | null;
	  }
	/** The rows' own numbers that a run has read for the first time, by the key of the order. */
	| { type: 'numbered'; numbers: Record<string, string> }
	/** The brief's files are in results/; `file` is their name without the ending. */
	| { type: 'written'; key: string; file: string }
	/** Put aside. */
	| { type: 'parked'; key: string; cause: ParkCause }
	/** The run waits for longer than a minute. The next order ends the wait, or the end of the run, or `until`. */
	| { type: 'waiting'; wait: LongWait }
	/** A run could not begin. Its command and its options are all that was typed. */
	| {
			type: 'not_begun';
			command: 'run' | 'retry';
			csv: string;
			options: string[];
			stop: RecordedStop;
	  }
	| {
			type: 'run_ended';
			outcome: string;
			/** The reason for an early end, or for what was not done. Missing if there is nothing to say. */
			stop?: RecordedStop;
			/** The time from which deferred rows can be ordered, ISO 8601. Missing if there are none. */
			resets_at?: string;
			counts: Counts;
			allowance: number | null;
			used: number;
	  }
	/** The marks of rows that need something, as a run has reported them, and its exit code (batch/plan/marks.ts). */
	| { type: 'reported'; exit_code: number; marks: string[] }
);
