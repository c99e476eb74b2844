import type { OrderToSend } from '../../../core/orders/order';
import type { ServiceError } from '../../../core/api/errors';
import type { Brief, BriefInput } from '../../../core/api/types';
import type { UnconfirmedCause } from '../../../core/orders/send-order';

export type WhenBriefExists = 'use' | 'useUnlessFailed';

export interface Item {
	readonly input: BriefInput;
	readonly whenBriefExists: WhenBriefExists;
}

/** The settings of a node, which hold for all its items. */
export interface OrderOptions {
	/** Briefs that are older than this are not used again. */
	readonly reuseWithinMs: number;
	/** Max Briefs per Run; Infinity for no limit. */
	readonly maxBriefs: number;
}

/** Why an item needs an order. */
export type OrderReason =
	/** The workspace has no brief of this product. */
	| 'new'
	/** The workspace has briefs of this product, with other values. */
	| 'other_values'
	/** The newest brief with these values is older than `reuseWithinMs`. */
	| 'outdated'
	/** The newest brief with these values has failed. */
	| 'failed'
	/** An earlier request of the order might have created the brief. */
	| 'resend';

/** What is known about an item before anything is ordered. */
export type ItemPlan = { kind: 'order'; order: OrderToSend; reason: OrderReason } | ItemResult;

export type ItemResult =
	| BriefResult
	/** These briefs for the same product do not show their input. */
	| { kind: 'undecided'; briefIds: readonly string[] }
	/** These briefs with the item's content have failed, so no further brief is ordered. */
	| { kind: 'failed_repeatedly'; briefIds: readonly string[] }
	| { kind: 'limit_reached' }
	/** Not ordered: the deadline has passed, or both slots were in use by these briefs. */
	| { kind: 'timeout'; runningIds: readonly string[] }
	/** Not ordered. */
	| { kind: 'allowance_used_up' }
	/** Not ordered. */
	| { kind: 'error'; error: ServiceError }
	/** This execution has ordered the brief. Null: the workspace does not show it. */
	| { kind: 'unreadable_result'; briefId: string; error: ServiceError | null }
	/** An order was sent, so the brief might have been created. Null: the list might not show the brief yet. */
	| { kind: 'unconfirmed'; cause: UnconfirmedCause | null };

export interface BriefResult {
	readonly kind: 'brief';
	/** The brief, with the newest status that is known. */
	readonly brief: Brief;
	/** False for the first item that got a brief which this execution has ordered. */
	readonly alreadyExisted: boolean;
}
