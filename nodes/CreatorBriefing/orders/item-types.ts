import type { ServiceError } from '../../../core/api/errors';
import type { Brief, BriefInput } from '../../../core/api/types';
import type { ItemOrder } from './item-order';

export type WhenBriefExists = 'use' | 'useUnlessFailed';

export interface Item {
	readonly input: BriefInput;
	readonly whenBriefExists: WhenBriefExists;
}

/** The settings of a node, which hold for all its items. */
export interface OrderOptions {
	/** Briefs that are older than this are not used again. */
	readonly reuseWindowMs: number;
	/** Max Briefs per Run; Infinity for no limit. */
	readonly maxBriefs: number;
	/** When to stop waiting and ordering, by this machine's clock. */
	readonly deadline: number;
	readonly whenSlotsBusy: 'wait' | 'stop';
}

/** Why an item needs an order. */
export type OrderReason =
	/** The workspace has no brief of this product. */
	| 'new'
	/** The workspace has briefs of this product, with other values. */
	| 'other_values'
	/** The brief with these values is older than `reuseWindowMs`. */
	| 'outdated'
	/** The brief with these values has failed. */
	| 'failed'
	/** An earlier request of the order got no answer. */
	| 'resend';

/** An item, and the ID of its order. Items with the same ID share one order. */
export interface Task {
	readonly input: BriefInput;
	readonly whenBriefExists: WhenBriefExists;
	readonly orderId: string;
}

/** What happens to an item: it needs an order, or its result. */
export type Decision =
	| { kind: 'order'; order: ItemOrder; reason: OrderReason }
	| BriefResult
	/** These briefs for the same product do not show their input. */
	| { kind: 'undecided'; briefIds: readonly string[] }
	/** These briefs with the item's content have failed, so no further brief is ordered. */
	| { kind: 'failed_repeatedly'; briefIds: readonly string[] };

export type ItemResult =
	| Exclude<Decision, { kind: 'order' }>
	| { kind: 'limit_reached' }
	/** Not ordered: the deadline has passed, or both slots were in use by these briefs. */
	| { kind: 'timeout'; runningIds: readonly string[] }
	/** `isUnconfirmed`: the order was sent and got no answer, so the brief might have been created. */
	| { kind: 'error'; error: ServiceError; isUnconfirmed: boolean };

/** What is known about an item before anything is ordered. */
export type ItemPlan = Decision | ItemResult;

export interface BriefResult {
	readonly kind: 'brief';
	/** The brief, with the newest status that is known. */
	readonly brief: Brief;
	readonly alreadyExisted: boolean;
}
