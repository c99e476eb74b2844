import type { Row } from '../../../batch/csv/types';
import { matchRows } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import { getRowStatus } from '../../../batch/plan/row-status';

/** Returns the status of each row and the order that it has: `ready 1`, `changed 2`, `pending` for a new row. */
export function showMatches(rows: readonly Row[], orders: Orders): string {
	const matches = matchRows(rows, orders);
	const words = rows.map((row) => {
		const match = matches.get(row);
		const status = getRowStatus(row, match);
		return match.kind === 'new' ? status : `${status} ${match.order.id}`;
	});
	return words.join(', ');
}

/** True if each row is an edit of the order at the same position. */
export function keepOrders(rows: readonly Row[], orders: Orders): boolean {
	const matches = matchRows(rows, orders);
	return rows.every((row, index) => {
		const match = matches.get(row);
		return match.kind === 'edited' && match.order.id === index + 1;
	});
}
