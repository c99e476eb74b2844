import { instantOf } from '../../../service/api/timestamps';
import { monthStart } from '../../../service/list/month';
import { groupBy } from '../../group-by';
import { createdAt, isTakenOver, type Order } from '../records';

/** Counts the briefs of some orders: paid for here, taken over for nothing, and in a file. */
export function briefNumbers(orders: readonly Order[]) {
	return {
		paid: orders.filter(({ is_paid }) => is_paid).length,
		taken_over: orders.filter(isTakenOver).length,
		fetched: orders.filter(({ file }) => file !== null).length,
	};
}

/** Gives how many briefs were paid for in each month of the allowance, the earliest first. */
export function paidByMonth(orders: readonly Order[]): Array<{ month: string; paid: number }> {
	return [
		...groupBy(
			orders.filter(({ is_paid }) => is_paid),
			monthOf,
		),
	]
		.map(([month, { length: paid }]) => ({ month, paid }))
		.sort((a, b) => (a.month < b.month ? -1 : 1));
}

/** Gives "2026-11", in UTC. */
function monthOf(order: Order): string {
	const instant = instantOf(createdAt(order));
	return new Date(monthStart(instant ?? 0)).toISOString().slice(0, 7);
}
