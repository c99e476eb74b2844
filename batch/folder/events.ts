import type { Brief, BriefSummary } from '../../service/api/resources';
import type { ByField, InputField } from '../../service/input/input';
import type { LastingEvent, Wait } from '../../service/order/life';
import type { ExitCode } from '../exit-codes';
import type { RecordedStop } from '../stop';
import type { LaterCause, OrderCause, ParkCause, ServiceAnswer } from './journal/causes';
import type { OrderedContent } from './journal/content';
import type { Counts, NEEDING_A_PERSON } from './journal/row-status';

/*
 * All that can happen, each thing once: a line of the journal is a line of --json is what screen and files hear. Lines
 * hold facts; sentences and commands are made where they are shown. `key` is the idempotency key, by which an order is
 * known everywhere; where its row is in the CSV of this command is added when a line is told. `at` and all times are ISO
 * 8601 in UTC, by the clock of this machine.
 */

/** The version of the journal's format, in its first line. */
export const JOURNAL_FORMAT = 3;

/** An order, with its identity and its content. The same content and try have the same key (P7). */
export interface OrderOf {
	key: string;
	/** The ID of its row's content (batch/csv/row.ts). */
	content_id: string;
	/** The number of the try of that content, from 1. */
	try: number;
	product_name: string;
	/** The row's own number, by --id. It identifies nothing: a key has none. */
	own_number?: string | undefined;
	/** The key of the earlier order that held this row back, or failed before it was edited. */
	instead_of?: string | undefined;
}

/** What another process must know of an order (service/order/recall.ts), with its key. */
export type OrderLine = { key: string } & (
	| Extract<LastingEvent, { event: 'intended' | 'withdrawn' }>
	/** `paid`: false if the brief was there before the order, or a person gave it to a row that was never sent. */
	| (Extract<LastingEvent, { event: 'accepted' }> & { paid: boolean })
	/** Another try would not help. */
	| { event: 'refused'; answer: ServiceAnswer }
	/** No create of it was answered in so many runs, and the list was certain each time that it had no brief. */
	| { event: 'unanswered'; runs: number }
	/** `known`: an earlier run has reported the same. */
	| ({ event: 'parked'; known?: true } & ParkCause)
	/** Its brief is waited for by a later run. */
	| ({ event: 'put_off' } & LaterCause)
	/** `took_ms`: milliseconds since it was accepted; null if it was not watched all the time. */
	| {
			event: 'ended';
			brief: BriefSummary & Pick<Brief, 'error_code'>;
			took_ms: number | null;
	  }
	/** `file`: the name of its files in results/ without the ending. */
	| { event: 'filed'; file: string }
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

/** The rows that need a person and that an earlier run already reported. */
export type KnownCounts = Record<(typeof NEEDING_A_PERSON)[number], number>;

/** Why rows are deferred. */
export type DeferralCause =
	| { reason: 'used_up' | 'too_little' }
	/** The rest of the allowance, by --keep. */
	| { reason: 'kept'; keep: number };

/** The last line, however a run ends. */
interface Ending {
	event: 'run_ended';
	exit_code: ExitCode;
	/** True if anything happened that no earlier run has reported. */
	news: boolean;
	/** The reason for an early end, or for what was not done. */
	stop?: RecordedStop;
}

/** That of a run that came to its end, with its numbers. */
export interface RunEnded extends Ending {
	outcome: 'complete' | 'allowance' | 'max' | 'failure' | 'interrupted';
	/** Of the list. */
	counts: Counts;
	known: KnownCounts;
	/** Briefs that this run has paid for. */
	paid: number;
	/** Briefs that became a row's for nothing. */
	taken_over: number;
	/** Briefs that became ready and were fetched, whichever run paid for them. */
	fetched: number;
	/** The first ten of these. */
	new_briefs: Array<{
		brief_id: string;
		product_name: string;
		own_number?: string;
		title: string | null;
		/** In the vendor's web app. */
		url: string | null;
	}>;
	/** The first ten orders that were parked and that no earlier run has reported. */
	new_parked: Array<OrderName & { key: string; brief_id: string | null } & ParkCause>;
	allowance: number | null;
	/** Of this month, by everybody. */
	used: number;
	/** What the allowance still gave when it ended; null if that is not known. */
	rest: number | null;
	/** Why rows are deferred. */
	deferral: DeferralCause;
	/** When the next month begins, with an allowance of its own. */
	resets_at: string;
}

/** What the journal keeps, without its time. */
export type Lasting =
	| { event: 'batch'; format: number; batch: string; base_url: string }
	| ({
			event: 'run_started';
			/** Its path; that and those in the options are as journal-paths.ts says. */
			csv: string;
			/** Null if it was not known. */
			allowance: number | null;
			used: number;
			/** The other options that were typed, without --out, for the commands to copy that messages show. */
			options?: readonly string[];
			/** The header of the column that the products came from. */
			product_column?: string;
			/** The number of its rows, and what is to be done with them. */
			rows: {
				all: number;
				to_order: number;
				/** New rows that may have a listed brief, which is taken over and not paid for. */
				to_compare: number;
				to_resume: number;
				/** Ready, or failed. */
				done: number;
				changed: number;
				invalid: number;
				duplicate: number;
			};
			others_running: number;
	  } & Reading)
	/** An order is wanted. Before anything else about it, and again if other briefs are listed before it is first sent. */
	| ({
			event: 'ordered';
			content: OrderedContent;
			/** The listed briefs that might be taken for its own: they were there before it was sent. */
			listed?: readonly string[] | undefined;
			/** The ID of the brief that passes to it from the order in its place: a person keeps it for the edited row. */
			keeps?: string | undefined;
	  } & OrderOf)
	| OrderLine
	/** An order waits: of waits those longer than a minute. */
	| { event: 'waits'; key: string; for: Wait; since: string; until: string }
	/** A run waits for a slot. */
	| {
			event: 'waits_for_slot';
			/** `refused`: the service refuses another brief although its list shows a free slot. */
			cause: 'taken' | 'refused';
			since: string;
			/** The run ends if nothing can be ordered until then. */
			until: string;
			/** The briefs that run. */
			running: Array<{ brief_id: string; product_name: string; since: string; ours: boolean }>;
	  }
	| RunEnded
	/** A run could not begin, with all that was typed. */
	| (Ending & {
			outcome: 'not_begun';
			command: 'run' | 'retry';
			stop: RecordedStop;
			csv: string;
			options: readonly string[];
	  })
	/** The marks of rows that need something, as a run has reported them, and its exit code (batch/plan/marks.ts). */
	| { event: 'reported'; exit_code: number; marks: string[] };

/** A line of the journal. */
export type Line = { at: string } & Lasting;

/** What is told, and not kept. */
export type Passing =
	/** Its create is on its way. */
	| { event: 'sent'; key: string }
	/** The brief that an earlier run ordered is still being written. */
	| { event: 'resumed'; key: string; brief: BriefSummary }
	| { event: 'status'; key: string; brief: BriefSummary }
	/** The service answered an order with a brief that it had for long, and nothing was paid. */
	| { event: 'old_brief'; key: string; created_at: string | number }
	/** The files of so many finished briefs are gone, and are fetched again. */
	| { event: 'files_removed'; briefs: number }
	/** They are gone, and the service has no such brief with a text any more. */
	| { event: 'brief_gone'; key: string; brief_id: string }
	/** The number of slots that briefs of other people hold. */
	| { event: 'others_running'; others_running: number }
	/** Nothing more is ordered. So many briefs go on, each told in a line of its own, and the next run fetches them. */
	| { event: 'interrupted'; running: number }
	| { event: 'left_running'; key: string; brief_id: string }
	/** For a person; the command is for what the text says last. */
	| { event: 'notice'; text: string; command?: string | undefined }
	/** A row needs something. `known`: an earlier run has reported the same. */
	| ({
			event: 'row_invalid';
			problems: Array<{ column: string; what: string; cure: string }>;
			known?: true;
	  } & OrderName & { row: number })
	/** The same. It is held back by the order of this key, whose brief it keeps: its product was ordered with other content. */
	| ({
			event: 'row_changed';
			key: string;
			brief_id: string | null;
			/** The fields that differ; null if it is not known what was ordered. */
			fields: string[] | null;
			differences: string;
			known?: true;
	  } & OrderName & { row: number })
	/** It has the same content as an earlier row, whose brief it shares. */
	| ({ event: 'row_duplicate'; first_row: number } & OrderName & { row: number })
	/** `retry` leaves the row as it is: it was ordered as often as --max-tries lets it. */
	| ({ event: 'row_not_retried'; key: string; tries: number } & OrderName)
	/** A run that ended before it had numbers. */
	| (Ending & { outcome: 'failure' | 'not_begun' });

/** Where an order is in the CSV of this command, and what it is of. */
export interface OrderName {
	/** As a spreadsheet counts: a header on the first line is row 1. Missing if it is not there. */
	row?: number | undefined;
	product_name: string;
	own_number?: string | undefined;
}

/** What is kept or told under this name. */
export type EventOf<Event extends (Lasting | Passing)['event']> = Extract<
	Lasting | Passing,
	{ event: Event }
>;

/** What listeners hear, and --json prints. */
export type Heard = { at: string } & (Lasting | Passing) & Partial<OrderName>;

/** All who want to hear what happens. */
export class Events {
	private readonly listeners: Array<(line: Heard) => void> = [];

	/** Names an order, once the CSV and the journal are read. */
	nameOf: (key: string) => OrderName | undefined = () => undefined;

	/** Lets somebody hear all that happens from now on. */
	listen(listener: (line: Heard) => void): void {
		this.listeners.push(listener);
	}

	readonly tell = (line: Lasting | Passing): void => {
		const name = 'key' in line ? this.nameOf(line.key) : undefined;
		const heard = { at: new Date().toISOString(), ...line, ...name };
		for (const hear of this.listeners) hear(heard);
	};
}

const ALWAYS_NEWS: ReadonlySet<Heard['event']> = new Set([
	...(['filed', 'refused', 'unanswered', 'interrupted'] as const),
]);

/** Says whether a line reports something that no earlier run has reported. */
export function isNews(line: Heard): boolean {
	const { event } = line;
	if (event === 'row_invalid' || event === 'row_changed' || event === 'parked')
		return line.known !== true;
	if (event === 'accepted') return !line.found || !line.paid;
	if (event === 'ended') return line.brief.status === 'failed';
	return ALWAYS_NEWS.has(event);
}

/** Gives why an order has failed or is parked, by a line about it; null if that says of no cause. */
export function causeIn(line: OrderLine): OrderCause | null {
	switch (line.event) {
		case 'refused':
			return { reason: 'refused', answer: line.answer };
		case 'unanswered':
			return { reason: 'unanswered', runs: line.runs };
		case 'ended':
			return line.brief.status === 'failed'
				? { reason: 'not_written', error_code: line.brief.error_code }
				: null;
		case 'parked':
		case 'put_off':
			return line;
		case 'intended':
		case 'withdrawn':
		case 'accepted':
		case 'filed':
			return null;
	}
}
