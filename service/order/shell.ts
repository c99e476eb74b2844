import type { BriefInput, BriefSummary } from '../resources';
import type { Facts, OrderingEnd } from './decide';
import type { ParkReason } from './steps';
import type { LastingEvent, OrderEvent, PassingEvent, Wait } from './events';
import type { OrderState } from './states';

/** What a look for the brief of an order showed; whether the list is certain of it is judged by the driver. */
export type Look =
	| { is: 'found'; brief: BriefSummary }
	| { is: 'nothing' }
	| { is: 'unclear'; ids: readonly string[]; likely?: BriefSummary };

/** What can happen to a brief that exists. */
export type FollowEvent = Extract<OrderEvent, { type: 'seen' | 'ended' | 'filed' | 'parked' }>;

/**
 * What differs between brief-batch and n8n in the life of one order: how it is recorded, counted, looked for and
 * reported.
 */
export interface OrderShell {
	readonly input: BriefInput;
	readonly key: string;
	/**
	 * Whether what is put on record outlives this process. Such a shell counts the month, and knows whose the briefs of the
	 * list are; without a record, two orders of the same content are told apart by their keys alone.
	 */
	readonly hasRecord: boolean;
	/** Puts on record what must outlive the process, before anything else is done about it. */
	record(event: LastingEvent, order: OrderState): Promise<void>;
	/** Called when it begins to wait, until this time of this machine's clock. */
	waits(what: Wait, until: number): void;
	/** Called for each other event, of which no other process needs to know. */
	note(event: PassingEvent, order: OrderState): void;
	/** Why no further brief may be ordered, this order's own reservation left out of account. */
	end(order: OrderState): OrderingEnd | null;
	/**
	 * Looks for its brief in the list, which was read as it was at `asOf` of the service's clock. Throws ServiceError.
	 */
	find(order: OrderState): Promise<{ look: Look; asOf: number }>;
	/** Takes a brief, unless it belongs to another order. */
	claim(brief: BriefSummary): boolean;
	/** The text for the person who is to look after an order that is put aside. */
	parkText(reason: ParkReason, order: OrderState): string;
	/** Takes the next step for a brief that exists, and puts on record what comes of it. */
	follow(step: 'get' | 'watch' | 'file', order: OrderState): Promise<FollowEvent>;
	/** What only the run around it knows. */
	circumstances(
		order: OrderState,
	): Pick<Facts, 'isLastCall' | 'isHopeless' | 'isOverdue' | 'mayBeListed'>;
}
