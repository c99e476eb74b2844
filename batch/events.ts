import type { NEEDING_ATTENTION, Counts } from './folder/journal/status';
import type { Wait } from '../service/order/life';

/** The numbers of rows that need attention and that an earlier run already reported. */
export type Known = Record<(typeof NEEDING_ATTENTION)[number], number>;

/** A row as an event names it. */
interface EventRow {
	row: number;
	/** The row's own number, if --id names its column. */
	id?: string;
}

export interface NamedRow extends EventRow {
	product_name: string;
}

/** The reports of a run while it goes on: with --json one line each, else drawn on the terminal. */
export type RunEvent =
	| {
			event: 'run_started';
			batch: string;
			rows: number;
			/** Rows to order, without those to compare. */
			to_create: number;
			/** New rows that may have a listed brief, which is taken over and not paid for. Missing if there are none. */
			to_compare?: number;
			to_resume: number;
			done: number;
			changed: number;
			invalid: number;
			duplicates: number;
			/** Null if it is not known. */
			allowance: number | null;
			used: number;
			others_running: number;
	  }
	| ({
			event: 'row_invalid';
			/** Empty if the row has none. */
			product_name: string;
			problems: Array<{ column: string; what: string; cure: string }>;
			/** An earlier run has reported the same. */
			known?: true;
	  } & EventRow)
	/** Held back: its product was ordered with other content. `brief_id` is the brief that it keeps. */
	| ({
			event: 'row_changed';
			brief_id: string | null;
			/** The fields that differ; null if it is not known what was ordered. */
			fields: string[] | null;
			differences: string;
			known?: true;
	  } & NamedRow)
	| ({ event: 'row_duplicate'; first_row: number } & EventRow)
	| ({ event: 'brief_ordered'; key: string } & NamedRow)
	| ({
			event: 'brief_accepted';
			brief_id: string;
			status: string;
			found: boolean;
			/** Taken over: it was there before the row was ordered, and cost nothing. */
			taken_over?: true;
	  } & NamedRow)
	| ({ event: 'brief_status'; brief_id: string; status: string } & NamedRow)
	| ({
			event: 'brief_ready';
			brief_id: string;
			title: string | null;
			/** In the vendor's web app. */
			url: string | null;
			file: string;
			took_ms: number | null;
	  } & NamedRow)
	| ({
			event: 'row_failed';
			brief_id: string | null;
			error_code: string;
			error: string;
	  } & NamedRow)
	| ({
			event: 'row_parked';
			brief_id: string | null;
			error: string;
			known?: true;
	  } & NamedRow)
	| { event: 'allowance'; allowance: number | null; used: number }
	/** A row waits, for what and until when. */
	| ({
			event: 'waiting';
			for: Wait;
			since: string;
			until: string;
	  } & NamedRow)
	/**
	 * A row waits for a slot: reported at once, and again at growing intervals. `briefs` are those that run. `refused`: the
	 * service refuses another one although its list shows a free slot. After `until` the run ends.
	 */
	| {
			event: 'waiting_for_slot';
			cause: 'taken' | 'refused';
			since: string;
			until: string;
			briefs: Array<{ brief_id: string; product_name: string; since: string; ours: boolean }>;
	  }
	/** The number of slots that briefs of other people hold. */
	| { event: 'others_running'; others_running: number }
	| { event: 'notice'; text: string }
	| {
			event: 'interrupted';
			running: Array<{ brief_id: string } & NamedRow>;
	  }
	| RunEnded;

/** The last event, however a run ends. */
export interface RunEnded extends Partial<Ending> {
	event: 'run_ended';
	/** `not_begun` if nothing could begin: then nothing is said of the rows. */
	outcome: string;
	exit_code: number;
	/** True if anything happened that no earlier run has reported. */
	news: boolean;
	/** The reason why it stopped early, or what it could not do; null if there is nothing to report. */
	failure: { what: string; cure: string } | null;
}

/** The rows at the end of a run. */
interface Ending extends Counts, RunTotals {
	resets_at: string;
	/** Rows that need attention and that an earlier run already reported. */
	known: Known;
}

/** The sums of a run. */
export interface RunTotals {
	/** Briefs that this run has paid for. */
	paid: number;
	/** Briefs that became a row's for nothing. */
	taken_over: number;
	/** Briefs that became ready and were fetched, whichever run paid for them. */
	fetched: number;
	/** The first of these. */
	new_briefs: NewBrief[];
	/** The first rows that were parked and that no earlier run has reported. */
	new_parked: NewlyParked[];
}

/** A row that was parked, and why. */
export interface NewlyParked {
	row: number;
	product_name: string;
	error: string;
}

/** A brief that became ready. */
export interface NewBrief {
	brief_id: string;
	product_name: string;
	title: string | null;
	/** In the vendor's web app. */
	url: string | null;
}

export type Emit = (event: RunEvent) => void;

/** The events of a run, and all who hear them. */
export class Events {
	private readonly listeners: Emit[] = [];

	/** Lets somebody hear all events from now on. */
	listen(listener: Emit): void {
		this.listeners.push(listener);
	}

	readonly emit: Emit = (event) => {
		for (const hear of this.listeners) hear(event);
	};
}

/**
 * Says whether this run has paid for an accepted brief. One whose order had no answer is found in the list, and is paid
 * for all the same.
 * @param sent the rows that were sent and have no answer yet
 */
export function isPaidFor(
	{ row, found, taken_over }: Extract<RunEvent, { event: 'brief_accepted' }>,
	sent: ReadonlySet<number>,
): boolean {
	return !found || (taken_over !== true && sent.has(row));
}

/** Says whether an event reports something that no earlier run has reported. */
export function isNews(event: RunEvent): boolean {
	switch (event.event) {
		case 'row_invalid':
		case 'row_changed':
		case 'row_parked':
			return event.known !== true;
		case 'brief_accepted':
			return !event.found || event.taken_over === true;
		case 'brief_ready':
		case 'row_failed':
		case 'interrupted':
			return true;
		case 'run_started':
		case 'row_duplicate':
		case 'brief_ordered':
		case 'brief_status':
		case 'allowance':
		case 'waiting':
		case 'waiting_for_slot':
		case 'others_running':
		case 'notice':
		case 'run_ended':
			return false;
	}
}
