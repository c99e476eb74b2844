import type { Brief, BriefInput } from '../../../core/api/types';
import type { CreateRequest } from '../../../core/orders/create-brief';
import { toContentId } from '../../../core/input/content';
import { makeIdempotencyKey } from '../../../core/input/idempotency-key';
import { getCreationTime } from '../../../core/workspace/brief-time';

/** An order of an n8n item. */
export interface ItemOrder extends Omit<CreateRequest, 'orderId'> {
	readonly supersedes: string;
	/** The brief of the order, once an answer or the brief list has shown it. */
	readonly briefId: string | null;
}

/** Returns an order whose key was never sent. */
export function makeItemOrder(input: BriefInput, supersedes: string): ItemOrder {
	const key = makeIdempotencyKey(input, supersedes);
	const times = { firstSentAt: null, unansweredAt: null };
	return { input, key, supersedes, ...times, briefId: null };
}

/**
 * The orders of one n8n process. n8n keeps no journal, so everything that has to survive a restart is in the workspace.
 * This memory lets the next execution send an order without an answer again, with the same key and body.
 */
export class OrderMemory {
	private readonly orders = new Map<string, ItemOrder>();
	/** Briefs of these orders without their texts, with the input as ordered: the service might not show the input. */
	private readonly briefs = new Map<string, Brief>();

	getOrder(orderId: string): ItemOrder | null {
		return this.orders.get(orderId) ?? null;
	}

	saveOrder(orderId: string, order: ItemOrder): void {
		this.orders.set(orderId, order);
	}

	addBrief(brief: Brief, { input }: ItemOrder): void {
		const texts = { markdown: null, document: null, sources: [], warnings: [] };
		this.briefs.set(brief.id, { ...brief, ...texts, input: { ...input } });
	}

	/** Returns the content ID of the order that has the brief, or null. */
	findContentId(briefId: string): string | null {
		const brief = this.briefs.get(briefId);
		return brief === undefined ? null : toContentId(brief.input as unknown as BriefInput);
	}

	/** Returns the brief with the input as ordered, even if the service hides the input or does not know the brief yet. */
	restoreOrderedInput(briefId: string, brief: Brief | null): Brief | null {
		const known = this.briefs.get(briefId);
		return known === undefined ? brief : { ...(brief ?? known), input: known.input };
	}

	/** Forgets old briefs and orders, so that the memory of a process that runs for months does not grow. */
	forgetBefore(instant: number): void {
		for (const [id, brief] of this.briefs)
			if (getCreationTime(brief) < instant) this.briefs.delete(id);
		for (const [id, { firstSentAt, unansweredAt }] of this.orders)
			if ((unansweredAt ?? firstSentAt ?? -Infinity) < instant) this.orders.delete(id);
	}
}
