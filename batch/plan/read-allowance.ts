import { ServiceError } from '../../core/api/errors';
import type { Allowance } from '../../core/workspace/allowance';
import type { AllowanceGuard } from '../../core/workspace/allowance-guard';
import type { RequestContext } from '../../core/workspace/request-context';
import { getOrderBrief, isSentLast, isUnconfirmedOrder } from '../orders/order';
import type { Orders } from '../orders/orders';

/**
 * Records the briefs of the folder, which the list might not show yet, and its requests without an answer. The plan counts
 * the orders itself that it sends again before others.
 * @param resent the contents whose orders the run sends again
 */
export function recordFolderBriefs(
	guard: AllowanceGuard,
	orders: Orders,
	resent: ReadonlySet<string>,
): void {
	guard.recordBriefs(orders.live.flatMap((order) => getOrderBrief(order) ?? []));
	for (const order of orders.live.filter(isUnconfirmedOrder)) {
		const isSentFirst = resent.has(order.contentId) && !isSentLast(order);
		if (!isSentFirst) guard.recordRequest(order.key, order.state.lastSentAt);
	}
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
