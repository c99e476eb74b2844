import type { OrderLog, SendResult } from '../../core/orders/send-order';
import { isUnconfirmed, type UnconfirmedOrder, type OrderToSend } from '../../core/orders/order';
import { isLive, toCoreOrder } from '../orders/order';
import type { StoredOrders } from '../orders/orders';
import type { OrderTask } from './begin-rows';
import type { RunState } from './run-state';

/** Records the requests and the result of an order in the journal. Each line is on the disk before the run continues. */
export class JournalLog implements OrderLog {
	constructor(
		private readonly task: OrderTask,
		private readonly orders: StoredOrders,
		private readonly run: RunState,
		private readonly onResult: (result: SendResult) => Promise<void>,
	) {}

	/** A folder has one run at a time, which sends each order itself. */
	findLatest(order: OrderToSend): OrderToSend {
		return order;
	}

	async recordSent(order: OrderToSend, sentAt: number): Promise<UnconfirmedOrder> {
		const { task, orders, run } = this;
		const firstSentAt = orders.findSentTimes(order.key)?.firstSentAt ?? sentAt;
		await run.record(
			{ ...task, order },
			{ kind: 'sent', times: { firstSentAt, lastSentAt: sentAt } },
		);
		const stored = orders.get(task.orderId);
		const sent = isLive(stored) ? toCoreOrder(stored) : null;
		if (!isUnconfirmed(sent)) throw new Error(`Order ${task.orderId} is not open`);
		return sent;
	}

	async recordNotCreated(): Promise<void> {
		await this.run.record(this.task, { kind: 'nothing_created' });
	}

	async recordResult(result: SendResult): Promise<void> {
		await this.onResult(result);
	}
}
