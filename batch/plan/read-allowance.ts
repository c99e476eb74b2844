import { ServiceError } from '../../core/api/errors';
import type { Allowance } from '../../core/workspace/allowance';
import type { AllowanceGuard } from '../../core/workspace/allowance-guard';
import type { RequestContext } from '../../core/workspace/request-context';
import { getOrderBrief, isUnconfirmedOrder, type StoredOrder } from '../orders/order';
import type { Orders } from '../orders/orders';

/**
 * Records the briefs of the folder, which the list might not show yet, and its requests without an answer. The plan counts
 * the orders that it sends again itself.
 */
export function recordFolderBriefs(
	guard: AllowanceGuard,
	orders: Orders,
	isSentAgain: (order: StoredOrder) => boolean,
): void {
	guard.countBriefs(orders.live.flatMap((order) => getOrderBrief(order) ?? []));
	for (const order of orders.live.filter(isUnconfirmedOrder))
		if (!isSentAgain(order)) guard.recordRequest(order.key, order.state.lastSentAt);
}

/**
 * Reads this month's allowance.
 * @throws {ServiceError} if list or licence cannot be read, or if the workspace has no licence for briefs
 */
export async function readAllowance(
	guard: AllowanceGuard,
	requests: RequestContext,
): Promise<Allowance> {
	const allowance = await guard.read(requests);
	if (allowance !== null) return allowance;
	throw new ServiceError({ kind: 'licence_missing', operation: 'list_licences' });
}
