import type { ServiceError } from '../../../core/api/errors';
import { toResult } from '../../../core/api/retry';
import type { Brief } from '../../../core/api/types';
import type { ItemResult } from './item-types';

/**
 * What one execution knows about one node. All passes of a loop and all tries of Retry On Fail share this object, so
 * that none of them pays again, and none repeats a request that the service has refused.
 */
export class NodeExecution {
	/** The result of each order that this execution has finished, by order ID: a brief, or a refusal. */
	private readonly results = new Map<string, ItemResult>();
	/**
	 * How many items have paid for a brief with each order, might have, or are about to. An order counts once. Check Only
	 * counts orders that it would send.
	 */
	private readonly countedOrders = new Map<string, number>();
	private refusal: { readonly error: ServiceError; readonly until: number } | null = null;
	private licenceRead: Promise<unknown> | null = null;

	saveResult(orderId: string, result: ItemResult): void {
		this.results.set(orderId, result);
	}

	/** Returns the briefs of the orders that this execution has sent, in that sequence. */
	listBriefs(): Brief[] {
		return [...this.results.values()].flatMap((result) =>
			result.kind === 'brief' ? [result.brief] : [],
		);
	}

	/** Returns the result that later passes and tries repeat, or null. */
	findFinalResult(orderId: string): ItemResult | null {
		return this.results.get(orderId) ?? null;
	}

	/**
	 * Counts an order, and returns true if Max Briefs per Run permits it. An order counts once, however often it is sent.
	 */
	countOrder(orderId: string, maxBriefs: number): boolean {
		const items = this.countedOrders.get(orderId) ?? 0;
		if (items === 0 && this.countedOrders.size >= maxBriefs) return false;
		this.countedOrders.set(orderId, items + 1);
		return true;
	}

	/** Records that an item has paid for nothing. Another call of the same execution might have paid for its order. */
	uncountOrder(orderId: string): void {
		const items = this.countedOrders.get(orderId) ?? 0;
		if (items > 1) this.countedOrders.set(orderId, items - 1);
		else this.countedOrders.delete(orderId);
	}

	/** Records that the service refuses every order until an instant of this machine's clock. */
	saveRefusal(error: ServiceError, until: number): void {
		this.refusal = { error, until };
	}

	/** Returns the refusal that holds now, or null. */
	findRefusal(now: number): ServiceError | null {
		return this.refusal !== null && now < this.refusal.until ? this.refusal.error : null;
	}

	/** Reads the licence once for all passes and tries, and for calls at the same time. A failure is not an error. */
	async readLicenceOnce(read: () => Promise<unknown>): Promise<void> {
		this.licenceRead ??= toResult(read());
		await this.licenceRead;
	}
}
