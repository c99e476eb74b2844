import type { BriefOwner } from '../../../core/orders/facts';
import { getCurrentBrief, isOwn, type Order, type SentTimes } from '../../../core/orders/order';
import type { SentRecord, SentResult } from './sent-record';

/** An order, with the times of its key: an order that created nothing is a draft again, and its key keeps its times. */
interface RememberedOrder {
	readonly order: Order;
	readonly times: SentTimes;
}

/**
 * The orders that one n8n process has sent, by content and key. All executions with the same Base URL and API key share
 * them: the next execution can send an order without an answer again, and knows which brief was ordered with which
 * input. n8n keeps no journal, so what has to survive a restart is in the workspace itself.
 */
export class OrderMemory {
	private readonly contents = new Map<string, Map<string, RememberedOrder>>();
	/** The orders whose own the briefs are, by brief ID. */
	private readonly owners = new Map<string, BriefOwner>();

	saveOrder(order: Order, times: SentTimes): void {
		const { contentId, key, state } = order;
		const orders = this.contents.get(contentId) ?? new Map<string, RememberedOrder>();
		this.contents.set(contentId, orders.set(key, { order, times }));
		if (state.kind === 'has_brief' && isOwn(state.source))
			this.owners.set(state.brief.id, { contentId, key });
	}

	listOrders(contentId: string): Order[] {
		return [...(this.contents.get(contentId)?.values() ?? [])].map(({ order }) => order);
	}

	findOrder({ contentId, key }: BriefOwner): Order | null {
		return this.contents.get(contentId)?.get(key)?.order ?? null;
	}

	findRecord({ contentId, key }: BriefOwner): SentRecord | null {
		const known = this.contents.get(contentId)?.get(key);
		return known === undefined
			? null
			: { contentId, ...known.times, result: toSentResult(known.order) };
	}

	findOwner(briefId: string): BriefOwner | null {
		return this.owners.get(briefId) ?? null;
	}

	/** Forgets old orders, so that the memory of a process that runs for months does not grow. */
	forgetBefore(instant: number): void {
		for (const [contentId, orders] of this.contents) {
			for (const [key, { order, times }] of orders) {
				if (times.lastSentAt >= instant) continue;
				orders.delete(key);
				const briefId = getCurrentBrief(order)?.id ?? '';
				if (this.owners.get(briefId)?.key === key) this.owners.delete(briefId);
			}
			if (orders.size === 0) this.contents.delete(contentId);
		}
	}
}

function toSentResult({ state }: Order): SentResult {
	switch (state.kind) {
		case 'unconfirmed':
			return { kind: 'unconfirmed' };
		case 'has_brief':
			return { kind: 'has_brief', briefId: state.brief.id, source: state.source };
		case 'draft':
		case 'rejected':
			return { kind: 'nothing_created' };
	}
}
