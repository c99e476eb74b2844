import { toSummary, type BriefSummary } from '../../../core/api/types';
import type { UseDecision } from '../../../core/orders/decide-order';
import type { BriefOwner, BriefOwners, Facts } from '../../../core/orders/facts';
import {
	changeState,
	getCurrentBrief,
	isOwn,
	isUnconfirmed,
	makeDraft,
	NOTHING,
	type BriefSource,
	type Content,
	type Draft,
	type Order,
	type SentTimes,
	type UnconfirmedOrder,
	type OrderToSend,
} from '../../../core/orders/order';
import type { OrderLog, SendResult } from '../../../core/orders/send-order';
import type { BriefList } from '../../../core/workspace/brief-list';
import { getCreationTime } from '../../../core/workspace/brief-time';
import type { NodeExecution } from './node-execution';
import type { OrderMemory } from './order-memory';
import { chooseRecord, type SentRecord, type SentResult } from './sent-record';

/**
 * The log of an execution, and the owners of its briefs: what the process remembers of all executions, and what n8n has
 * saved of this execution. In queue mode, the passes of one execution run in several processes:
 *
 *     process 1   sends order 1d40…, and the answer is lost      memory: unconfirmed       saved: unconfirmed
 *     a Wait
 *     process 2   has never heard of 1d40…                       memory: –                 saved: unconfirmed
 *
 * Process 2 computes the keys that the item can have. If one of them is 1d40…, it has the order again.
 */
export class ExecutionLog implements OrderLog, BriefOwners {
	constructor(
		private readonly memory: OrderMemory,
		private readonly execution: NodeExecution,
		private readonly list: BriefList,
	) {}

	findLatest(order: OrderToSend): OrderToSend {
		const record = this.findRecord(order);
		if (record?.result.kind !== 'unconfirmed') return order;
		return toUnconfirmed(this.memory.findOrder(order) ?? order, record);
	}

	recordSent(order: OrderToSend, sentAt: number): Promise<UnconfirmedOrder> {
		const firstSentAt = this.findRecord(order)?.firstSentAt ?? sentAt;
		const times = { firstSentAt, lastSentAt: sentAt };
		const sent = toUnconfirmed(order, times);
		const isFirst = !isUnconfirmed(order) || this.execution.getOrder(order.key)?.isFirst === true;
		const { contentId, key } = order;
		this.memory.saveOrder(sent, times);
		this.execution.saveOrder(key, {
			contentId,
			...times,
			result: { kind: 'unconfirmed' },
			isFirst,
		});
		return Promise.resolve(sent);
	}

	recordNotCreated(order: UnconfirmedOrder): Promise<void> {
		this.settleOrder(order, makeDraft(order, order.supersedes, order.shown), NOTHING_CREATED);
		return Promise.resolve();
	}

	recordResult(result: SendResult): Promise<void> {
		if (result.kind === 'created') this.saveBrief(result.order, result.brief, result.source);
		if (result.kind === 'rejected') {
			const { order, error } = result;
			this.execution.rejections.set(order.key, error);
			this.settleOrder(order, { ...order, state: { kind: 'rejected' } }, NOTHING_CREATED);
		}
		if (result.kind === 'decided' && result.decision.kind === 'use')
			this.saveFound(result.order, result.decision);
		return Promise.resolve();
	}

	/** Saves the brief that the list has shown as the order's own. Returns false if the brief is another order's. */
	saveFound(order: OrderToSend, { brief, source }: UseDecision): boolean {
		if (!isUnconfirmed(order) || source === 'reused') return false;
		this.saveBrief(order, brief, source);
		return true;
	}

	findOwner(briefId: string): BriefOwner | null {
		const owner = this.memory.findOwner(briefId);
		if (owner !== null) return owner;
		const [key, order] = this.execution.findOrderOf(briefId) ?? [];
		if (key === undefined || order?.result.kind !== 'has_brief') return null;
		return isOwn(order.result.source) ? { key, contentId: order.contentId } : null;
	}

	listOwnBriefs(contentId: string): BriefSummary[] {
		const known = this.memory.listOrders(contentId).filter(hasOwnBrief);
		const results = [...this.listResults(contentId)].map((id) => this.list.get(id) ?? null);
		return [...known.map(getCurrentBrief), ...results].filter((brief) => brief !== null);
	}

	/** Not known here: only `--reorder` of brief-batch uses `findLastRequest` and `isGivenUp`. */
	findLastRequest(): null {
		return null;
	}

	isGivenUp(): boolean {
		return false;
	}

	/** Adds to the orders of this execution what other executions of this process have learned since. */
	updateOrders(contentId: string): void {
		for (const [key, order] of this.execution.listOrders(contentId)) {
			const record = this.findRecord({ contentId, key });
			if (record !== null && record.result.kind !== order.result.kind)
				this.execution.saveOrder(key, { ...order, ...record });
		}
	}

	/** Returns the briefs of a content that orders of this execution have got. They are the results of its items. */
	listResults(contentId: string): ReadonlySet<string> {
		const orders = this.execution.listOrders(contentId);
		return new Set(
			orders.flatMap(([, { result }]) => (result.kind === 'has_brief' ? [result.briefId] : [])),
		);
	}

	/** Returns an order of a content that might have created a brief, from memory or from the saved context. */
	findOpenOrder(content: Content, facts: Facts): UnconfirmedOrder | null {
		const known = this.memory.listOrders(content.contentId);
		for (const order of [...known, ...this.rebuildOrders(content, facts)]) {
			const record = this.findRecord(order);
			if (record?.result.kind === 'unconfirmed') return toUnconfirmed(order, record);
		}
		return null;
	}

	/**
	 * True if an order of this execution might have created a brief of the content, even if this process cannot rebuild
	 * the order.
	 */
	hasOpenOrder(contentId: string): boolean {
		return this.listOpenKeys(contentId).length > 0;
	}

	/**
	 * The context has no room for inputs. But the key is a hash of input and superseded brief, so it tells whether an item
	 * has the same order. Only briefs that are surely older than the superseded brief cannot be the order's own.
	 */
	private rebuildOrders(content: Content, facts: Facts): Draft[] {
		const { contentId } = content;
		const lost = this.listOpenKeys(contentId).filter(
			(key) => this.memory.findOrder({ contentId, key }) === null,
		);
		if (lost.length === 0) return [];
		const listed = facts.findProduct(content.input).all;
		const drafts = [
			makeDraft(content, NOTHING, []),
			...listed.map((brief) => {
				const older = listed.filter((other) => isOlder(other, brief)).map(({ id }) => id);
				return makeDraft(content, { kind: 'brief', id: brief.id }, older);
			}),
		];
		return drafts.filter(({ key }) => lost.includes(key));
	}

	private listOpenKeys(contentId: string): string[] {
		const orders = this.execution.listOrders(contentId);
		return orders.flatMap(([key, { result }]) => (result.kind === 'unconfirmed' ? [key] : []));
	}

	private findRecord({ contentId, key }: BriefOwner): SentRecord | null {
		return chooseRecord(this.memory.findRecord({ contentId, key }), this.execution.getOrder(key));
	}

	private saveBrief(order: UnconfirmedOrder, brief: BriefSummary, source: BriefSource): void {
		const state = { kind: 'has_brief', brief: toSummary(brief), source } as const;
		const result = { kind: 'has_brief', briefId: brief.id, source } as const;
		this.settleOrder(order, { ...order, state }, result);
	}

	private settleOrder(sent: UnconfirmedOrder, settled: Order, result: SentResult): void {
		const { firstSentAt, lastSentAt } = sent.state;
		this.memory.saveOrder(settled, { firstSentAt, lastSentAt });
		const known = this.execution.getOrder(sent.key);
		if (known !== null)
			this.execution.saveOrder(sent.key, { ...known, firstSentAt, lastSentAt, result });
	}
}

const NOTHING_CREATED: SentResult = { kind: 'nothing_created' };

/** False if one of the times cannot be read: then nothing is known about the sequence of the briefs. */
function isOlder(brief: BriefSummary, other: BriefSummary): boolean {
	const createdAt = getCreationTime(other);
	return Number.isFinite(createdAt) && getCreationTime(brief) < createdAt;
}

function hasOwnBrief({ state }: Order): boolean {
	return state.kind === 'has_brief' && isOwn(state.source);
}

function toUnconfirmed(order: Order, { firstSentAt, lastSentAt }: SentTimes): UnconfirmedOrder {
	return changeState(order, { kind: 'unconfirmed', firstSentAt, lastSentAt, isRefused: false });
}
