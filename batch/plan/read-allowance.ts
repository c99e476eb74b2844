import { ServiceError } from '../../core/api/errors';
import type { Allowance } from '../../core/workspace/allowance';
import { getOrderBrief, isUnconfirmedOrder, type StoredOrder } from '../orders/order';
import type { Orders } from '../orders/orders';
import type { ConnectedSession } from '../commands/session';

/**
 * Reads this month's allowance. The briefs of the folder count even if the list does not show them yet, and so do requests
 * without an answer, unless the plan sends their orders again and counts them itself.
 * @throws {ServiceError} if list or licence cannot be read, or if the workspace has no licence for briefs
 */
export async function readAllowance(
	{ workspace, context }: ConnectedSession,
	orders: Orders,
	isSentAgain: (order: StoredOrder) => boolean,
): Promise<Allowance> {
	const { allowance: guard } = workspace;
	guard.countBriefs(orders.live.flatMap((order) => getOrderBrief(order) ?? []));
	for (const order of orders.live.filter(isUnconfirmedOrder))
		if (!isSentAgain(order)) guard.recordRequest(order.key, order.state.lastSentAt);
	const allowance = await guard.read(context);
	if (allowance !== null) return allowance;
	throw new ServiceError({ kind: 'licence_missing', operation: 'list_licences' });
}
