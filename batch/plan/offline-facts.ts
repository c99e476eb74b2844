import { Facts } from '../../core/orders/facts';
import { BriefDetails } from '../../core/workspace/brief-details';
import { ListSnapshot } from '../../core/workspace/brief-list';
import { InputDisplay } from '../../core/workspace/input-display';
import type { Orders } from '../orders/orders';

const NO_PAGE = { briefs: [], nextCursor: null, readAt: -Infinity, requestedAt: -Infinity };

/**
 * Returns the facts that the orders of a folder know without the service.
 * @param now the service's clock
 */
export function makeOfflineFacts(orders: Orders, now: number): Facts {
	return new Facts({
		list: new ListSnapshot([], NO_PAGE),
		owners: orders,
		details: new BriefDetails(() => Promise.resolve(null)),
		display: new InputDisplay(),
		now,
	});
}
