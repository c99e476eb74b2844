import type { ExitCode } from './exit-codes';
import type { FailureCause, ParkCause } from './folder/journal/causes';
import type { NEEDING_ATTENTION, Counts } from './folder/journal/row-status';
import type { Wait } from '../service/order/life';
import type { RecordedStop } from './stop';

/** By the clock of this machine, in UTC. */
export type Time = string;

export type Count = number;

/** The rows that need attention and that an earlier run already reported. */
export type KnownCounts = Record<(typeof NEEDING_ATTENTION)[number], Count>;

/** A row of the CSV as an event names it. */
interface EventRow {
	/** As a spreadsheet counts: a header on the first line is row 1. */
	row: number;
	/** The row's own number, if --id names its column and its cell is not empty. */
	id?: string;
}

export interface NamedRow extends EventRow {
	product_name: string;
}

/** An order as an event names it. */
export interface NamedOrder extends Partial<EventRow> {
	/** The idempotency key, which is its name whatever happens to the CSV. The row is missing if it is not there. */
	key: string;
	product_name: string;
}

/** A line of --json. */
interface Line {
	/** When it happened. */
	at: Time;
}

/** What nobody did about it since an earlier run said the same. */
interface Reported {
	/** There, and true, if an earlier run has reported the same. */
	known?: true;
}

export interface RunStarted extends Line {
	event: 'run_started';
	batch: string;
	rows: Count;
	/** Rows to order, without those to compare. */
	to_create: Count;
	/** New rows that may have a listed brief, which is taken over and not paid for. Missing if there are none. */
	to_compare?: Count;
	to_resume: Count;
	done: Count;
	changed: Count;
	invalid: Count;
	duplicates: Count;
	/** Null if it is not known. */
	allowance: Count | null;
	used: Count;
	others_running: Count;
}

export interface RowInvalid extends Line, EventRow, Reported {
	event: 'row_invalid';
	/** Empty if the row has none. */
	product_name: string;
	problems: Array<{ column: string; what: string; cure: string }>;
}

/** Held back: its product was ordered with other content. */
export interface RowChanged extends Line, NamedRow, Reported {
	event: 'row_changed';
	/** The order that holds it back. */
	key: string;
	/** The brief that it keeps. */
	brief_id: string | null;
	/** The fields that differ; null if it is not known what was ordered. */
	fields: string[] | null;
	differences: string;
}

/** The same content as an earlier row, whose brief it shares. */
export interface RowDuplicate extends Line, EventRow {
	event: 'row_duplicate';
	first_row: number;
}

/** Ordered, and taken by the service: a brief is paid for. brief_accepted follows. */
export interface BriefOrdered extends Line, NamedOrder {
	event: 'brief_ordered';
}

export interface BriefAccepted extends Line, NamedOrder {
	event: 'brief_accepted';
	brief_id: string;
	status: string;
	/** Whether the brief was there already. */
	found: boolean;
	/** There, and true, if it was taken over: it was there before the row was ordered, and cost nothing. */
	taken_over?: true;
}

export interface BriefStatusSeen extends Line, NamedOrder {
	event: 'brief_status';
	brief_id: string;
	status: string;
}

/** A brief that became ready. */
export interface NewBrief {
	brief_id: string;
	product_name: string;
	title: string | null;
	/** In the vendor's web app. */
	url: string | null;
}

export interface BriefReady extends Line, NewBrief, NamedOrder {
	event: 'brief_ready';
	/** Under --out. */
	file: string;
	/** Null if it was not watched all the time. */
	took_ms: Count | null;
}

/** The order was refused, or the service could not write its brief. */
export type RowFailed = RowFailedLine & FailureCause;

interface RowFailedLine extends Line, NamedOrder, Words {
	event: 'row_failed';
	brief_id: string | null;
	error_code: string;
}

/** Needs attention, or another run. */
export type RowParked = Line & NewlyParked;

/** A row that was parked, and why. */
export type NewlyParked = ParkedRow & ParkCause;

interface ParkedRow extends NamedOrder, Reported, Words {
	event: 'row_parked';
	brief_id: string | null;
}

/** The same as `reason` with its facts. */
interface Words {
	/** For people: what happened, and what to do. */
	error: string;
}

export interface AllowanceRead extends Line {
	event: 'allowance';
	allowance: Count | null;
	used: Count;
}

/** A row waits: for what, since when and until when. */
export interface RowWaiting extends Line, NamedOrder {
	event: 'waiting';
	for: Wait;
	since: Time;
	until: Time;
}

/**
 * A row waits for a slot: reported at once, and again at growing intervals. After `until` the run ends.
 */
export interface WaitingForSlot extends Line {
	event: 'waiting_for_slot';
	/** `refused`: the service refuses another brief although its list shows a free slot. */
	cause: 'taken' | 'refused';
	since: Time;
	until: Time;
	/** Those that run. */
	briefs: Array<{ brief_id: string; product_name: string; since: Time; ours: boolean }>;
}

/** The number of slots that briefs of other people hold. */
export interface OthersRunning extends Line {
	event: 'others_running';
	others_running: Count;
}

/** A remark for a person. */
export interface Notice extends Line {
	event: 'notice';
	text: string;
	/** For what the text says last. */
	command?: string;
}

/** Nothing more is ordered. These briefs go on, and the next run fetches them. */
export interface Interrupted extends Line {
	event: 'interrupted';
	running: Array<{ brief_id: string } & NamedOrder>;
}

/** The last line, however a run ends. If nothing could begin it has no numbers. */
export type RunEndedLine = EndOfRun & (Ending | { [field in keyof Ending]?: undefined });

interface EndOfRun extends Line {
	event: 'run_ended';
	outcome: 'complete' | 'allowance' | 'max' | 'failure' | 'interrupted' | 'not_begun';
	exit_code: ExitCode;
	/** True if anything happened that no earlier run has reported. */
	news: boolean;
	/** The reason why it stopped early, or what it could not do; null if there is nothing to report. */
	failure: RecordedStop | null;
}

/** The rows at the end of a run. */
interface Ending extends Counts, RunTotals {
	/** When the next month begins, with an allowance of its own. */
	resets_at: Time;
	/** Rows that need attention and that an earlier run already reported. */
	known: KnownCounts;
}

/** The sums of a run. */
export interface RunTotals {
	/** Briefs that this run has paid for. */
	paid: Count;
	/** Briefs that became a row's for nothing. */
	taken_over: Count;
	/** Briefs that became ready and were fetched, whichever run paid for them. */
	fetched: Count;
	/** The first ten of these. */
	new_briefs: NewBrief[];
	/** The first ten rows that were parked and that no earlier run has reported, as row_parked has them. */
	new_parked: NewlyParked[];
}

/** What a run prints with --json. */
export type RunLine =
	| RunStarted
	| RowInvalid
	| RowChanged
	| RowDuplicate
	| BriefOrdered
	| BriefAccepted
	| BriefStatusSeen
	| BriefReady
	| RowFailed
	| RowParked
	| AllowanceRead
	| RowWaiting
	| WaitingForSlot
	| OthersRunning
	| Notice
	| Interrupted
	| RunEndedLine;

type WithoutTime<Each> = Each extends unknown ? Omit<Each, 'at'> : never;

/** The reports of a run while it goes on, printed with --json or drawn on the terminal. */
export type RunEvent = WithoutTime<RunLine>;
export type RunEnded = WithoutTime<RunEndedLine>;

type WithoutWords<Each> = Each extends RowFacts ? Omit<Each, 'error'> : Each;
type RowFacts = WithoutTime<RowFailed | RowParked>;

/** The same without the words that are made of facts: what an order reports. */
export type Fact = WithoutWords<RunEvent> | Remark;

/** Shown as a notice. */
export type Remark =
	| OldBrief
	/** The files of so many finished briefs are gone, and are fetched again. */
	| { event: 'remark'; is: 'files_removed'; briefs: number }
	/** They are gone, and the service has no such brief with a text any more. */
	| ({ event: 'remark'; is: 'brief_gone'; brief_id: string } & NamedOrder);

/** The service answered an order with a brief that it had for long, and nothing was paid. */
export interface OldBrief extends NamedOrder {
	event: 'remark';
	is: 'old_brief';
	created_at: string | number;
}

export type Report = (fact: Fact) => void;

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
 * @param sentKeys the keys of the orders that were sent and have no answer yet
 */
export function isPaidFor(
	{ key, found, taken_over }: Extract<RunEvent, { event: 'brief_accepted' }>,
	sentKeys: ReadonlySet<string>,
): boolean {
	return !found || (taken_over !== true && sentKeys.has(key));
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
