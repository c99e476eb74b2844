import type { BriefInput, BriefSummary } from '../resources';
import type { Facts, OrderingEnd, ParkReason } from './decide';
import type { Finding, LastingEvent, OrderEvent, OrderState, PassingEvent } from './states';

/** What a look for the brief of an order showed; whether the list is certain of it is judged by the driver. */
export type Look = Exclude<Finding, { is: 'nothing' }> | { is: 'nothing' };

/** What can happen to a brief that exists. */
export type FollowEvent = Extract<OrderEvent, { type: 'seen' | 'ended' | 'filed' | 'parked' }>;

/** What differs between the batch and n8n in the life of one order: where it is recorded, counted, looked for and told. */
export interface OrderShell {
	readonly input: BriefInput;
	readonly key: string;
	/** Puts on record what must outlive the process, before anything else is done about it. */
	record(event: LastingEvent, order: OrderState): Promise<void>;
	/** Hears of everything else. */
	note(event: PassingEvent, order: OrderState): void;
	/** Why no further brief may be ordered, this order's own reservation left out of account. */
	end(order: OrderState): OrderingEnd | null;
	/** Looks for its brief in the list. Throws ServiceError. */
	find(order: OrderState): Promise<Look>;
	/** Takes a found brief, unless it belongs to another order. */
	claim(brief: BriefSummary): boolean;
	/** What a person is told of an order that is put aside. */
	parkText(reason: ParkReason, order: OrderState): string;
	/** Carries its brief on, and puts on record what comes of that. */
	follow(step: 'get' | 'watch' | 'file', order: OrderState): Promise<FollowEvent>;
	/** What only the run around it knows. */
	circumstances(order: OrderState): Pick<Facts, 'isLastCall' | 'isHopeless' | 'isOverdue'>;
}
