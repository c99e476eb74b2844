import type { ServiceError } from '../../../core/api/errors';
import type { Brief } from '../../../core/api/types';
import { hasPaid } from '../../../core/orders/order';
import type { SentRecord } from './sent-record';

/** An order that this execution has sent. */
export interface ExecutionOrder extends SentRecord {
	/** Whether no other execution had sent the order before, so that this execution pays for its brief. */
	readonly isFirst: boolean;
}

/**
 * The object that n8n keeps for a node while an execution runs (docs/architecture.md, “Runs and loops”). Nested changes are not
 * saved everywhere, so the state is assigned anew with each change.
 */
export interface NodeContext {
	creatorBriefing?: SavedState;
}

/** What limits money, without texts. As JSON, because n8n saves it with the execution. */
interface SavedState {
	/** A manual retry has the context of the first execution, but is another execution. */
	readonly executionId: string;
	/** By key. */
	readonly orders: Readonly<Record<string, ExecutionOrder>>;
	/** When the refusal for the allowance ends, by the service's clock; null without one. */
	readonly allowanceRefusedUntil: number | null;
}

/**
 * What one execution knows about one node. All passes of a loop and all tries of Retry On Fail share this object, so
 * that none of them pays again, and none repeats a request that the service has refused:
 *
 *     saved by n8n     orders that were sent, a refusal for the allowance     also after a Wait or a restart
 *     in memory        refusals of the key or an order, answers               until n8n ends, at most
 */
export class NodeExecution {
	/** The IDs of briefs that an item has got. What was saved before was got before. */
	readonly delivered: Set<string>;
	/** How many items are about to send each order, by key. */
	private readonly reserved = new Map<string, number>();
	/** The briefs as they were when this process created them, by brief ID. */
	readonly answers = new Map<string, Brief>();
	/** The orders that the service has rejected, by key. */
	readonly rejections = new Map<string, ServiceError>();
	private refusal: { readonly error: ServiceError; readonly until: number } | null = null;

	/** The month for which the licence was read, and whether it could be read. */
	licence = { month: -Infinity, isKnown: false };

	constructor(
		private readonly context: NodeContext = {},
		private readonly executionId = '',
	) {
		const results = Object.values(this.state.orders).map(({ result }) => result);
		this.delivered = new Set(
			results.flatMap((result) => (result.kind === 'has_brief' ? [result.briefId] : [])),
		);
	}

	/** Returns an order that this execution has sent, or null. */
	getOrder(key: string): ExecutionOrder | null {
		return this.state.orders[key] ?? null;
	}

	/** Returns the orders of a content that this execution has sent, by key. */
	listOrders(contentId: string): Array<[string, ExecutionOrder]> {
		return Object.entries(this.state.orders).filter(([, order]) => order.contentId === contentId);
	}

	/** Returns the order of this execution that has the brief, with its key; null if there is none. */
	findOrderOf(briefId: string): [string, ExecutionOrder] | null {
		const orders = Object.entries(this.state.orders);
		return (
			orders.find(([, { result }]) => 'briefId' in result && result.briefId === briefId) ?? null
		);
	}

	saveOrder(key: string, order: ExecutionOrder): void {
		this.save({ orders: { ...this.state.orders, [key]: order } });
	}

	/** Returns the briefs that this execution has paid for, in the sequence of their orders. */
	listPaidIds(): string[] {
		return Object.values(this.state.orders).flatMap(({ result, isFirst }) =>
			result.kind === 'has_brief' && isFirst && hasPaid(result.source) ? [result.briefId] : [],
		);
	}

	/** True if this execution has paid for the brief, and no item has got it. */
	isNew(briefId: string): boolean {
		return !this.delivered.has(briefId) && this.listPaidIds().includes(briefId);
	}

	/**
	 * Reserves an order that is about to be sent, and returns true if Max Briefs per Run permits it. An order counts once,
	 * however often it is sent, and does not count if it paid for nothing. Check Only reserves orders that it would send.
	 */
	reserveOrder(key: string, maxBriefs: number): boolean {
		const counted = new Set(this.reserved.keys());
		for (const [sentKey, order] of Object.entries(this.state.orders))
			if (isCounted(order)) counted.add(sentKey);
		if (!counted.has(key) && counted.size >= maxBriefs) return false;
		this.reserved.set(key, (this.reserved.get(key) ?? 0) + 1);
		return true;
	}

	/** Returns the number of orders that are about to be sent, or that Check Only would send. */
	countReserved(): number {
		return this.reserved.size;
	}

	/** Ends a reservation. From here on, the order counts by its record. */
	releaseOrder(key: string): void {
		const items = this.reserved.get(key) ?? 0;
		if (items > 1) this.reserved.set(key, items - 1);
		else this.reserved.delete(key);
	}

	/** Records that the service refuses every order until an instant of this machine's clock. */
	saveRefusal(error: ServiceError, until: number): void {
		this.refusal = { error, until };
	}

	/** Returns the refusal that holds now, or null. */
	findRefusal(now: number): ServiceError | null {
		return this.refusal !== null && now < this.refusal.until ? this.refusal.error : null;
	}

	/** @param until by the service's clock */
	saveAllowanceRefusal(until: number): void {
		this.save({ allowanceRefusedUntil: until });
	}

	/** @param now the service's clock */
	isAllowanceRefused(now: number): boolean {
		return now < (this.state.allowanceRefusedUntil ?? -Infinity);
	}

	private get state(): SavedState {
		const { executionId, context } = this;
		const saved = context.creatorBriefing;
		return saved?.executionId === executionId
			? saved
			: { executionId, orders: {}, allowanceRefusedUntil: null };
	}

	private save(change: Partial<SavedState>): void {
		this.context.creatorBriefing = { ...this.state, ...change };
	}
}

/** True if the order has paid for a brief, or might have. */
function isCounted({ result, isFirst }: ExecutionOrder): boolean {
	if (result.kind === 'has_brief') return isFirst && hasPaid(result.source);
	return result.kind === 'unconfirmed';
}
