import { NEW_ORDER, type OrderState, type RecordStage } from '../../../service/order/life';
import type { Timestamp } from '../../../service/api/resources';
import { instantOf } from '../../../service/api/timestamps';
import type { OrderCause } from './causes';
import type { OrderedContent } from './content';
import type { JournalEvent, Reading } from './journal-events';

/** The beginning of a run. */
export interface RunStart {
	at: string;
	csv: string;
	/** The options that were typed, without --out and those of the reading. */
	options: readonly string[];
	reading: Reading;
	/** The header of the column that the products came from. */
	productColumn: string | undefined;
}

/** One try of a row, as the journal knows it. Times are ISO 8601 by the local clock. */
export interface BriefRecord {
	/** The idempotency key: the order's name everywhere. */
	key: string;
	/** The ID of the row's content. */
	row: string;
	/** The number of the try of the row, from 1. */
	generation: number;
	product_name: string;
	/** The row's own number, by --id. */
	id?: string | undefined;
	/** When it came on record. */
	first_tried: string;
	/** As another process finds it. */
	state: OrderState;
	/** What was ordered; undefined if it was parked before it was sent. */
	content?: OrderedContent;
	/** The IDs of briefs that were listed when nothing had come of it yet. */
	listed_before: readonly string[];
	/** The newest run when its content came on record. */
	run?: RunStart;
	/** The key of the order that replaced this one. */
	replaced_by?: string;
	/** The key of the order that this one replaced. */
	instead_of?: string;
	/** Where it has come to: the stage of its state, or parked before it was sent. */
	stage: RecordStage;
	/** A run has come to its end without an answer to it since it was last withdrawn. */
	is_left: boolean;
	/** Nothing was paid: its brief was there before its order, or --adopt gave it to a row that had surely ordered none. */
	adopted?: true | undefined;
	/** Parked before it was ordered, because the list shows a brief that may be its own. */
	unsent?: true;
	/** When the service took it, or its brief was found. */
	accepted_at: string | null;
	/** Its brief. Once that is known it is paid for. */
	brief_id: string | null;
	/** The product in its brief's name, if a person gave it a brief of another product. */
	brief_of?: string | undefined;
	/** How its brief ended. */
	ended_as: 'ready' | 'failed' | null;
	title: string | null;
	/** Its brief in the vendor's web app. */
	url: string | null;
	/** As the service wrote it. */
	created_at: Timestamp | null;
	/** As the service wrote it. */
	finished_at: Timestamp | null;
	/** When this machine noticed that its brief had ended, or that it was refused. */
	ended_at: string | null;
	/** Milliseconds from accepted to ended; null if it was not watched all the time. */
	took_ms: number | null;
	/** The name of its files in results/ without the ending, once they are written. */
	file: string | null;
	/** The reason code of a failed brief, or of a refusal. */
	error_code: string | null;
	/** Why it is parked or has failed. */
	cause: OrderCause | null;
}

type FirstEvent = Extract<
	JournalEvent,
	{ type: 'intent' | 'restarted' | 'adopted' | 'parked_unsent' }
>;

/** Makes the record of a new order. */
export function newRecord(event: FirstEvent): BriefRecord {
	const { key, row, generation, product_name, id, at } = event;
	return {
		key,
		row,
		generation,
		product_name,
		id,
		first_tried: at,
		state: NEW_ORDER,
		listed_before: [],
		stage: 'to_order',
		is_left: false,
		accepted_at: null,
		brief_id: null,
		ended_as: null,
		title: null,
		url: null,
		created_at: null,
		finished_at: null,
		ended_at: null,
		took_ms: null,
		file: null,
		error_code: null,
		cause: null,
	};
}

/**
 * Gives when a brief was created, for the month in which it counts. If the service's own time cannot be read, that of
 * its last intent is close enough; this machine's clock may have been set since.
 */
export function createdAt(record: BriefRecord): Timestamp {
	const { created_at, state, accepted_at, first_tried } = record;
	const readable = instantOf(created_at) === null ? null : created_at;
	return readable ?? state.lastTried?.service ?? accepted_at ?? first_tried;
}
