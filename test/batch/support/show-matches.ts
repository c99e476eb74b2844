import type { Row } from '../../../batch/csv/types';
import { matchRows } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import { readRowStatus } from './world';
import { makeOrders, makeRows, START } from './order-builder';

/** The orders of a folder, the rows of a CSV, and the status and the order that each row has. Text is separated by ` | `. */
type MatchCase = readonly [orders: string | Orders, rows: string | readonly Row[], matches: string];

/** Defines a test for each case, by title. */
export function testMatches(cases: Readonly<Record<string, MatchCase>>): void {
	test.each(Object.entries(cases))('%s', (_, [orders, rows, expected]) => {
		const known = typeof orders === 'string' ? makeOrders(...orders.split(' | ')) : orders;
		const given = typeof rows === 'string' ? makeRows(...rows.split(' | ')) : rows;
		expect(showMatches(given, known)).toBe(expected);
	});
}

/** Returns the status and the order of each row, such as `ready 1 | changed 2 | pending`. */
export function showMatches(rows: readonly Row[], orders: Orders, now = START): string {
	const matches = matchRows(rows, orders, now);
	const words = rows.map((row) => {
		const match = matches.get(row);
		const status = readRowStatus(row, orders, matches);
		return match.kind === 'new' ? status : `${status} ${match.order.id}`;
	});
	return words.join(' | ');
}
