import type { ErrorKind } from '../../service/errors';

/** The version of the journal's format; it stands in the first line. */
export const JOURNAL_FORMAT = 1;

/** Which row of the CSV, told by its content: the same wherever the row stands (P7). */
export interface RowRef {
	/** SHA-256 of the row's canonical input, the first 32 hex digits. */
	row: string;
	/** 1 for the first row with this content; higher ones only where duplicates are wanted. */
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
	pending: number;
	duplicate: number;
}

/** What the journal records, one line each. `at` is ISO 8601 by our clock; `key` is the idempotency key. */
export type JournalEvent = { at: string } & (
	| { type: 'batch'; format: number; batch: string; base_url: string }
	| { type: 'run_started'; csv: string; allowance: number; used: number }
	/** A row that failed may be ordered anew, with a new key: a person wants it so. */
	| ({ type: 'restarted'; key: string; row_number: number; product_name: string } & RowRef)
	/** On record before the create is sent for the first time. */
	| ({
			type: 'intent';
			key: string;
			row_number: number;
			product_name: string;
			/** `at` by the service's clock, by which its list tells when a brief was created. Missing in older journals. */
			service_time?: string;
	  } & RowRef)
	/** The service took it, or it was found in the list after an answer was lost. */
	| { type: 'accepted'; key: string; brief_id: string; found: boolean }
	/** Certain that no brief came of it; the row may be sent again with the same key. */
	| { type: 'withdrawn'; key: string; why: string }
	/** Refused for good; the row has failed. */
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
			/** From accepted to noticed, by our clock, in milliseconds; null where it was not watched all along. */
			took_ms: number | null;
	  }
	/** The result stands in files under results/, named without their ending. */
	| { type: 'written'; key: string; file: string; sha256: string }
	/** Needs a person. */
	| { type: 'parked'; key: string; why: string }
	| { type: 'run_ended'; outcome: string; counts: Counts; allowance: number; used: number }
);
