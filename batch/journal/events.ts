import type { ErrorKind } from '../../service/errors';
import type { InputField } from '../../service/input';
import type { OrderedContent } from './content';

/** The version of the journal's format, which the first line names. */
export const JOURNAL_FORMAT = 1;

/** Identifies a row of the CSV by its content, wherever it is in the CSV (P7). */
export interface RowRef {
	/** SHA-256 of the row's canonical input, the first 32 hex digits. */
	row: string;
	/** 1 for the first row with this content; higher only with --allow-duplicates. */
	ordinal: number;
	/** How many times the row was deliberately started anew; 1 at first. */
	generation: number;
}

export interface Counts {
	ready: number;
	failed: number;
	invalid: number;
	deferred: number;
	parked: number;
	changed: number;
	pending: number;
	duplicate: number;
}

/** How many rows there are of each status. */
export type RowCounts = Omit<Counts, 'duplicate'>;

/** What ended a run, and what to do next, as it was told. */
export interface RunFailure {
	what: string;
	cure: string;
	exit_code: number;
}

/** A text for each of some fields. */
export type ByField = Partial<Record<InputField, string>>;

/** The events of the journal, one line each. `at` is ISO 8601 by the local clock; `key` is the idempotency key. */
export type JournalEvent = { at: string } & (
	| { type: 'batch'; format: number; batch: string; base_url: string }
	| {
			type: 'run_started';
			csv: string;
			/** Null if it was not known. */
			allowance: number | null;
			used: number;
			/** The values that --set gave. */
			set?: ByField;
			/** The header of the column that each field was read from. */
			headers?: ByField;
			/** The file whose rows results.csv lists, where that is not `csv`, which is one of our own files then. */
			results_of?: string;
	  }
	/** A person has a failed row ordered anew, with a new key. */
	| ({ type: 'restarted'; key: string; row_number: number; product_name: string } & RowRef)
	/** Written before the create is sent. */
	| ({
			type: 'intent';
			key: string;
			row_number: number;
			product_name: string;
			/** `at` by the service's clock, which is the clock of `created_at` in its list. */
			service_time: string;
			/** What is ordered. */
			content?: OrderedContent;
			/** The key of an earlier order, which held this row back until a person asked for it anew. */
			instead_of?: string;
	  } & RowRef)
	/** The service accepted it, or its brief was found in the list after the answer was lost. */
	| {
			type: 'accepted';
			key: string;
			brief_id: string;
			found: boolean;
			/** It is older than the order: the service answered with a brief that it had, and nothing was paid. */
			adopted?: true;
			/** The product that the brief names, where a person gave it to a row of another one. */
			brief_of?: string;
	  }
	/** Never ordered by this journal: the list showed a brief of the same content that no row had. */
	| ({
			type: 'adopted';
			key: string;
			row_number: number;
			product_name: string;
			brief_id: string;
			created_at: string | number;
			content?: OrderedContent;
			/** The key of the earlier order that it takes the place of. */
			instead_of?: string;
			brief_of?: string;
	  } & RowRef)
	/** The same where nobody can tell of which content the listed brief is. Needs a person. */
	| ({
			type: 'parked_unsent';
			key: string;
			row_number: number;
			product_name: string;
			why: string;
	  } & RowRef)
	/** Certainly no brief came of it; the row may be sent again with the same key. */
	| { type: 'withdrawn'; key: string; why: string }
	/** Refused, and sending it again would not help: the row has failed. */
	| { type: 'refused'; key: string; kind: ErrorKind; code: string; why: string }
	| {
			type: 'ended';
			key: string;
			status: 'ready' | 'failed';
			title: string | null;
			url: string;
			error_code: string | null;
			created_at: string | number;
			finished_at: string | number | null;
			/** Milliseconds from accepted to noticed, by the local clock; null where it was not watched all the time. */
			took_ms: number | null;
	  }
	/** The brief is in files under results/; `file` is their name without the ending. */
	| { type: 'written'; key: string; file: string; sha256: string }
	/** Put aside. `needs` says whether a person must look, or another run may cure it. */
	| {
			type: 'parked';
			key: string;
			why: string;
			needs: 'person' | 'later';
			/** The brief that its create was answered with, where that was not believed to be its own. */
			answered_with?: string;
	  }
	/** A run could not begin, because the service refused it or could not be reached. */
	| ({ type: 'not_begun'; csv: string } & RunFailure)
	| {
			type: 'run_ended';
			outcome: string;
			/** Why it stopped early, or what it could not do. Missing if there is nothing to say. */
			failure?: RunFailure;
			/** When deferred rows can be ordered, ISO 8601. Missing if there are none. */
			resets_at?: string;
			counts: Counts;
			/** Of a run of failed.csv or deferred.csv: the rows that results.csv lists besides. Missing if there are none. */
			rest?: RowCounts;
			allowance: number | null;
			used: number;
	  }
	/** What a run has reported of rows that need something, and with what it ended (batch/run/reported.ts). */
	| { type: 'reported'; exit_code: number; marks: string[] }
);
