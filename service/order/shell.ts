import type { BriefInput, BriefSummary } from '../api/resources';
import type { Circumstances } from './decide';
import type { BriefEvent, LastingEvent, OrderEvent, OrderState, Wait } from './life';

/** The result of a look for the brief of an order; whether the list is certain of it is judged by the driver. */
export type Look =
	| { is: 'found'; brief: BriefSummary }
	| { is: 'nothing' }
	| { is: 'unclear'; ids: readonly string[]; likelyBrief?: BriefSummary };

/** What an order wants, and what is around it in this process: other orders, the list and the run. */
export interface OrderShell {
	readonly input: BriefInput;
	readonly key: string;
	/** Says whether the list shows a brief that may be of this content, and that was not compared yet. */
	mayBeListed(): boolean;
	/**
	 * Looks for its brief in the list, which was read as it was at `asOf` of the service's clock. Throws ServiceError.
	 */
	find(order: OrderState): Promise<{ look: Look; asOf: number }>;
	/** Takes a brief, unless it belongs to another order. */
	claim(brief: BriefSummary): boolean;
	circumstances(): Circumstances;
	/** Called for each event, once it is on record if there is a record, with the order as it was before. */
	hear(event: OrderEvent, before: OrderState): void;
	/** Called when it begins to wait, until this time of this machine's clock. */
	waits?(what: Wait, until: number): void;
	/**
	 * Puts on record what happened, before anything else is done about it. Missing if nothing outlives the process: then
	 * only their keys distinguish orders of the same content.
	 */
	keep?(event: LastingEvent, order: OrderState): Promise<void>;
	/** Gets the brief that an earlier process put on record. These three are missing if whoever ordered it follows it. */
	get?(): Promise<BriefEvent>;
	watch?(): Promise<BriefEvent>;
	/** Fetches its brief, and keeps that. */
	file?(): Promise<BriefEvent>;
}
